// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  public import EffectCore
  public import SwiftUI

  /// A view that owns the store of a feature: makes it once, when the view appears in its place, and releases it with the
  /// view.
  ///
  /// ```swift
  /// struct SearchScreen: View {
  ///   @Environment(\.library) private var library                  // a dependency
  ///
  ///   var body: some View {
  ///     EffectView(initialState: Search.State()) { Search(find: library.find) } content: { SearchView(search: $0) }
  ///   }
  /// }
  /// ```
  ///
  /// For a child, pass its ``ChildStore`` to its view instead: the state belongs to the parent.
  ///
  /// - Isolation: the main actor.
  /// - Lifetime: belongs to the place of the view, as `@State` does. When the view around it is evaluated again, the store
  ///   stays as it is, and a new initial state or reducer is ignored; give the view another `id(_:)` for another store.
  ///   When the view is removed, its store is released, and with it all work is cancelled (rule E7), unless other code
  ///   keeps the store.
  public struct EffectView<R: Reducer, Content: View>: View {
    @SwiftUI.State private var owner = StoreOwner<R>()
    private let make: @MainActor () -> ObservableStore<R>
    private let content: (ObservableStore<R>) -> Content

    /// Makes the view; its store is made when it is shown.
    ///
    /// - Parameters:
    ///   - initialState: the state before any action; evaluated once.
    ///   - clock: the clock of runs.
    ///   - reducer: makes the feature's logic; called once.
    ///   - content: what is shown.
    public init(
      initialState: @escaping @autoclosure @MainActor () -> R.State, clock: any Clock<Duration> = ContinuousClock(),
      reducer: @escaping @MainActor () -> R, @ViewBuilder content: @escaping (ObservableStore<R>) -> Content
    ) {
      make = { ObservableStore(initialState: initialState(), reducer: reducer(), clock: clock) }
      self.content = content
    }

    /// What is shown now.
    public var body: some View { content(owner.store(make)) }
  }

  /// Keeps the store of a view. It is not observed, so a body may make the store.
  @MainActor
  private final class StoreOwner<R: Reducer> {
    private var made: ObservableStore<R>?

    func store(_ make: @MainActor () -> ObservableStore<R>) -> ObservableStore<R> {
      let store = made ?? make()
      made = store
      return store
    }
  }
#endif
