// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import Observation

/// A store on the main actor whose fields can be read like properties and observed one by one.
///
/// ```swift
/// let search = ObservableStore(initialState: Search.State(), reducer: Search(find: search))
/// search.send(.queryChanged("swift"))
/// search.query                                // "swift": the send was reduced before it returned
/// search.isRunning("search")                  // true: no `isLoading` need be stored
/// ```
///
/// Reading a field inside `withObservationTracking`, or in the body of a view, tracks that field: it notifies when its
/// value has changed, and not when others have.
///
/// - Ordering: observers are notified once a turn, or once a budget's worth of work, after the state has changed. What
///   they send waits its turn.
/// - Isolation: the main actor. The store behind it may be used from anywhere, see ``store``.
/// - Lifetime: keeps its store alive.
/// - Complexity: a turn compares each stored field that was read since it last notified. A computed property is evaluated by
///   its readers alone, and notifies whenever the state has been reduced. So does a field that holds an object, also in an
///   optional or a collection: it equals itself whatever has changed in it. Whether a child exists is compared for those who
///   track it; a lookup outside of any tracking leaves nothing behind.
@MainActor @dynamicMemberLookup
public final class ObservableStore<R: Reducer>: Observable {
  /// The store behind it: to send from other isolations, to iterate ``Store/values(_:buffering:)``, to read
  /// ``Store/effects`` (`await search.store.effects`; not tracked).
  public let store: Store<R>
  let node: ScopeNode<R.State, R.Action>
  let statuses: ObservedStatuses

  /// Makes a store on the main actor; see ``Store/init(initialState:reducer:isolation:clock:onFailure:)``.
  ///
  /// State and reducer may belong to the main actor, which they do not leave: `Reduce { state, action in ... }` can be written
  /// in a view model.
  @inlinable
  public convenience init(
    initialState: R.State, reducer: R, clock: any Clock<Duration> = ContinuousClock(),
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil
  ) {
    // SAFETY: the caller is on the main actor, and so is all that the store does with the two.
    nonisolated(unsafe) let (initialState, reducer) = (initialState, reducer)
    let store = unsafe Store(
      initialState: initialState, reducer: reducer, isolation: MainActor.shared, clock: clock, onFailure: onFailure)
    self.init(store)
  }

  /// Makes a store observable that runs on the main actor.
  ///
  /// - Precondition: the store was made with `isolation: MainActor.shared`.
  public init(_ store: Store<R>, fileID: StaticString = #fileID, line: UInt = #line) {
    guard store.runs(on: MainActor.shared) else {
      let text = "ObservableStore: the store runs on another isolation; make it with `isolation: MainActor.shared`"
      fatalError(text, file: fileID, line: line)
    }
    self.store = store
    let statuses = ObservedStatuses()
    self.statuses = statuses
    node = ScopeNode(
      visit: { Self.read(store, $0) }, send: { store.send($0) },
      request: { action, collects, settled in
        try await store.request(action, collecting: collects) { _, outcomes in try settled(outcomes) }
      },
      root: ScopeRoot(
        isRunning: { statuses.isRunning($0, in: store) }, status: { statuses.status(of: $0, in: store) },
        keepOutcomes: { store.keepOutcomes(of: $0) },
        isAtWork: { store.assumeIsolated { $0.activity.value.isDraining } }),
      position: nil, last: nil)
    store.observers.add(WeakObserver(node.fields))
  }

  /// The value of a field now.
  public subscript<Value>(dynamicMember keyPath: KeyPath<R.State, Value>) -> Value {
    node.value(keyPath)
  }

  /// Sends an action. It, all that was accepted before it, and its whole turn have been reduced when this returns; during
  /// a reduction or a notification it only waits its turn.
  @inlinable
  @discardableResult
  public func send(_ action: R.Action) -> StoreTask {
    store.send(action)
  }

  /// Sends an action, waits until everything it causes has settled, and answers with what the state is at that moment;
  /// see ``Store/request(_:_:)-(_,(R.State)->Value)``.
  public func request<Value: Sendable>(
    _ action: R.Action, _ answer: @escaping @Sendable (R.State) throws -> Value
  ) async throws -> Value {
    try await store.request(action, answer)
  }

  /// The same, and how everything ended; see ``Store/request(_:_:)-(_,(R.State,RequestOutcomes)->Value)``.
  public func request<Value: Sendable>(
    _ action: R.Action, _ answer: @escaping @Sendable (R.State, RequestOutcomes) throws -> Value
  ) async throws -> Value {
    try await store.request(action, answer)
  }

  /// Keeps how the work of some ids ends; see ``Store/keepOutcomes(of:isolation:)``. What a view reads of a status in its
  /// body is kept without this.
  public func keepOutcomes(of ids: some Sequence<some Hashable & Sendable>) -> KeptOutcomes {
    store.keepOutcomes(of: ids)
  }

  /// Brings the store to its end; see ``Store/shutdown(_:)``.
  @discardableResult
  public func shutdown(_ shutdown: Shutdown) async -> [EffectRun] {
    await store.shutdown(shutdown)
  }

  private static func read(_ store: Store<R>, _ body: (R.State) -> Void) {
    // SAFETY: called here and now, on this very actor, and not kept, which `assumeIsolated` cannot know.
    nonisolated(unsafe) let body = body
    store.assumeIsolated { store in unsafe body(store.present) }
  }
}
