// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  public import EffectCore
  public import SwiftUI

  // MARK: - Work as long as a view is there

  extension View {
    /// Sends an action when the view appears, and cancels everything that it caused when the view disappears.
    ///
    /// ```swift
    /// List { ... }.task(sending: .appeared, to: library)
    /// ```
    ///
    /// - Ordering: the view's task awaits ``StoreTask/finish()``. So an endless stream that `.appeared` begins ends
    ///   with the view.
    /// - Cancellation: reaches what the action caused, at any depth, and nothing else, as
    ///   ``StoreTask/cancel(isolation:)`` does.
    @MainActor
    public func task<R: Reducer>(sending action: R.Action, to store: ObservableStore<R>) -> some View {
      task { @MainActor in await store.send(action).finish() }
    }

    /// The same for the action of a child.
    @MainActor
    public func task<State, Action>(sending action: Action, to store: ChildStore<State, Action>) -> some View {
      task { @MainActor in await store.send(action).finish() }
    }

    /// Sends an action when the view appears, and the current action again whenever `id` has changed. What the previous
    /// action caused is cancelled then; what the last action caused is cancelled when the view disappears.
    @MainActor
    public func task<R: Reducer>(
      id: some Equatable, sending action: R.Action, to store: ObservableStore<R>
    ) -> some View {
      task(id: id) { @MainActor in await store.send(action).finish() }
    }

    /// The same for the action of a child.
    @MainActor
    public func task<State, Action>(
      id: some Equatable, sending action: Action, to store: ChildStore<State, Action>
    ) -> some View {
      task(id: id) { @MainActor in await store.send(action).finish() }
    }
  }

  // MARK: - Optional children

  extension View {
    /// Shows a sheet as long as an optional child exists.
    ///
    /// ```swift
    /// .sheet(\.share, of: detail, action: Detail.share, dismiss: .shareClosed) { share in ShareView(share: share) }
    /// ```
    ///
    /// The sheet disappears when the reducer sets the child to `nil`. If it is dismissed by a gesture, or by SwiftUI's
    /// `dismiss` inside it, it sends `dismiss` to the parent, whose reducer then sets the child to `nil`; the child's
    /// work is cancelled with it (rule M2).
    ///
    /// - Lifetime: while it fades out, it shows the last values of the child; see ``ChildStore``.
    @MainActor
    public func sheet<R: Reducer, Child, ChildAction>(
      _ child: any KeyPath<R.State, Child?> & Sendable, of store: ObservableStore<R>,
      action: CasePath<R.Action, ChildAction>, dismiss: R.Action,
      @ViewBuilder content: @escaping (ChildStore<Child, ChildAction>) -> some View
    ) -> some View {
      sheet(isPresented: store.isPresented(child, dismiss: dismiss)) {
        Presented(child: store.scope(child, action: action), content: content)
      }
    }

    /// The same for the child of a child.
    @MainActor
    public func sheet<State, Action, Child, ChildAction>(
      _ child: any KeyPath<State, Child?> & Sendable, of store: ChildStore<State, Action>,
      action: CasePath<Action, ChildAction>, dismiss: Action,
      @ViewBuilder content: @escaping (ChildStore<Child, ChildAction>) -> some View
    ) -> some View {
      sheet(isPresented: store.isPresented(child, dismiss: dismiss)) {
        Presented(child: store.scope(child, action: action), content: content)
      }
    }
  }

  /// Keeps the child store of the shown child, which is removed from the state before it disappears from the screen.
  private struct Presented<Child, ChildAction: Sendable, Content: View>: View {
    @SwiftUI.State private var child: ChildStore<Child, ChildAction>?
    private let content: (ChildStore<Child, ChildAction>) -> Content

    init(child: ChildStore<Child, ChildAction>?, content: @escaping (ChildStore<Child, ChildAction>) -> Content) {
      _child = SwiftUI.State(initialValue: child)
      self.content = content
    }

    var body: some View {
      if let child { content(child) }
    }
  }
#endif
