// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Observation

extension ObservableStore {
  /// Whether work of an id runs.
  ///
  /// A reader inside `withObservationTracking`, or in the body of a view, is notified when that changes, also when
  /// nothing else changes. It is not notified because of other ids.
  ///
  /// ```swift
  /// Button("Save") { form.send(.save) }.disabled(form.isRunning("save"))
  /// ```
  ///
  /// To read a field of the state that is also called `isRunning`, use `form[\.isRunning]`.
  ///
  /// - Parameter id: the id as the reducer of this feature writes it: for a child without the scopes around the child. For
  ///   work in a scope below, `EffectID("load").scoped(by: EffectID(row))`. An optional id means the id in it; `nil` means
  ///   no work.
  /// - Returns: `false` if its work only waits, or was cancelled.
  /// - Ordering: as with fields, the value is that of the last turn or budget's worth of work, and observers see both
  ///   together (rule S2).
  /// - Complexity: O(1). From the first reading of any status on, each id whose status changes in a turn is looked up
  ///   once.
  public func isRunning(_ id: some Hashable & Sendable) -> Bool {
    guard let id = EffectID.unwrapping(id) else { return false }
    return node.root.isRunning(node.name(id))
  }

  /// What the work of an id is doing. Readers are notified of every change of this id's status.
  ///
  /// It is tracked as ``isRunning(_:)`` is.
  ///
  /// - Parameter id: the id, as for ``isRunning(_:)``.
  /// - Returns: the status; idle for an id that was never used.
  public func status(_ id: some Hashable & Sendable) -> EffectStatus {
    guard let id = EffectID.unwrapping(id) else { return EffectStatus() }
    return node.root.status(node.name(id))
  }
}

/// The statuses that are read, as observable properties for the registrar of `Observation`.
// SAFETY: the flag is used on the main actor only. The registrar may be used from any thread.
final class ObservedStatuses: Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  private var isAttached = false

  @MainActor
  func isRunning(_ id: EffectID, in store: Store<some Reducer>) -> Bool {
    attach(to: store)
    registrar.access(self, keyPath: \.[running: id])
    return store.assumeIsolated { $0.asking { $0.isRunning(id) } }
  }

  @MainActor
  func status(of id: EffectID, in store: Store<some Reducer>) -> EffectStatus {
    attach(to: store)
    registrar.access(self, keyPath: \.[status: id])
    return store.assumeIsolated { $0.presentStatus(id) }
  }

  /// Changes are noted from the first read on.
  @MainActor
  private func attach(to store: Store<some Reducer>) {
    guard !isAttached else { return }
    isAttached = true
    store.observers.statuses.add(WeakStatusObserver(self))
    store.assumeIsolated { $0.core.value.engine.scheduler.statuses.isObserved = true }
  }

  /// The status of an id has changed: its readers are notified.
  fileprivate func changed(_ id: EffectID, before: EffectStatus, now: EffectStatus) {
    if before.isRunning != now.isRunning { registrar.withMutation(of: self, keyPath: \.[running: id]) {} }
    registrar.withMutation(of: self, keyPath: \.[status: id]) {}
  }

  // These represent the statuses for the registrar.
  private subscript(running id: EffectID) -> Void { () }
  private subscript(status id: EffectID) -> Void { () }
}

/// The observer that the store holds. Its reference is weak, so that the store does not keep the statuses of an
/// `ObservableStore` that has been released.
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
