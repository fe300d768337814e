// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Asking

extension Store {
  /// What the work of an id is doing.
  ///
  /// ```swift
  /// let outcomes = store.keepOutcomes(of: ["search"])         // only if you want to know how it ended
  /// await store.send(.queryChanged("swift")).finish()
  /// if case .ended(.failed) = await store.status("search").lastOutcome { ... }
  /// ```
  ///
  /// - Ordering: as with ``state``, what was accepted before is reduced first. A status changes with the reduction that
  ///   causes it: on the store's isolation, what `state` and `status` answer without a suspension in between belongs
  ///   together, if nobody sends from elsewhere meanwhile (rule S2). A run counts as running until its end has been
  ///   taken, behind the actions it sent.
  /// - Isolation: the store's. Inside `reduce` it traps, as ``state`` does: whether work runs is no input of a reducer;
  ///   there, let the overlap decide.
  /// - Complexity: O(1), plus the reductions of what waits. A query changes nothing: ``EffectStatus/lastOutcome`` is
  ///   ``EffectStatus/LastOutcome/notKept`` unless ``keepOutcomes(of:isolation:)`` or an observer of the id keeps it.
  public func status(_ id: EffectID) -> EffectStatus {
    drainBeforeReading()
    return presentStatus(id)
  }

  /// What the work of an id is doing; see ``status(_:)-(EffectID)``. An optional id means the id in it; without one there
  /// is no work.
  public func status(_ id: some Hashable & Sendable) -> EffectStatus {
    guard let id = EffectID.unwrapping(id) else { return EffectStatus() }
    return status(id)
  }

  /// Whether work of an id runs.
  ///
  /// The same as `status(id).isRunning`. On the store's isolation it guards a send against others from there; against those
  /// from elsewhere the overlap does:
  ///
  /// ```swift
  /// let isSaving = await store.isRunning("save")
  /// // In a view, where `observable` is an ObservableStore; a reducer says `overlap: .drop`:
  /// if !observable.isRunning("save") { observable.send(.save) }
  /// ```
  ///
  /// - Ordering: what was accepted before is reduced first.
  /// - Isolation: the store's. Inside `reduce` it traps.
  /// - Complexity: O(1), plus the reductions of what waits.
  public func isRunning(_ id: EffectID) -> Bool {
    drainBeforeReading()
    return asking { $0.isRunning(id) }
  }

  /// Whether work of an id runs; see ``isRunning(_:)-(EffectID)``. An optional id means the id in it; without one there is
  /// no work.
  public func isRunning(_ id: some Hashable & Sendable) -> Bool {
    guard let id = EffectID.unwrapping(id) else { return false }
    return isRunning(id)
  }

  /// Whether any work runs that a cancel of the same would reach: of several ids, of a scope, of a type of id, any at all.
  ///
  /// ```swift
  /// store.isRunning(.scope(row.id))
  /// store.isRunning(.all(of: DownloadID.self) { $0.host == host })
  /// ```
  ///
  /// What counts is the same for every selection, and the same as in a status (rules S1 and S3): a run from the reduction
  /// that starts it until its end has been taken, waits between attempts included; a tree under an id while it has a slot.
  /// What waits for its time or for a slot, or was cancelled, does not run. By scope and `everything`, runs without an id
  /// count as well; a sequence does not count by itself, but the runs in it do.
  ///
  /// - Ordering: what was accepted before is reduced first.
  /// - Isolation: the store's. Inside `reduce` it traps.
  /// - Complexity: O(work of the selection), plus the reductions of what waits; stops at the first that runs.
  public func isRunning(_ selection: Cancellation) -> Bool {
    drainBeforeReading()
    return asking { $0.isRunning(selection) }
  }

  /// All work there is, by id: what runs, what waits, and what was cancelled and has not returned.
  ///
  /// - Ordering: what was accepted before is reduced first.
  /// - Isolation: the store's. Inside `reduce` it traps.
  /// - Complexity: O(live work), plus the reductions of what waits; built when it is asked for.
  public var effects: LiveEffects { effects(.everything) }

  /// The work that a cancel of the same would reach, by id; see ``effects``.
  ///
  /// ```swift
  /// store.effects(.all(of: DownloadID.self)).byID.count
  /// ```
  public func effects(_ selection: Cancellation) -> LiveEffects {
    drainBeforeReading()
    return asking { $0.effects(selection) }
  }

  /// Reduces what was accepted before, cancels what was cancelled before, and completes a turn that a slice left open.
  func drainBeforeReading() {
    guard !activity.value.isDraining, phase.value == .resting else { return }
    let (actions, orders) = mailbox.fromOutside
    guard
      core.value.engine.taken < actions || core.value.ordersTaken < orders || core.value.engine.interpreter.isTurnOpen
    else { return }
    drainInline(through: actions, orders: orders)
  }

  /// Asks the interpreter as it stands, whatever waits.
  // With a closure: of what is read by an accessor, a copy may be asked, when the accessor has ended.
  func asking<Result>(_ question: (inout Interpreter<R.Action>) -> Result) -> Result {
    if phase.value == .reducing {
      fatalError("Store: a status was read inside `reduce`; what runs is no input of a reducer, its overlap decides")
    }
    if phase.value == .comparing {
      fatalError(
        """
        Store: a status was read while the store compared ids, called a condition or released an action; `==` and `hash` of an id or \
        input, the condition of a cancel or a retry, and the `deinit` of an action, effect or id must not query the store
        """)
    }
    // What is sent from a comparison waits, as it does while the store is at work.
    return holdingBack { comparing(question) }
  }

  /// Lets the interpreter compare ids: a query from in there is refused.
  func comparing<Result>(_ body: (inout Interpreter<R.Action>) -> Result) -> Result {
    let former = phase.value
    phase.value = .comparing
    defer { phase.value = former }
    return body(&core.value.engine.interpreter)
  }

  /// Lets user code do what it likes where the store is at rest: what it sends waits until that is over.
  @usableFromInline
  func holdingBack<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let wasDraining = activity.value.isDraining
    activity.value.isDraining = true
    defer {
      activity.value.isDraining = wasDraining
      if !wasDraining, activity.value.isSliceOwed {
        activity.value.isSliceOwed = false
        scheduleDrain()
      }
    }
    return try body()
  }

  /// The status now; nothing that waits is reduced.
  func presentStatus(_ id: EffectID) -> EffectStatus { asking { $0.status(of: id) } }
}

// MARK: - Observing

extension Store {
  /// The statuses of an id: the present one, then each newest one that differs, also when nothing but the status changed.
  ///
  /// ```swift
  /// for await save in store.statuses(of: "save") { print(save.isRunning, save.lastOutcome) }
  /// ```
  ///
  /// While an iteration exists, it keeps the outcomes of the id, as ``keepOutcomes(of:isolation:)`` does.
  ///
  /// - Ordering: a status is shown together with the state, when the store has finished a turn or a budget's worth of work;
  ///   a slow iteration skips to the newest, so a run that starts and ends meanwhile may never be seen running.
  /// - Cancellation: ends with the iterating task, behind the last status when the store has been shut down, or with the
  ///   store, which it does not keep alive. One that is begun after that yields nothing.
  /// - Isolation: usable from anywhere.
  /// - Complexity: while somebody iterates, each change of a status is noted in O(1); those of other ids reach nobody.
  public nonisolated func statuses(of id: EffectID) -> StateValues<EffectStatus> {
    StateValues { [observers, mailbox] in
      let channel = ValueChannel<EffectStatus>()
      observers.statuses.add(ChannelObserver(channel), of: id)
      mailbox.post(.observe)
      return channel
    }
  }

  /// The statuses of an id; see ``statuses(of:)-(EffectID)``. An optional id means the id in it; without one the status is
  /// idle and stays so.
  public nonisolated func statuses(of id: some Hashable & Sendable) -> StateValues<EffectStatus> {
    guard let id = EffectID.unwrapping(id) else { return statuses(of: EffectID(Nobody())) }
    return statuses(of: id)
  }

  /// All work there is, whatever waits.
  @usableFromInline
  func presentEffects() -> LiveEffects { comparing { $0.effects(.everything) } }

  /// Shows what has changed, when a slice of work is done.
  @usableFromInline
  func offerStatuses() {
    let statuses = observers.statuses
    let (new, observed, left) = statuses.admit()
    if !observed.isEmpty { handle(.keepOutcomes(observed)) }
    if !left.isEmpty { handle(.releaseOutcomes(left)) }
    core.value.engine.interpreter.isStatusObserved = true
    for change in comparing({ $0.takeStatusChanges() }) {
      let now = comparing { $0.status(of: change.id) }
      guard now != change.before else { continue }
      tellStatus(change.id, now)
      let observers = statuses.observers(of: change.id)
      for observer in observers { observer.offer(change.id, before: change.before, now: now) }
      if observers.contains(where: { !$0.isWatched }) { forgetObservers(of: change.id) }
    }
    for (id, observer) in new {
      let now = comparing { $0.status(of: id) }
      observer.offer(id, before: now, now: now)
    }
    core.value.engine.interpreter.isStatusObserved = statuses.isActive || core.value.outlet.isOn
  }

  private func forgetObservers(of id: EffectID) {
    if observers.statuses.forgetLeft(of: id) { handle(.releaseOutcomes([id])) }
  }
}

/// An id that is nobody's.
private struct Nobody: Hashable {}

private final class ChannelObserver: StatusObserver {
  private let channel: ValueChannel<EffectStatus>

  init(_ channel: ValueChannel<EffectStatus>) {
    self.channel = channel
  }

  var isWatched: Bool { channel.isWatched }
  func offer(_ id: EffectID, before: EffectStatus, now: EffectStatus) { _ = channel.offer(now) }
  func finish() { channel.end() }
}
