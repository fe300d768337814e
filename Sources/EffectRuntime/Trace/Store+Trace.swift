// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Store {
  /// What happens in the store, for those who listen; see ``Trace``.
  public nonisolated var trace: Trace<R.Action> { Trace(hub: hub) }

  /// Somebody has come to listen or has left.
  @usableFromInline
  func refreshListeners() {
    let former = core.value.outlet.listeners
    core.value.outlet.version = hub.version
    listen(with: hub.listeners)
    // Let go of last: the release of what a listener holds may run user code.
    withExtendedLifetime(former) {}
  }

  /// As ``refreshListeners()``, at once, even while listeners are being told something: none of them is let go of.
  @usableFromInline
  func admitListeners() {
    let present = core.value.outlet.listeners
    listen(with: present + hub.listeners.filter { new in !present.contains { $0 === new } })
  }

  private func listen(with listeners: [TraceListener<R.Action>]) {
    let isTimed = listeners.contains(where: \.isTimed)
    if isTimed != core.value.outlet.isTimed { core.value.outlet.now = isTimed ? mailbox.now : .zero }
    core.value.outlet.isTimed = isTimed
    core.value.outlet.set(listeners)
    guard listeners.isEmpty == core.value.outlet.isOn else { return }
    core.value.outlet.isOn = !listeners.isEmpty
    core.value.outlet.turn = nil
    core.value.interpreter.isTraced = !listeners.isEmpty
    core.value.interpreter.isStatusObserved = !listeners.isEmpty || observers.statuses.isActive
    // What nobody will be shown.
    if !core.value.interpreter.isStatusObserved { _ = core.value.interpreter.takeStatusChanges() }
  }

  // MARK: - Telling

  /// Tells of an event that follows from the one at hand, and makes it the one at hand.
  @usableFromInline
  func tell(_ kind: TraceEvent<R.Action>.Kind) {
    guard core.value.outlet.isOn else { return }
    // What has been numbered before is told before.
    tellNotes()
    let cause = core.value.interpreter.traceCause
    let number = core.value.interpreter.nextEventNumber()
    core.value.interpreter.traceCause = number
    tell(kind, number, after: cause, at: core.value.outlet.now)
  }

  @usableFromInline
  func tell(_ kind: TraceEvent<R.Action>.Kind, _ number: UInt64, after cause: UInt64?, at time: Duration) {
    let content = TraceContent.make(kind, number, after: cause, at: time)
    // What a log lets go of now is not kept: no step is sure to come that would let go of it.
    _ = unsafe tell(of: Unmanaged.passUnretained(content))
    withExtendedLifetime(content) {}
  }

  /// Tells what became of an action.
  @inlinable @inline(__always)
  func tell(
    _ shape: TraceContent<R.Action>.Shape, _ action: R.Action, _ origin: TraceOrigin, _ number: UInt64,
    after cause: UInt64?, at time: Duration
  ) {
    if let log = unsafe core.value.outlet.log,
      unsafe TraceListener.replaceOldest(log, shape, action, origin, number, after: cause, at: time)
    {
      return
    }
    if let page = unsafe core.value.outlet.blankPage() {
      unsafe TraceOfAction.set(page, shape, action, origin, number, after: cause, at: time)
      core.value.outlet.spare = unsafe tell(of: TraceOfAction.asContent(page))
    } else {
      let page = TraceOfAction(shape, action, origin, number, after: cause, at: time)
      core.value.outlet.turn(to: page)
      core.value.outlet.spare = unsafe tell(of: Unmanaged.passUnretained(page))
    }
  }

  /// Answers with what the first of them does not keep any more.
  @inlinable @inline(__always)
  func tell(of content: Unmanaged<TraceContent<R.Action>>) -> TraceContent<R.Action>? {
    // SAFETY: the array keeps them, and while listeners are told something it is changed only to one that keeps all of them
    // (see `admitListeners`). To retain one for each event would cost a third of what telling does.
    guard let first = unsafe core.value.outlet.first else { return nil }
    // Before: one that comes while they are told something is not told of that.
    let count = core.value.outlet.isShared ? core.value.outlet.listeners.count : 1
    let spare = unsafe TraceListener.tell(first, of: content)
    guard count > 1 else { return spare }
    // By index: an iterator would retain the array.
    for index in 1..<count {
      _ = unsafe TraceListener.tell(Unmanaged.passUnretained(core.value.outlet.listeners[index]), of: content)
    }
    return spare
  }

  /// What caused it has been told; of several changes since the last slice only the outcome is.
  func tellStatus(_ id: EffectID, _ status: EffectStatus) {
    guard core.value.outlet.isOn else { return }
    let number = core.value.interpreter.nextEventNumber()
    tell(.status(id, status), number, after: nil, at: core.value.outlet.now)
  }

  /// Tells of what the registry has noted.
  @inlinable
  func tellNotes() {
    if core.value.interpreter.hasNotes { tellAllNotes() }
  }

  @usableFromInline
  func tellAllNotes() {
    for note in core.value.interpreter.takeNotes() {
      tell(note.kind(of: R.Action.self), note.number, after: note.cause, at: core.value.outlet.now)
    }
    guard core.value.interpreter.hasDroppedFollowUps else { return }
    for action in core.value.interpreter.takeDroppedFollowUps() {
      let number = core.value.interpreter.nextEventNumber()
      tell(.dropped(action, .followUp), number, after: core.value.outlet.turn, at: core.value.outlet.now)
    }
  }

  // MARK: - Steps

  /// As ``step()``, and tells of it.
  @inlinable @inline(never)
  func tracedStep() -> Bool {
    while true {
      let isInTurn = core.value.interpreter.isTurnOpen
      if !isInTurn { beginTracedStep() }
      switch core.value.next(mailbox) {
      case .reduce(let action):
        if isInTurn {
          reduceTraced(action, .followUp, after: core.value.outlet.turn)
        } else {
          let (origin, number) = tellAccepted(action)
          reduceTraced(action, origin, after: number)
        }
      case .drop:
        tellDropped()
      case .take(let message):
        if case .delivered(let action, let token, let waiter) = message {
          takeTraced(action, sentBy: token, waiter)
        } else {
          take(message)
        }
      case .endTurn:
        endTurnIfDone()
      case .refill:
        if !core.value.interpreter.hasAlarms || !fireDueAlarm() {
          cancelTasks()
          startReadyForOthers()
          tellNotes()
          guard refill() else { return false }
          continue
        }
      }
      tellNotes()
      if !isInTurn { core.value.outlet.turn = core.value.interpreter.traceCause }
      return true
    }
  }

  @inlinable
  func beginTracedStep() {
    core.value.interpreter.traceCause = nil
    if core.value.outlet.isTimed { core.value.outlet.now = mailbox.now }
  }

  @inlinable @inline(__always)
  func reduceTraced(_ action: R.Action, _ origin: TraceOrigin, after cause: UInt64?) {
    let number = core.value.interpreter.nextEventNumber()
    core.value.interpreter.traceCause = number
    core.value.isReducing = true
    let effect = reducer.reduce(into: &core.value.state, action: action)
    core.value.isReducing = false
    let isDone = looking { core.value.isDone(with: effect, followUpLimit: followUpLimit) }
    tell(.reduced, action, origin, number, after: cause, at: core.value.outlet.now)
    tellNotes()
    if !isDone { completeReduction() }
  }

  /// Tells that the action that was taken last has been accepted: where it comes from, and the event's number.
  @inlinable @inline(__always)
  func tellAccepted(_ action: R.Action) -> (TraceOrigin, UInt64) {
    let position = core.value.position - 1
    let origin: TraceOrigin
    var cause: UInt64?
    if let token = core.value.sender(at: position) {
      let run = core.value.interpreter.registry.tracedSender(token)
      cause = run.flatMap { core.value.interpreter.registry.notes.hasTold($0) ? $0.birth : nil }
      origin = TraceOrigin(form: .run, run: run)
    } else {
      origin = TraceOrigin(form: .user, dispatch: core.value.taken, core.value.outlet.stamps.site(of: position))
    }
    var time = core.value.outlet.now
    if core.value.outlet.isTimed, let posted = core.value.outlet.stamps.time(of: position) { time = posted }
    let number = core.value.interpreter.nextEventNumber()
    tell(.accepted, action, origin, number, after: cause, at: time)
    return (origin, number)
  }

  /// The action of a run that is cancelled or over has been taken.
  @usableFromInline
  func tellDropped() {
    guard case .sent(let action, _) = core.value.batch[core.value.position - 1] else { return }
    tellDropped(action)
  }

  @usableFromInline
  func tellDropped(_ action: R.Action) {
    let (origin, accepted) = tellAccepted(action)
    let number = core.value.interpreter.nextEventNumber()
    tell(.dropped(action, origin.source), number, after: accepted, at: core.value.outlet.now)
  }

  @inlinable
  func takeTraced(_ action: R.Action, sentBy token: Token, _ waiter: Waiter) {
    guard core.value.interpreter.beginTurn(sentBy: token) else {
      tellDropped(action)
      cancelTasks()
      return waiter.answer(false)
    }
    core.value.delivering = waiter
    core.value.deliveringRun = token
    let (origin, number) = tellAccepted(action)
    reduceTraced(action, origin, after: number)
  }

  /// A run has gone to sleep.
  @usableFromInline
  func slept(_ token: Token, until time: Duration) {
    core.value.interpreter.noteSleep(of: token, until: time)
  }

  // MARK: - Sending

  /// As ``accept(_:from:)``, with the line of the sender.
  @inlinable @inline(never)
  nonisolated func acceptTraced(_ action: R.Action, from caller: (any Actor)?, at site: CallSite) -> UInt64 {
    let stamp = mailbox.stamp(site)
    if let caller, caller === isolation || caller === self {
      return assumeIsolated { store in
        let receipt = store.mailbox.post(action, inline: !store.activity.value.isDraining, stamped: stamp)
        return store.afterInline(receipt, action, site)
      }
    }
    let receipt = mailbox.post(action, inline: false, stamped: stamp)
    if receipt.mustSchedule { scheduleDrain() }
    if receipt.number == 0 { mailbox.post(.refused(action, site)) }
    return receipt.number
  }

  @inlinable
  func afterInline(_ receipt: Mailbox<R.Action>.Receipt, _ action: R.Action, _ site: CallSite) -> UInt64 {
    if receipt.mustSchedule { scheduleDrain() }
    if receipt.number == 0 { mailbox.post(.refused(action, site)) }
    if !activity.value.isDraining, receipt.number > 0 { drainInline(through: receipt.number) }
    return receipt.number
  }
}
