// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  public import EffectCore
  public import SwiftUI

  /// A view that runs a feature: with a store of its own, or over state that its parent owns.
  ///
  /// ```swift
  /// struct SearchScreen: View {
  ///   @Environment(\.library) private var library                  // a dependency
  ///
  ///   var body: some View {
  ///     EffectView(initialState: Search.State()) { Search(find: library.find) } content: { SearchView(search: $0) }
  ///   }
  /// }
  ///
  /// EffectView(app.scope(\.search, action: App.search)) { SearchView(search: $0) }        // over the parent's state
  /// ```
  ///
  /// - Isolation: the main actor.
  /// - Lifetime: a store of its own belongs to the place of the view, as `@State` does. When the view around it is
  ///   evaluated again, the store stays as it is, and a new initial state or reducer is ignored; give the view another
  ///   `id(_:)` for another store. When the view is removed, its store is released, and with it all work is cancelled
  ///   (rule E7), unless other code keeps the store. A child of a parent's store stays when the view is removed, and so
  ///   does its work: both end when the reducer removes the child (rule M2).
  public struct EffectView<Content: View>: View {
    @SwiftUI.State private var owner = StoreOwner()
    private let show: @MainActor (StoreOwner) -> (content: Content, lifetime: ChildLifetime?)?

    /// Makes a view with a store of its own, which is made when the view is shown.
    ///
    /// - Parameters:
    ///   - initialState: the state before any action; evaluated once.
    ///   - clock: the clock of runs.
    ///   - reducer: makes the feature's logic; called once.
    ///   - content: what is shown.
    public init<State, Action>(
      initialState: @escaping @autoclosure @MainActor () -> State, clock: any Clock<Duration> = ContinuousClock(),
      reducer: @escaping @MainActor () -> some Reducer<State, Action>,
      @ViewBuilder content: @escaping (ObservableStore<State, Action>) -> Content
    ) {
      show = { owner in
        let store = owner.store { ObservableStore(initialState: initialState(), reducer: reducer(), clock: clock) }
        return (content(store), nil)
      }
    }

    /// Makes a view over state that its parent owns: a child of the parent's store.
    ///
    /// It shows nothing while the child does not exist. The child is found in the body of this view. So the body around it
    /// is not evaluated when the child is added or removed. If the child was removed and exists again, it is another child,
    /// and its content is made again. A child with another `id` is another child as well, if its state is `Identifiable`.
    ///
    /// - Parameters:
    ///   - child: finds the child, as `store.scope(...)` does; evaluated whenever the body is.
    ///   - content: what is shown while the child exists.
    public init<State, Action>(
      _ child: @escaping @autoclosure @MainActor () -> ObservableStore<State, Action>?,
      @ViewBuilder content: @escaping (ObservableStore<State, Action>) -> Content
    ) {
      show = { _ in child().map { (content($0), $0.node.trackedLifetime()) } }
    }

    /// The content; nothing while the child does not exist.
    public var body: some View {
      if let shown = show(owner) { shown.content.id(shown.lifetime) }
    }
  }

  /// Keeps the store of a view. It is not observed, so the body of the view may make the store.
  @MainActor
  private final class StoreOwner {
    private var made: AnyObject?

    func store<State, Action>(_ make: @MainActor () -> ObservableStore<State, Action>) -> ObservableStore<State, Action>
    {
      if let known = made as? ObservableStore<State, Action> { return known }
      let store = make()
      made = store
      return store
    }
  }
#endif
