// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
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
  /// - Parameter id: the id, with the scopes around it: `EffectID("load").scoped(by: EffectID(row))`.
  /// - Returns: `false` if its work only waits, or was cancelled.
  /// - Ordering: as with fields, the value is that of the last turn or budget's worth of work, and observers see both
  ///   together (rule S2).
  /// - Complexity: O(1). From the first reading of any status on, each id whose status changes in a turn is looked up
  ///   once.
  public func isRunning(_ id: EffectID) -> Bool {
    statuses.isRunning(id, in: store)
  }

  /// Whether work of an id runs; see ``isRunning(_:)-(EffectID)``. An optional id means the id in it; `nil` means no
  /// work.
  ///
  /// - Parameter id: the id, if it lies in no scope.
  /// - Returns: `false` if its work only waits, or was cancelled.
  public func isRunning(_ id: some Hashable & Sendable) -> Bool {
    guard let id = EffectID.unwrapping(id) else { return false }
    return isRunning(id)
  }

  /// What the work of an id is doing. Readers are notified of every change of this id's status.
  ///
  /// It is tracked as ``isRunning(_:)-(EffectID)`` is. Reading inside `withObservationTracking`, or in the body of a view,
  /// keeps the outcomes of the id as long as the status is tracked. After a notification they are kept until the status
  /// is read again, or changes once more; of more than 1,024 such ids, those that notified first may be dropped earlier.
  /// Reading elsewhere keeps nothing: see ``keepOutcomes(of:)``.
  ///
  /// - Parameter id: the id, with the scopes around it.
  /// - Returns: the status; idle for an id that was never used.
  public func status(_ id: EffectID) -> EffectStatus {
    statuses.status(of: id, in: store)
  }

  /// What the work of an id is doing; see ``status(_:)-(EffectID)``. An optional id means the id in it; `nil` means no
  /// work.
  ///
  /// - Parameter id: the id, if it lies in no scope.
  /// - Returns: the status; idle for an id that was never used.
  public func status(_ id: some Hashable & Sendable) -> EffectStatus {
    guard let id = EffectID.unwrapping(id) else { return EffectStatus() }
    return status(id)
  }
}

/// The statuses that are read, as observable properties for the registrar of `Observation`. Keeps the outcomes of those
/// that are tracked.
// SAFETY: the properties are used on the main actor only, where the store reduces, or when the object is released. The
// registrar may be used from any thread.
final class ObservedStatuses: Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  private var isAttached = false
  /// The reader of each id that is tracked, or was notified and has not read again. Weak: see ``Reader``.
  private var readers: [EffectID: WeakReader] = [:]
  private var readersWhenSwept = 0
  /// The readers that were notified and have not read again, in two generations: the newest, and those before. When the
  /// newest are more than `notifiedLimit`, those before are released, because their ids may never be read again.
  private var notified: [EffectID: Reader] = [:]
  private var notifiedBefore: [EffectID: Reader] = [:]
  private static let notifiedLimit = 1_024

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
    var status = store.assumeIsolated { $0.presentStatus(id) }
    guard let reader = track(id) else { return status }
    if reader.outcomes == nil { reader.outcomes = store.keepOutcomes(ofTracked: id) }
    readers[id] = WeakReader(reader)
    (notified[id], notifiedBefore[id]) = (nil, nil)
    if status.lastOutcome == .notKept { status.lastOutcome = .noneYet }
    return status
  }

  /// Registers that a status is read; returns `nil` if the reading is not tracked.
  ///
  /// Tracking keeps the key path, and the key path keeps the objects with which it was made. So if the probe has been
  /// released afterwards, the reading is not tracked.
  private func track(_ id: EffectID) -> Reader? {
    weak var probe: Probe?
    let reader = readers[id]?.reader ?? Reader()
    do {
      let used = Probe()
      probe = used
      registrar.access(self, keyPath: \.[status: TrackedID(id: id, reader: reader, probe: used)])
    }
    return probe == nil ? nil : reader
  }

  /// Changes are noted from the first read on.
  @MainActor
  private func attach(to store: Store<some Reducer>) {
    guard !isAttached else { return }
    isAttached = true
    store.observers.statuses.add(WeakStatusObserver(self))
    store.assumeIsolated { $0.core.value.engine.interpreter.isStatusObserved = true }
  }

  /// The status of an id has changed: its readers are notified.
  fileprivate func changed(_ id: EffectID, before: EffectStatus, now: EffectStatus) {
    holdReader(of: id)
    if before.isRunning != now.isRunning { registrar.withMutation(of: self, keyPath: \.[running: id]) {} }
    registrar.withMutation(of: self, keyPath: \.[status: TrackedID(id: id, reader: nil, probe: nil)]) {}
  }

  /// A reader is about to be notified. After that it is not tracked any more, and usually reads again later. Until then,
  /// or until the next change, the outcome is kept.
  private func holdReader(of id: EffectID) {
    guard let reader = readers[id]?.reader else { return }
    let former = (notified.removeValue(forKey: id), notifiedBefore.removeValue(forKey: id))
    if former.0 == nil, former.1 == nil {
      notified[id] = reader
      if notified.count > Self.notifiedLimit { (notifiedBefore, notified) = (notified, [:]) }
    }
    if readers.count > 2 * readersWhenSwept + 32 {
      readers = readers.filter { $0.value.reader != nil }
      readersWhenSwept = readers.count
    }
  }

  // These represent the statuses for the registrar.
  private subscript(running id: EffectID) -> Void { () }
  private subscript(status id: TrackedID) -> Void { () }
}

/// Keeps the outcomes of an id while the key path of its status is tracked, because the key path keeps this object.
// SAFETY: used on the main actor only; released anywhere.
private final class Reader: @unchecked Sendable {
  var outcomes: KeptOutcomes?
}

private struct WeakReader {
  private(set) weak var reader: Reader?
  init(_ reader: Reader) { self.reader = reader }
}

/// Its release shows that a key path is not kept.
private final class Probe: Sendable {}

/// An id in a key path, with the objects that are kept as long as the key path is.
private struct TrackedID: Hashable {
  let id: EffectID
  let reader: Reader?
  let probe: Probe?

  static func == (left: TrackedID, right: TrackedID) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Store {
  /// Keeps the outcomes of an id from this moment on.
  @MainActor
  fileprivate func keepOutcomes(ofTracked id: EffectID) -> KeptOutcomes {
    assumeIsolated { $0.asking { $0.keepOutcomes(of: id) } }
    return KeptOutcomes { [mailbox] in mailbox.postOrder(.releaseOutcomes([id])) }
  }
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
