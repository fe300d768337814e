// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Queries

extension Store {
  /// What the work of an id is doing.
  ///
  /// ```swift
  /// let search = await store.status("search")
  /// if search.isRunning { print("looking for", search.input ?? "") }
  /// ```
  ///
  /// - Ordering: as with ``state``, what was accepted before is reduced first. A status changes with the reduction that
  ///   causes it. On the store's isolation, `state` and `status` belong together if you read them without a suspension
  ///   in between, and no action is sent from elsewhere meanwhile (rule S2). A run counts as running until its end has
  ///   been taken, after the actions it sent.
  /// - Isolation: the store's. It traps where ``state`` does, for example inside `reduce`: whether work runs is not an
  ///   input of a reducer. Use the overlap there.
  /// - Complexity: O(1), plus the reductions of what waits.
  /// - Parameter id: the id, with the scopes around it: `EffectID("load").scoped(by: EffectID(row))`. An optional id means the
  ///   id in it; `nil` means no work.
  /// - Returns: the status; idle for an id that was never used.
  public func status(_ id: some Hashable & Sendable) -> EffectStatus {
    guard let id = EffectID.unwrapping(id) else { return EffectStatus() }
    drainBeforeReading()
    return presentStatus(id)
  }

  /// Whether work of an id runs.
  ///
  /// The same as `status(id).isRunning`. On the store's isolation you can use it to guard a send against other sends
  /// from that isolation. The overlap guards against sends from elsewhere:
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
  /// - Parameter id: the id, with the scopes around it: `EffectID("load").scoped(by: EffectID(row))`. An optional id means the
  ///   id in it; `nil` means no work.
  /// - Returns: `false` if its work only waits, or was cancelled.
  public func isRunning(_ id: some Hashable & Sendable) -> Bool {
    guard let id = EffectID.unwrapping(id) else { return false }
    drainBeforeReading()
    return asking { $0.isRunning(id) }
  }

  /// Whether any work runs that a cancel of the same selection would reach: several ids, a scope, a type of id, or
  /// everything.
  ///
  /// ```swift
  /// store.isRunning(.scope(row.id))
  /// store.isRunning(.all(of: DownloadID.self) { $0.host == host })
  /// ```
  ///
  /// What counts is the same for every selection, and the same as in a status (rules S1 and S3). A run counts from the
  /// reduction that starts it until its end has been taken, including waits between attempts and its `catch`, in which
  /// it holds no slot. A tree under an id counts while it holds a slot. Work that waits for its time or for a slot, or was cancelled, does not count. With a scope
  /// or `everything`, runs without an id count as well. A sequence does not count by itself, but the runs in it do.
  ///
  /// - Ordering: what was accepted before is reduced first.
  /// - Isolation: the store's. Inside `reduce` it traps.
  /// - Complexity: O(work of the selection), plus the reductions of what waits; stops at the first active run.
  /// - Parameter selection: which work, as in `.cancel`.
  /// - Returns: whether at least one run or tree of the selection runs.
  public func isRunning(_ selection: Cancellation) -> Bool {
    drainBeforeReading()
    return asking { $0.isRunning(selection) }
  }

  /// All work of the store, by id: what runs, what waits, and what was cancelled and has not returned.
  ///
  /// - Ordering: what was accepted before is reduced first.
  /// - Isolation: the store's. Inside `reduce` it traps.
  /// - Complexity: O(present work), plus the reductions of what waits; built when it is read.
  public var effects: LiveEffects { effects(.everything) }

  /// The work that a cancel of the same selection would reach, by id; see ``effects``.
  ///
  /// ```swift
  /// store.effects(.all(of: DownloadID.self)).byID.count
  /// ```
  ///
  /// - Ordering: what was accepted before is reduced first.
  /// - Isolation: the store's. Inside `reduce` it traps.
  /// - Complexity: O(work of the selection), plus the reductions of what waits.
  /// - Parameter selection: which work, as in `.cancel`.
  /// - Returns: the work of the selection, also work that was cancelled and has not returned.
  public func effects(_ selection: Cancellation) -> LiveEffects {
    drainBeforeReading()
    return asking { $0.effects(selection) }
  }

  /// Reduces what was accepted before, carries out orders that came before, and completes a turn that a slice left
  /// open. Does nothing while the store is working.
  func drainBeforeReading() {
    guard !activity.value.isDraining, phase.value == .resting else { return }
    let (actions, orders) = mailbox.fromOutside
    guard
      core.value.engine.taken < actions || core.value.ordersTaken < orders || core.value.engine.isTurnOpen
    else { return }
    drainInline(through: actions, orders: orders)
  }

  /// Queries the scheduler in its present state, without reducing what waits. Traps if the engine is calling user
  /// code.
  // With a closure: an accessor may hand out a copy of the scheduler, and the query would run after the accessor has
  // ended.
  func asking<Result>(_ question: (inout Scheduler) -> Result) -> Result {
    if phase.value == .reducing {
      fatalError(
        """
        Store: a status was read inside `reduce`; a reducer uses only the state and the action that it is given. Keep what it \
        needs in the state, or let `overlap:` decide, for example `.run(id: "load", overlap: .drop)`
        """)
    }
    if phase.value == .comparing {
      fatalError(
        """
        Store: a status was read while the store compared ids, called a condition or released an action; `==` and `hash` of an id or \
        input, the condition of a cancel or a retry, and the `deinit` of an action, effect or id must not query the store
        """)
    }
    // What is sent from a comparison waits, as it does while the store is working.
    return holdingBack { comparing(question) }
  }

  /// Calls the scheduler, which may compare ids. A query from inside the comparison traps.
  func comparing<Result>(_ body: (inout Scheduler) -> Result) -> Result {
    let former = phase.value
    phase.value = .comparing
    defer { phase.value = former }
    return body(&core.value.engine.scheduler)
  }

  /// Calls code that may run user code. What the user code sends waits until the call has returned.
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

// MARK: - Showing statuses to observers

extension Store {
  /// All work of the store; nothing that waits is reduced.
  @usableFromInline
  func presentEffects() -> LiveEffects { comparing { $0.effects(.everything) } }

  /// Shows the changed statuses to their observers, at the end of a slice. Adds new observers and shows them the
  /// present status.
  @usableFromInline
  func offerStatuses() {
    let statuses = observers.statuses
    let new = statuses.admit()
    core.value.engine.scheduler.statuses.isObserved = true
    for change in comparing({ $0.statuses.takeChanges() }) {
      let now = comparing { $0.status(of: change.id) }
      let observers = statuses.observers(of: change.id)
      if now != change.before {
        tellStatus(change.id, now)
        for observer in observers { observer.offer(change.id, before: change.before, now: now) }
      }
      // Also after a change and a change back in one slice: otherwise changes would be recorded that no code reads.
      if observers.contains(where: { !$0.isWatched }) { statuses.forgetLeft(of: change.id) }
    }
    for (id, observer) in new {
      let now = comparing { $0.status(of: id) }
      observer.offer(id, before: now, now: now)
    }
    core.value.engine.scheduler.statuses.isObserved = statuses.isActive || core.value.outlet.isOn
  }
}
