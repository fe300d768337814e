// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import Observation

/// A feature on the main actor: a store, or a child in it. Its fields are read like properties and observed one by one.
///
/// ```swift
/// let app = ObservableStore(initialState: App.State(), reducer: App(find: find))
/// app.send(.queryChanged("swift"))
/// app.query                                                 // "swift": the send was reduced before it returned
/// app.isRunning("search")                                   // true: no `isLoading` need be stored
/// let sheet = app.scope(\.sheet, action: App.sheet)         // the same type, for a child; nil without a sheet
/// sheet?.isRunning("save")                                  // only the "save" of the sheet
/// ```
///
/// Reading a field inside `withObservationTracking`, or in the body of a view, tracks this field. The reader is
/// notified when the value of this field has changed, and not when others have.
///
/// For what only a ``Store`` can do, such as ``Store/values(_:buffering:)`` and ``Store/printChanges(of:ids:to:where:)``,
/// make the store first, with `isolation: MainActor.shared`, and then ``init(_:fileID:line:)``.
///
/// ## Stores of children
///
/// While you keep the store of a child, a call of `scope` with the same arguments returns the same object. So SwiftUI need
/// not evaluate a view again that is given this object again. Keep case paths in `static let`: a path that is made for each
/// call is a different argument, and gives a different store. A store of a child that was released, and that no reader
/// tracks, costs nothing any more. A reader that does not keep the store is notified in the same way.
///
/// When the child is removed, its store shows the last value of each stored field that was read through it or through
/// another store of the same child. For all other fields it shows the values from when the first of these stores was made,
/// or from a later action that was sent through them. So a view can fade out. It notifies once when the child is removed,
/// and then not until the child is back. What is sent to a child that does not exist is reduced by no child (rule M3).
///
/// - Ordering: observers are notified once a turn, or once a budget's worth of work, after the state has changed. State
///   and statuses change together. What observers send waits its turn.
/// - Isolation: the main actor. The store behind it may be used from anywhere.
/// - Lifetime: keeps the whole store alive.
/// - Complexity: a turn compares each stored field that was read since it last notified. A computed property is
///   evaluated only by its readers, and notifies whenever the state has been reduced. So does a field that holds an
///   object, also in an optional or a collection, because an object equals itself even if its content has changed.
///   Whether a child exists is compared for readers that track it; a lookup outside of any tracking leaves nothing
///   behind.
///
///   A turn finds each child with tracked fields once: O(1) for a key path or a row of a dictionary, O(rows) for a row of
///   an array. For a child that may be removed, it also compares the fields that were read before and have notified. Such
///   a child is copied, so that it can be shown after its removal: when the first of its stores is made, and after the
///   first, second, fourth, eighth (and so on) action sent through them. The next change of a collection in it then copies
///   that collection. A child that always exists is not copied.
@MainActor @dynamicMemberLookup
public final class ObservableStore<State, Action: Sendable>: Observable {
  let node: ScopeNode<State, Action>

  init(_ node: ScopeNode<State, Action>) {
    self.node = node
  }

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
  public convenience init<R: Reducer<State, Action>>(
    initialState: State, reducer: R, clock: any Clock<Duration> = ContinuousClock(),
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
  ///   - store: the store to observe. It stays usable by itself, and is kept alive. Use it to send from other isolations,
  ///     to iterate ``Store/values(_:buffering:)``, or to read ``Store/effects``.
  ///   - fileID: the file that the message names, if the store runs elsewhere.
  ///   - line: the line that it names.
  /// - Precondition: the store was made with `isolation: MainActor.shared`.
  @inlinable
  public convenience init(
    _ store: Store<some Reducer<State, Action>>, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    // The closure is compiled where the reducer is known (decision 0004): an action that is sent takes a tenth of the time.
    self.init(store, send: { store.send($0) }, fileID, line)
  }

  /// The same, with the closure that sends.
  @usableFromInline
  convenience init(
    _ store: Store<some Reducer<State, Action>>, send: @escaping @MainActor (Action) -> StoreTask,
    _ fileID: StaticString, _ line: UInt
  ) {
    guard store.runs(on: MainActor.shared) else {
      let text = "ObservableStore: the store runs on another isolation; make it with `isolation: MainActor.shared`"
      fatalError(text, file: fileID, line: line)
    }
    self.init(ScopeNode(root: store, send: send))
  }

  /// The value of a field now; the last one, if this is a child that was removed.
  ///
  /// - Parameter keyPath: the path from the state to the field.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    node.value(keyPath)
  }

  /// Sends an action. It has been reduced when this returns, with its whole turn and all that was accepted before it.
  ///
  /// During a reduction or a notification the action only waits its turn. After a shutdown it is refused.
  ///
  /// - Parameter action: the action to send; that of a child without the case of the parent's action around it.
  /// - Returns: a ``StoreTask`` to wait for, or to cancel, what the action causes. You may discard it.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    node.root.asked.answer { node.sendOwn(action) }
  }

  /// Sends an action, waits until everything it causes has settled, and returns a value made of the state.
  ///
  /// The value is made from the state at that moment; see ``Store/request(_:_:)-(_,(R.State)->Value)``.
  ///
  /// - Parameters:
  ///   - action: the action to send.
  ///   - answer: makes the value of the state. Called at most once, on the main actor. Not called if the request throws
  ///     before.
  /// - Returns: what `answer` returned.
  /// - Throws: what `answer` throws; `CancellationError`; a ``RequestFailure``: `missingChild` if this is a child that does
  ///   not exist when everything has settled. If it did not exist at the beginning, no child reduces its action, which
  ///   is reported as well (rule M3).
  public func request<Value: Sendable>(
    _ action: Action, _ answer: @escaping @Sendable (State) throws -> Value
  ) async throws -> Value {
    try await node.requestOwn(action, collects: false) { state, _ in try answer(state) }
  }

  /// Sends an action and waits, as the request above, and passes the outcomes to the closure as well.
  ///
  /// These are the outcomes of all work that the action caused, for a child also of work outside of it; see
  /// ``Store/request(_:_:)-(_,(R.State,RequestOutcomes)->Value)``.
  ///
  /// - Parameters:
  ///   - action: the action to send.
  ///   - answer: called at most once, on the main actor, with the state and the outcomes. Not called if the request
  ///     throws before.
  /// - Returns: what `answer` returned.
  /// - Throws: as the request without outcomes.
  public func request<Value: Sendable>(
    _ action: Action, _ answer: @escaping @Sendable (State, RequestOutcomes) throws -> Value
  ) async throws -> Value {
    try await node.requestOwn(action, collects: true, answer)
  }

  /// Shuts the whole store down, also if this is a child in it; see ``Store/shutdown(_:)``.
  ///
  /// - Parameter shutdown: whether to cancel at once, or to let work end first.
  /// - Returns: the runs that had to be cancelled.
  @discardableResult
  public func shutdown(_ shutdown: Shutdown) async -> [EffectRun] {
    await node.root.shutdown(shutdown)
  }
}

extension ScopeNode {
  /// The whole of a store that runs on the main actor.
  convenience init<R: Reducer<State, Action>>(
    root store: Store<R>, send: @escaping @MainActor (Action) -> StoreTask
  ) {
    let statuses = ObservedStatuses()
    self.init(
      fields: ObservedFields(isOfChild: false), visit: { Self.read(store, $0) }, send: send,
      request: { action, collects, settled in
        try await store.request(action, collecting: collects) { _, outcomes in try settled(outcomes) }
      },
      root: ScopeRoot(
        identity: store.mailbox.identity, watchedRows: store.observers.watchedRows,
        isRunning: { statuses.isRunning($0, in: store) },
        status: { statuses.status(of: $0, in: store) },
        isAtWork: { store.assumeIsolated { $0.activity.value.isDraining } },
        reduced: { store.assumeIsolated { $0.core.value.engine.taken } },
        refused: { StoreTask(target: store.mailbox, number: 0) }, report: { store.onFailure($0) },
        shutdown: { await store.shutdown($0) }),
      position: nil, last: nil)
    store.observers.add(WeakObserver(fields))
  }

  private static func read<R: Reducer<State, Action>>(_ store: Store<R>, _ body: (State) -> Void) {
    // SAFETY: the closure is called now, on this actor, and not kept. The compiler cannot see that in `assumeIsolated`.
    nonisolated(unsafe) let body = body
    store.assumeIsolated { store in unsafe body(store.present) }
  }
}
