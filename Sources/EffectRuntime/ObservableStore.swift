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
///   its readers alone, and notifies whenever the state has been reduced.
@MainActor @dynamicMemberLookup
public final class ObservableStore<R: Reducer>: Observable {
  /// The store behind it: to send from other isolations, to iterate ``Store/values(_:)``, to read
  /// ``Store/effects`` (`await search.store.effects`; not tracked).
  public let store: Store<R>
  private let fields: ObservedFields<R.State>
  let statuses = ObservedStatuses()

  /// Makes a store on the main actor; see ``Store/init(initialState:reducer:isolation:clock:onFailure:)``.
  @inlinable
  public convenience init(
    initialState: sending R.State, reducer: sending R, clock: any Clock<Duration> = ContinuousClock(),
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil
  ) {
    self.init(
      Store(
        initialState: initialState, reducer: reducer, isolation: MainActor.shared, clock: clock, onFailure: onFailure))
  }

  /// Makes a store observable that runs on the main actor.
  ///
  /// - Precondition: the store was made with `isolation: MainActor.shared`.
  public init(_ store: Store<R>) {
    guard store.runs(on: MainActor.shared) else {
      fatalError("ObservableStore: the store runs on another isolation; make it with `isolation: MainActor.shared`")
    }
    self.store = store
    fields = ObservedFields()
    store.observers.add(WeakObserver(fields))
  }

  /// The value of a field now.
  public subscript<Value>(dynamicMember keyPath: KeyPath<R.State, Value>) -> Value {
    let value = read { $0[keyPath: keyPath] }
    fields.accessed(keyPath, value)
    return value
  }

  /// Sends an action. It, all that was accepted before it, and its whole turn have been reduced when this returns; during
  /// a reduction or a notification it only waits its turn.
  @inlinable
  @discardableResult
  public func send(_ action: R.Action) -> Dispatch {
    store.send(action)
  }

  /// Sends an action, waits until everything it causes has settled, and answers with what the state is at that moment;
  /// see ``Store/request(_:_:)``.
  public func request<Value: Sendable>(
    _ action: R.Action, _ answer: @escaping @Sendable (R.State) throws -> Value
  ) async throws -> Value {
    try await store.request(action, answer)
  }

  /// Brings the store to its end; see ``Store/shutdown(_:)``.
  @discardableResult
  public func shutdown(_ shutdown: Shutdown) async -> [EffectRun] {
    await store.shutdown(shutdown)
  }

  private func read<Value>(_ body: (R.State) -> Value) -> Value {
    // SAFETY: the closure is called once, before `assumeIsolated` returns, on this very actor; the value never leaves
    // it, which `assumeIsolated` cannot know.
    nonisolated(unsafe) var value: Value?
    // SAFETY: as above; it is called here and now, and not kept.
    nonisolated(unsafe) let body = body
    store.assumeIsolated { store in unsafe value = unsafe body(store.present) }
    guard let value = unsafe value else {
      fatalError("ObservableStore: nothing was read; bug in EffectRuntime, please report")
    }
    return value
  }
}

/// The fields that were read, each with its own registrar: whoever read one is told of that one only.
// SAFETY: used on the main actor only: by `ObservableStore`, which is isolated to it, and by the store it observes,
// which runs on it.
private final class ObservedFields<State>: @unchecked Sendable {
  private var fields: [AnyKeyPath: any ObservedField<State>] = [:]

  func accessed<Value>(_ keyPath: KeyPath<State, Value>, _ value: Value) {
    guard let known = fields[keyPath] as? Field<State, Value> else {
      let field = Field(keyPath, value)
      fields[keyPath] = field
      return field.accessed(value)
    }
    known.accessed(value)
  }

  func update(_ state: State) {
    // Observers may read further fields while they are told. One that has told everybody is forgotten: tracking is for one
    // change, and the next read begins anew. So only what somebody still shows is compared.
    for (keyPath, field) in Array(fields) where field.hasChanged(state) {
      fields[keyPath] = nil
      field.notify()
    }
  }
}

/// What the store holds, so that it does not keep the fields of an `ObservableStore` that is gone.
private final class WeakObserver<State>: StateObserver {
  private weak let fields: ObservedFields<State>?

  init(_ fields: ObservedFields<State>) {
    self.fields = fields
  }

  var isWatched: Bool { fields != nil }

  func offer(_ state: State) -> Bool {
    guard let fields else { return false }
    fields.update(state)
    return true
  }

  func finish() {}
}

private protocol ObservedField<State>: AnyObject {
  associatedtype State
  func hasChanged(_ state: State) -> Bool
  func notify()
}

// SAFETY: see `ObservedFields`, its only owner.
private final class Field<State, Value>: ObservedField, Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  private let keyPath: KeyPath<State, Value>
  /// Whether the value can be looked at whatever the state. A computed one may only make sense in the state it was read
  /// in (`rows[selected!]`), so nobody evaluates it but its readers, and any change of the state counts as its own.
  private let isStored: Bool
  private let value: Value
  /// Somebody was shown another value than the first reader; one of the two must be told in any case.
  private var wasShownAnother = false

  init(_ keyPath: KeyPath<State, Value>, _ value: Value) {
    self.keyPath = keyPath
    self.value = value
    isStored = MemoryLayout<State>.offset(of: keyPath) != nil
  }

  func accessed(_ shown: Value) {
    if isStored, !isSame(shown) { wasShownAnother = true }
    registrar.access(self, keyPath: \.shown)
  }

  func hasChanged(_ state: State) -> Bool {
    !isStored || wasShownAnother || !isSame(state[keyPath: keyPath])
  }

  func notify() {
    registrar.withMutation(of: self, keyPath: \.shown) {}
  }

  /// Stands for the value towards the registrar.
  private var shown: Void { () }

  // A value that cannot be compared counts as changed.
  private func isSame(_ other: Value) -> Bool {
    guard let other = other as? any Equatable else { return false }
    return isEqual(other, value)
  }

  private func isEqual<Known: Equatable>(_ left: Known, _ right: Value) -> Bool {
    (right as? Known) == left
  }
}
