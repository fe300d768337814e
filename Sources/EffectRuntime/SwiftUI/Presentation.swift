// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  public import EffectCore
  public import SwiftUI

  /// An optional child that is shown while it exists: in a sheet, a cover, a popover, an alert, a dialog or a page.
  ///
  /// ```swift
  /// .sheet(library.presentation(\.share, action: Library.share, dismiss: .shareClosed)) { ShareView(share: $0) }
  /// ```
  ///
  /// What is shown disappears when the reducer sets the child to `nil`. If it is dismissed by a gesture, or by SwiftUI's
  /// `dismiss` inside it, it sends the `dismiss` action to the parent, whose reducer then sets the child to `nil`; the
  /// child's work is cancelled with it (rule M2). That action is sent once for each dismissal, and only for the child that
  /// was shown. If the reducer has removed or replaced that child by itself, it is not sent.
  ///
  /// - Ordering: a child that is removed and set again before the next frame is another child: its view is made again,
  ///   and `task(sending:to:)` in it begins again. So is a child with another `id`, if its state is `Identifiable`, and
  ///   the child of another store or row that the view is given. A child without an id that is replaced within one turn,
  ///   or within turns that are reduced together (rule T6: actions that waited together, such as two sends of a run),
  ///   counts as the same one. Its tasks do not begin again. An alert or a dialog has a rule of its own.
  /// - Isolation: the main actor. Keeps the store alive.
  /// - Lifetime: while it fades out, it shows the last values of the child; see ``ObservableStore``.
  @MainActor
  public struct Presentation<Child, ChildAction: Sendable> {
    let isPresented: Binding<Bool>
    /// Finds the child and its lifetime. The reader is notified when one of them changes.
    let find: @MainActor () -> (store: ObservableStore<Child, ChildAction>, lifetime: ShownChild<Int>)?
    /// Notes that a view shows the child with this lifetime.
    let noteShown: @MainActor (_ lifetime: ShownChild<Int>) -> Void
    /// Whether this is the lifetime of the child that exists, or that existed last.
    let isCurrent: @MainActor (_ lifetime: ShownChild<Int>) -> Bool
    /// Sends the `dismiss` action, if the child exists.
    let dismiss: @MainActor () -> Void
    /// Begins to ask about the child. As long as the result is kept, an action that a view sends ends the lifetime of a child
    /// without an id if it changes it.
    let ask: @MainActor () -> AskedChildren.Asking?
  }

  extension ObservableStore {
    /// An optional child to show while it exists; see ``Presentation``.
    ///
    /// - Parameters:
    ///   - child: the path to the optional child in the state.
    ///   - action: the case of the parent's action that holds the child's actions.
    ///   - dismiss: the action to send when the user dismisses the view.
    /// - Returns: a value for the modifiers of views, such as `sheet`.
    public func presentation<Child, ChildAction>(
      _ child: any KeyPath<State, Child?> & Sendable, action: CasePath<Action, ChildAction>, dismiss: Action
    ) -> Presentation<Child, ChildAction> {
      node.presentation(child, action, dismiss)
    }
  }

  extension ScopeNode {
    fileprivate func presentation<Child, ChildAction>(
      _ child: any KeyPath<State, Child?> & Sendable, _ action: CasePath<Action, ChildAction>, _ dismiss: Action
    ) -> Presentation<Child, ChildAction> {
      let name = ChildWay(optional: child).name
      let lifetime = { ShownChild(self.fields.lifetime(of: name), of: self.fields) }
      return Presentation(
        isPresented: isPresented(child, dismiss: dismiss, ofShown: true),
        find: { self.optional(child, action).map { ($0, lifetime()) } },
        noteShown: { self.fields.shown[name] = $0.id }, isCurrent: { lifetime() == $0 },
        dismiss: { self.dismiss(child, dismiss) }, ask: { self.ask(about: child, name) })
    }

    private func ask<Child>(
      about child: any KeyPath<State, Child?> & Sendable, _ name: FieldName
    ) -> AskedChildren.Asking? {
      guard !(Child.self is any Identifiable.Type), Child.self is any Equatable.Type else { return nil }
      let asking = AskedChildren.Asking { [weak self] in
        guard let self, case .some(.some(let former)) = read(child) else { return nil }
        return { [fields] in
          guard case .some(.some(let present)) = self.read(child) else { return }
          if !StateDifference.areEqual(former, present) { fields.replace(name) }
        }
      }
      root.asked.add(asking)
      return asking
    }
  }

  // MARK: - Views

  /// Views that are shown while a child exists. All of them take a ``Presentation``.
  extension View {
    /// Shows a sheet as long as a child exists; see ``Presentation``.
    ///
    /// - Parameters:
    ///   - presentation: the child and its `dismiss` action, from `store.presentation(_:action:dismiss:)`.
    ///   - content: makes the view of the sheet from the store of the child.
    /// - Returns: this view, which shows the sheet.
    @MainActor
    public func sheet<Child, ChildAction>(
      _ presentation: Presentation<Child, ChildAction>,
      @ViewBuilder content: @escaping (ObservableStore<Child, ChildAction>) -> some View
    ) -> some View {
      sheet(isPresented: presentation.isPresented) { PresentedChild(presentation, content) }
    }

    /// Shows a page of a navigation stack as long as a child exists; see ``Presentation``.
    ///
    /// While the page is popped, it shows the last values of the child.
    ///
    /// - Parameters:
    ///   - presentation: the child and its `dismiss` action, from `store.presentation(_:action:dismiss:)`.
    ///   - destination: makes the page from the store of the child.
    /// - Returns: this view, which shows the page.
    @MainActor
    public func navigationDestination<Child, ChildAction>(
      _ presentation: Presentation<Child, ChildAction>,
      @ViewBuilder destination: @escaping (ObservableStore<Child, ChildAction>) -> some View
    ) -> some View {
      navigationDestination(isPresented: presentation.isPresented) { PresentedChild(presentation, destination) }
    }

    #if !os(macOS)
      /// Covers the screen as long as a child exists; see ``Presentation``.
      ///
      /// - Parameters:
      ///   - presentation: the child and its `dismiss` action, from `store.presentation(_:action:dismiss:)`.
      ///   - content: makes the view that covers the screen from the store of the child.
      /// - Returns: this view, which shows the cover.
      @MainActor
      public func fullScreenCover<Child, ChildAction>(
        _ presentation: Presentation<Child, ChildAction>,
        @ViewBuilder content: @escaping (ObservableStore<Child, ChildAction>) -> some View
      ) -> some View {
        fullScreenCover(isPresented: presentation.isPresented) { PresentedChild(presentation, content) }
      }
    #endif

    #if !os(tvOS) && !os(watchOS)
      /// Shows a popover as long as a child exists; see ``Presentation``.
      ///
      /// - Parameters:
      ///   - presentation: the child and its `dismiss` action, from `store.presentation(_:action:dismiss:)`.
      ///   - content: makes the view in the popover from the store of the child.
      /// - Returns: this view, which shows the popover.
      @MainActor
      public func popover<Child, ChildAction>(
        _ presentation: Presentation<Child, ChildAction>,
        @ViewBuilder content: @escaping (ObservableStore<Child, ChildAction>) -> some View
      ) -> some View {
        popover(isPresented: presentation.isPresented) { PresentedChild(presentation, content) }
      }
    #endif

    /// Shows an alert as long as a child exists; see ``Presentation``.
    ///
    /// A button sends an action, and SwiftUI then dismisses the alert. If the reducer has removed or replaced the child with
    /// that action, nothing more is sent. Otherwise the `dismiss` action is sent. A child without an id counts as replaced
    /// if an action changes it that a view sends meanwhile by ``ObservableStore/send(_:)``. (Its state must be `Equatable`.)
    ///
    /// An alert asks for one child: what it shows does not change. If that child is replaced, its buttons do nothing any
    /// more, and it is dismissed. Then the alert of the other child is shown.
    ///
    /// - Parameters:
    ///   - title: the title of the alert.
    ///   - presentation: the child and its `dismiss` action, from `store.presentation(_:action:dismiss:)`.
    ///   - actions: makes the buttons from the store of the child.
    ///   - message: makes the text from the store of the child.
    /// - Returns: this view, which shows the alert.
    @MainActor
    public func alert<Child, ChildAction>(
      _ title: some StringProtocol, _ presentation: Presentation<Child, ChildAction>,
      @ViewBuilder actions: @escaping (ObservableStore<Child, ChildAction>) -> some View,
      @ViewBuilder message: @escaping (ObservableStore<Child, ChildAction>) -> some View
    ) -> some View {
      PresentedDialog(presentation) { isPresented, child in
        alert(title, isPresented: isPresented, presenting: child, actions: actions, message: message)
      }
    }

    /// Shows a confirmation dialog as long as a child exists; see ``Presentation``.
    ///
    /// A button has the same effect as in an ``alert(_:_:actions:message:)``.
    ///
    /// - Parameters:
    ///   - title: the title of the dialog.
    ///   - presentation: the child and its `dismiss` action, from `store.presentation(_:action:dismiss:)`.
    ///   - titleVisibility: whether the title is shown.
    ///   - actions: makes the buttons from the store of the child.
    ///   - message: makes the text from the store of the child.
    /// - Returns: this view, which shows the dialog.
    @MainActor
    public func confirmationDialog<Child, ChildAction>(
      _ title: some StringProtocol, _ presentation: Presentation<Child, ChildAction>,
      titleVisibility: Visibility = .automatic,
      @ViewBuilder actions: @escaping (ObservableStore<Child, ChildAction>) -> some View,
      @ViewBuilder message: @escaping (ObservableStore<Child, ChildAction>) -> some View
    ) -> some View {
      PresentedDialog(presentation) { isPresented, child in
        confirmationDialog(
          title, isPresented: isPresented, titleVisibility: titleVisibility, presenting: child, actions: actions,
          message: message)
      }
    }
  }
#endif
