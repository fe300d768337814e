// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import Observation

/// A store on the main actor whose fields can be read like properties and observed one by one.
///
/// ```swift
/// let search = ObservableStore(initialState: Search.State(), reducer: Search(find: search))
/// search.send(.queryChanged("swift"))
/// search.query                                // "swift": the send was reduced before it returned
/// ```
///
/// Reading a field inside `withObservationTracking`, or in the body of a view, tracks that field: it notifies when its
/// value has changed, and not when others have.
///
/// - Ordering: observers are notified once a turn, or once a budget's worth of work, after the state has changed. What
///   they send waits its turn.
/// - Isolation: the main actor. The store behind it may be used from anywhere, see ``store``.
/// - Lifetime: keeps its store alive.
/// - Complexity: a notification compares each field that was ever read.
@MainActor @dynamicMemberLookup
public final class ObservableStore<R: Reducer>: Observable {
  /// The store behind it: to send from other isolations, to iterate ``Store/values(_:)``.
  public let store: Store<R>
  private let fields: ObservedFields<R.State>

  /// Makes a store on the main actor.
  @inlinable
  public convenience init(
    initialState: sending R.State, reducer: sending R, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(Store(initialState: initialState, reducer: reducer, isolation: MainActor.shared, clock: clock))
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

  private func read<Value>(_ body: (R.State) -> Value) -> Value {
    // SAFETY: the closure is called once, before `assumeIsolated` returns, on this very actor; the value never leaves
    // it, which `assumeIsolated` cannot know.
    nonisolated(unsafe) var value: Value?
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
    if let field = fields[keyPath] { return field.accessed() }
    let field = Field(keyPath, value)
    fields[keyPath] = field
    field.accessed()
  }

  func update(_ state: State) {
    // Observers may read further fields while they are told.
    for field in Array(fields.values) { field.update(state) }
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
  func accessed()
  func update(_ state: State)
}

// SAFETY: see `ObservedFields`, its only owner.
private final class Field<State, Value>: ObservedField, Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  private let keyPath: KeyPath<State, Value>
  /// What was shown last.
  private(set) var value: Value

  init(_ keyPath: KeyPath<State, Value>, _ value: Value) {
    self.keyPath = keyPath
    self.value = value
  }

  func accessed() {
    registrar.access(self, keyPath: \.value)
  }

  func update(_ state: State) {
    let new = state[keyPath: keyPath]
    if let new = new as? any Equatable, isEqual(new, value) { return }
    registrar.withMutation(of: self, keyPath: \.value) { value = new }
  }

  // A value that cannot be compared counts as changed.
  private func isEqual<Known: Equatable>(_ left: Known, _ right: Value) -> Bool {
    (right as? Known) == left
  }
}
