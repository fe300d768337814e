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
/// Reading a field inside `withObservationTracking`, or in the body of a view, tracks this field. The reader is
/// notified when the value of this field has changed, and not when others have.
///
/// - Ordering: observers are notified once a turn, or once a budget's worth of work, after the state has changed. What
///   they send waits its turn.
/// - Isolation: the main actor. The store behind it may be used from anywhere, see ``store``.
/// - Lifetime: keeps its store alive.
/// - Complexity: a turn compares each stored field that was read since it last notified. A computed property is
///   evaluated only by its readers, and notifies whenever the state has been reduced. So does a field that holds an
///   object, also in an optional or a collection, because an object equals itself even if its content has changed.
///   Whether a child exists is compared for readers that track it; a lookup outside of any tracking leaves nothing
///   behind.
@MainActor @dynamicMemberLookup
public final class ObservableStore<R: Reducer>: Observable {
  /// The store behind this object.
  ///
  /// Use it to send from other isolations, to iterate ``Store/values(_:buffering:)``, or to read ``Store/effects``
  /// (`await search.store.effects`; not tracked).
  public let store: Store<R>
  let node: ScopeNode<R.State, R.Action>
  let statuses: ObservedStatuses

  /// Makes a store on the main actor; see ``Store/init(initialState:reducer:isolation:clock:carrying:onFailure:)``.
  ///
  /// State and reducer may belong to the main actor, because they do not leave it: in a view model you can write
  /// `Reduce { state, action in ... }`.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic.
  ///   - clock: the clock of runs: of their time, their sleeps and time modifiers.
  ///   - onFailure: called on the main actor for each ``EffectFailure``: an error that a run threw without a `catch`, or
  ///     a mistake that was found. By default these are printed to standard error in debug builds.
  ///   - carried: the task-locals that runs have as the sender of their action had them; see ``CarriedValue``.
  @inlinable
  public convenience init(
    initialState: R.State, reducer: R, clock: any Clock<Duration> = ContinuousClock(),
    carrying carried: [CarriedValue] = [], onFailure: (@Sendable (EffectFailure) -> Void)? = nil
  ) {
    // SAFETY: the caller is on the main actor, and the store uses state and reducer on the main actor only.
    nonisolated(unsafe) let (initialState, reducer) = (initialState, reducer)
    let store = unsafe Store(
      initialState: initialState, reducer: reducer, isolation: MainActor.shared, clock: clock, carrying: carried,
      onFailure: onFailure)
    self.init(store)
  }

  /// Makes an observable store of a store that runs on the main actor.
  ///
  /// - Parameters:
  ///   - store: the store to observe. It stays usable by itself, and is kept alive.
  ///   - fileID: the file that the message names, if the store runs elsewhere.
  ///   - line: the line that it names.
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
      fields: ObservedFields(isOfChild: false), visit: { Self.read(store, $0) }, send: { store.send($0) },
      request: { action, collects, settled in
        try await store.request(action, collecting: collects) { _, outcomes in try settled(outcomes) }
      },
      root: ScopeRoot(
        identity: store.mailbox.identity, isRunning: { statuses.isRunning($0, in: store) },
        status: { statuses.status(of: $0, in: store) },
        isAtWork: { store.assumeIsolated { $0.activity.value.isDraining } },
        reduced: { store.assumeIsolated { $0.core.value.engine.taken } },
        refused: { StoreTask(target: store.mailbox, number: 0) }, report: { store.onFailure($0) }),
      position: nil, last: nil)
    store.observers.add(WeakObserver(node.fields))
  }

  /// The value of a field now.
  ///
  /// - Parameter keyPath: the path from the state to the field.
  public subscript<Value>(dynamicMember keyPath: KeyPath<R.State, Value>) -> Value {
    node.value(keyPath)
  }

  /// Sends an action. It has been reduced when this returns, with its whole turn and all that was accepted before it.
  ///
  /// During a reduction or a notification the action only waits its turn. After a shutdown it is refused.
  ///
  /// - Parameter action: the action to send.
  /// - Returns: a ``StoreTask`` to wait for, or to cancel, what the action causes. You may discard it.
  @inlinable
  @discardableResult
  public func send(_ action: R.Action) -> StoreTask {
    store.send(action)
  }

  /// Sends an action, waits until everything it causes has settled, and returns a value made of the state.
  ///
  /// The value is made from the state at that moment; see ``Store/request(_:_:)-(_,(R.State)->Value)``.
  ///
  /// - Parameters:
  ///   - action: the action to send.
  ///   - answer: makes the value of the state. Called at most once, on the main actor.
  /// - Returns: what `answer` returned.
  /// - Throws: what `answer` throws; `CancellationError`; a ``RequestFailure``.
  public func request<Value: Sendable>(
    _ action: R.Action, _ answer: @escaping @Sendable (R.State) throws -> Value
  ) async throws -> Value {
    try await store.request(action, answer)
  }

  /// Sends an action and waits, as the request above, and passes the outcomes to the closure as well.
  ///
  /// See ``Store/request(_:_:)-(_,(R.State,RequestOutcomes)->Value)``.
  ///
  /// - Parameters:
  ///   - action: the action to send.
  ///   - answer: called at most once, on the main actor, with the state and the outcomes of what the action caused.
  /// - Returns: what `answer` returned.
  /// - Throws: what `answer` throws; `CancellationError`; a ``RequestFailure``.
  public func request<Value: Sendable>(
    _ action: R.Action, _ answer: @escaping @Sendable (R.State, RequestOutcomes) throws -> Value
  ) async throws -> Value {
    try await store.request(action, answer)
  }

  /// Shuts the store down; see ``Store/shutdown(_:)``.
  ///
  /// - Parameter shutdown: whether to cancel at once, or to let work end first.
  /// - Returns: the runs that had to be cancelled.
  @discardableResult
  public func shutdown(_ shutdown: Shutdown) async -> [EffectRun] {
    await store.shutdown(shutdown)
  }

  private static func read(_ store: Store<R>, _ body: (R.State) -> Void) {
    // SAFETY: the closure is called now, on this actor, and not kept. The compiler cannot see that in `assumeIsolated`.
    nonisolated(unsafe) let body = body
    store.assumeIsolated { store in unsafe body(store.present) }
  }
}
