// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import Observation

extension ObservableStore {
  /// Whether work of an id runs. Whoever reads it inside `withObservationTracking`, or in the body of a view, is notified
  /// when that changes, also when nothing else does; never because of other ids.
  ///
  /// ```swift
  /// Button("Save") { form.send(.save) }.disabled(form.isRunning("save"))
  /// ```
  ///
  /// A field of the state that is called `isRunning` too is read by `form[dynamicMember: \.isRunning]`.
  ///
  /// - Ordering: as with fields, the answer is that of the last turn or budget's worth of work, and observers see both
  ///   together (rule S2).
  /// - Complexity: O(1). While anybody reads statuses, each id whose status changes in a turn is looked up once.
  public func isRunning(_ id: EffectID) -> Bool {
    statuses.isRunning(id, in: store)
  }

  /// Whether work of an id runs; see ``isRunning(_:)-(EffectID)``. An optional id means the id in it; without one there is
  /// no work.
  public func isRunning(_ id: some Hashable & Sendable) -> Bool {
    guard let id = EffectID.unwrapping(id) else { return false }
    return isRunning(id)
  }

  /// What the work of an id is doing, tracked as ``isRunning(_:)-(EffectID)`` is: readers are notified of every change of
  /// this id's status. What is remembered is told at ``Store/status(_:)-(EffectID)``.
  public func status(_ id: EffectID) -> EffectStatus {
    statuses.status(of: id, in: store)
  }

  /// What the work of an id is doing; see ``status(_:)-(EffectID)``. An optional id means the id in it; without one there
  /// is no work.
  public func status(_ id: some Hashable & Sendable) -> EffectStatus {
    guard let id = EffectID.unwrapping(id) else { return EffectStatus() }
    return status(id)
  }
}

/// Who reads which status, as the registrar of `Observation` knows it; nothing of our own is kept for an id.
// SAFETY: `isAttached` is used on the main actor only; the registrar may be used from anywhere.
final class ObservedStatuses: Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  private var isAttached = false

  @MainActor
  func isRunning(_ id: EffectID, in store: Store<some Reducer>) -> Bool {
    attach(to: store)
    let isRunning = store.assumeIsolated { $0.asking { $0.isRunning(id) } }
    registrar.access(self, keyPath: \.[running: id])
    return isRunning
  }

  @MainActor
  func status(of id: EffectID, in store: Store<some Reducer>) -> EffectStatus {
    attach(to: store)
    let status = store.assumeIsolated { $0.presentStatus(id) }
    registrar.access(self, keyPath: \.[status: id])
    return status
  }

  /// Changes are noted from the first read on.
  @MainActor
  private func attach(to store: Store<some Reducer>) {
    guard !isAttached else { return }
    isAttached = true
    store.observers.statuses.add(WeakStatusObserver(self))
    store.assumeIsolated { $0.core.value.interpreter.isStatusObserved = true }
  }

  fileprivate func changed(_ id: EffectID, before: EffectStatus, now: EffectStatus) {
    if before.isRunning != now.isRunning { registrar.withMutation(of: self, keyPath: \.[running: id]) {} }
    registrar.withMutation(of: self, keyPath: \.[status: id]) {}
  }

  // These stand for the statuses towards the registrar.
  private subscript(running id: EffectID) -> Void { () }
  private subscript(status id: EffectID) -> Void { () }
}

/// What the store holds, so that it does not keep the readers of an `ObservableStore` that is gone.
private final class WeakStatusObserver: StatusObserver {
  private weak let statuses: ObservedStatuses?

  init(_ statuses: ObservedStatuses) {
    self.statuses = statuses
  }

  var isWatched: Bool { statuses != nil }
  func offer(_ id: EffectID, before: EffectStatus, now: EffectStatus) {
    statuses?.changed(id, before: before, now: now)
  }
  func finish() {}
}
