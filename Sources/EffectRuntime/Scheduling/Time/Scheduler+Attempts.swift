// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Time limits and further attempts (rules C5 and E1). A run keeps its slot and its place through all attempts; each
/// attempt has a token of its own. It leaves its slot before `catch` is called.
extension Scheduler {
  /// The closure of a run with time modifiers starts.
  mutating func attemptStarted(_ index: Int32, _ timing: RunTiming) {
    // `catch` is no attempt and has no limit.
    guard timing.limit != nil || timing.retry != nil, !workTree.isRecovering(index) else { return }
    workTree.setTimed(index)
    if attempts.made(by: index) == nil {
      attempts.begin(index, end: timing.wholeLimit.map { time.now().end(ofWaiting: $0) })
    } else {
      statusWillChange(index)
      attempts.begin(index)
    }
    setAlarm(after: timing.limit, of: index) { .limit($0) }
  }

  /// Sets the alarm of a run between the start of its first attempt and the end of the last one: for a purpose, or for the
  /// end of all attempts if that does not come later.
  private mutating func setAlarm(after wait: Duration?, of index: Int32, for purpose: (Token) -> TimedWork.Purpose) {
    time.clearAlarm(of: index)
    let deadline = wait.map { time.now().end(ofWaiting: $0) }
    let token = workTree.token(index)
    if let end = attempts.end(of: index), deadline.map({ end <= $0 }) ?? true {
      time.setAlarm(at: end, of: index, for: .wholeLimit(token))
    } else if let deadline {
      time.setAlarm(at: deadline, of: index, for: purpose(token))
    }
  }

  /// Which attempt a run is at, counted from 1.
  func attempt(of index: Int32) -> Int {
    workTree.isTimed(index) ? attempts.current(of: index) : 1
  }

  /// What decides whether and when there is another attempt after an error; `nil` if there is none.
  @usableFromInline
  func backoff(of token: Token) -> (@Sendable (any Error) -> Duration?)? {
    guard workTree.isActive(token), workTree.isTimed(token.slot), !workTree.isRecovering(token.slot),
      case .run(let operation) = workTree[token.slot], let retry = operation.timing?.retry,
      let made = attempts.made(by: token.slot), made < retry.attempts
    else { return nil }
    return { retry.backoff.wait(after: $0, attempt: made) }
  }

  /// The error that a closure has ended with. A stream without an element has failed only if it was read before: by another run,
  /// or by an attempt before that has failed.
  @usableFromInline
  package func failure(_ error: any Error, of token: Token) -> (any Error)? {
    guard let empty = error as? EmptySequence, !empty.wasRead else { return error }
    return !workTree.contains(token) || attempt(of: token.slot) == 1 ? nil : error
  }

  /// The run that runs out of time at the first alarm, the error, and whether another attempt may follow; `nil` if the alarm
  /// has another purpose.
  package var nextTimeout: (token: Token, error: EffectTimeout, mayRetry: Bool)? {
    switch time.nextPurpose {
    case .limit(let token): timeout(of: token, \.limit).map { (token, $0, true) }
    case .wholeLimit(let token): timeout(of: token, \.wholeLimit).map { (token, $0, false) }
    case .start, .windowEnd, .attempt, nil: nil
    }
  }

  private func timeout(of token: Token, _ limit: (RunTiming) -> Duration?) -> EffectTimeout? {
    guard case .run(let operation) = workTree[token.slot] else { return nil }
    return operation.timing.flatMap(limit).map { EffectTimeout(limit: $0) }
  }

  /// An attempt has failed; its turn is open. `wait` is the time until the next one; `nil` if there is none.
  mutating func failed(_ index: Int32, _ error: any Error, retryAfter wait: Duration?) {
    guard case .run(let operation) = workTree[index] else { return }
    if let wait {
      workTree.renew(index)
      workTree.setPhase(.starting, of: index)
      if notes.isOn { note(index, .attemptFailed(error, .retry(at: time.now().end(ofWaiting: max(.zero, wait))))) }
      guard wait > .zero else { return startAttempt(index) }
      setAlarm(after: wait, of: index) { .attempt($0) }
    } else if operation.isCatching {
      // The catch closure has a token of its own; the attempt that failed can send no more.
      workTree.renew(index)
      workTree.setPhase(.starting, of: index)
      if notes.isOn { note(index, .attemptFailed(error, .recovery)) }
      caught.add(error, of: index)
      startClosure(of: index, thrown: error)
      leaveSlot(index)
    } else {
      outputs.append(.report(EffectFailure(error: error, run: EffectRun(operation))))
      settleRun(index, .failed(error))
    }
  }

  /// The last attempt of a run has failed: it leaves its slot, and stays at its place until its `catch` closure has
  /// returned.
  private mutating func leaveSlot(_ index: Int32) {
    if workTree.isTimed(index) { leaveClosure(of: index) }
    workTree.beginRecovery(of: index)
    guard workTree.isNamed(index) else { return }
    runsByInput.remove(index)
    names.leaveSlot(at: workTree.place(of: index))
    steps.append(.refill(workTree.place(of: index)))
  }

  /// The wait before an attempt is over. An exclusive run also waits for the closure of the attempt before.
  mutating func startAttempt(_ index: Int32) {
    if attempts.nextIsDue(of: index) {
      startClosure(of: index)
    } else {
      setAlarm(after: nil, of: index) { .attempt($0) }
    }
  }

  /// An attempt, or the whole run, has taken too long: its closure is cancelled, and the run does not wait for it.
  mutating func timeOut(_ index: Int32, _ error: EffectTimeout, retryAfter wait: Duration?) {
    if workTree.phase(of: index) == .running { abandon(index) }
    failed(index, error, retryAfter: wait)
  }

  /// The closure of the attempt moves to a slot of its own, where it stays until it has returned.
  private mutating func abandon(_ index: Int32) {
    let token = workTree.token(index)
    outputs.append(.cancel(token))
    let closure = workTree.addClosure(of: index)
    attempts.abandon(token, closure: closure, holdsSlot: workTree.keepsSlot(index))
    if notes.isOn, let run = traced(index) { notes.set(run, of: closure) }
    workTree.renew(index)
    if workTree.isNamed(index) {
      statusWillChange(index)
      names.addAbandoned(closure, at: workTree.place(of: index))
    }
    // What waits for closures of the run, and not for the run alone, waits for this one too.
    let parent = workTree.parent(of: index)
    if workTree.waitsForReturn(index), !workTree.isRoot(parent.slot) {
      workTree.waitForReturn(closure)
      workTree.hold(parent.slot)
      workTree.adopt(closure, by: parent)
    }
  }

  /// A closure whose token is not valid any more has returned. It may be that of an attempt that ran out of time.
  mutating func abandonedReturned(_ token: Token) {
    guard let (closure, startsNext) = attempts.closureReturned(token) else { return }
    openTurn()
    if startsNext { startAttempt(token.slot) }
    inOrder { $0.returned(closure) }
  }

  /// A run leaves: its alarm and its attempts end.
  mutating func forgetTime(of index: Int32) {
    time.clearAlarm(of: index)
    leaveClosure(of: index)
    attempts.forget(index)
  }

  /// A run leaves its slot. If it is exclusive, the closure of an attempt that ran out of time keeps the slot.
  private mutating func leaveClosure(of index: Int32) {
    guard let closure = attempts.leaveClosure(of: index) else { return }
    workTree.keepSlot(closure)
    names.keepSlot(at: workTree.place(of: index))
  }
}
