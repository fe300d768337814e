// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Time limits and further attempts (rules C2 and E1). A run keeps its slot and its place through all attempts; each
/// attempt has a token of its own.
extension Scheduler {
  /// The closure of a run with time modifiers starts.
  mutating func attemptStarted(_ index: Int32, _ timing: RunTiming) {
    guard timing.limit != nil || timing.retry != nil else { return }
    workTree.setTimed(index)
    // `catch` has no limit.
    guard let number = attempts.next(of: index) else { return }
    if number > 1 { statusWillChange(index) }
    attempts.begin(index)
    if let limit = timing.limit { setAlarm(after: limit, of: index, for: .limit(workTree.token(index))) }
  }

  /// Which attempt a run is at, counted from 1.
  func attempt(of index: Int32) -> Int {
    workTree.isTimed(index) ? attempts.current(of: index) : 1
  }

  /// The condition under which an error leads to another attempt; `nil` if none does.
  func retryCondition(of token: Token) -> (@Sendable (any Error) -> Bool)? {
    guard workTree.contains(token), workTree.phase(of: token.slot) == .running, workTree.isTimed(token.slot),
      case .run(let operation) = workTree[token.slot], let retry = operation.timing?.retry,
      !attempts.isRecovering(token.slot), let made = attempts.made(by: token.slot), made < retry.attempts
    else { return nil }
    return retry.condition
  }

  /// The attempt that runs out of time at the first alarm, and the error; `nil` if the alarm has another purpose.
  var nextTimeout: (token: Token, error: EffectTimeout)? {
    guard case .limit(let token)? = time.nextPurpose, case .run(let operation) = workTree[token.slot],
      let limit = operation.timing?.limit
    else { return nil }
    return (token, EffectTimeout(limit: limit))
  }

  /// An attempt has failed; its turn is open.
  mutating func failed(_ index: Int32, _ error: any Error, mayRetry: Bool) {
    guard case .run(let operation) = workTree[index] else { return }
    if mayRetry, let retry = operation.timing?.retry, let made = attempts.made(by: index) {
      workTree.renew(index)
      workTree.setPhase(.starting, of: index)
      let wait = retry.wait(after: made)
      if notes.isOn { note(index, .attemptFailed(error, .retry(at: time.now().adding(wait)))) }
      guard wait > .zero else { return startAttempt(index) }
      setAlarm(after: wait, of: index, for: .attempt(workTree.token(index)))
    } else if operation.isCatching {
      // The catch closure has a token of its own; the attempt that failed can send no more.
      workTree.renew(index)
      workTree.setPhase(.starting, of: index)
      if workTree.isTimed(index) { attempts.beginRecovery(of: index) }
      if notes.isOn { note(index, .attemptFailed(error, .recovery)) }
      caught.add(error, of: index)
      commands.append(.recover(workTree.token(index), error))
    } else {
      commands.append(.report(EffectFailure(error: error, run: EffectRun(operation))))
      settleRun(index, .failed(error))
    }
  }

  /// The wait before an attempt is over. An exclusive run also waits for the closure of the attempt before.
  mutating func startAttempt(_ index: Int32) {
    if attempts.nextIsDue(of: index) { commands.append(.start(workTree.token(index))) }
  }

  /// An attempt has taken too long: it is cancelled, and the run does not wait for its closure.
  mutating func timeOut(_ index: Int32, mayRetry: Bool) {
    guard case .run(let operation) = workTree[index], let limit = operation.timing?.limit else { return }
    abandon(index)
    failed(index, EffectTimeout(limit: limit), mayRetry: mayRetry)
  }

  /// The closure of the attempt moves to a slot of its own, where it stays until it has returned.
  private mutating func abandon(_ index: Int32) {
    let token = workTree.token(index)
    commands.append(.cancel(token))
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
    joinersWait(for: closure, of: index)
  }

  /// A closure whose token is not valid any more has returned. It may be that of an attempt that ran out of time.
  mutating func abandonedReturned(_ token: Token) {
    guard let (closure, startsNext) = attempts.closureReturned(token) else { return }
    openTurn()
    if startsNext { commands.append(.start(workTree.token(token.slot))) }
    inOrder { $0.returned(closure) }
  }

  /// A run leaves. If it is exclusive, the closure of an attempt that ran out of time keeps its slot.
  mutating func attemptsOver(_ index: Int32) {
    time.clearAlarm(of: index)
    guard let closure = attempts.end(index) else { return }
    workTree.keepSlot(closure)
    names.keepSlot(at: workTree.place(of: index))
  }
}
