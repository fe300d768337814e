// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Time limits and further attempts (rules C2 and E1). A run keeps its slot and its place through all attempts; each has a
/// token of its own.
extension Registry {
  /// The closure of a run with time modifiers starts.
  mutating func attemptStarted(_ index: Int32, _ timing: RunTiming) {
    guard timing.limit != nil || timing.retry != nil else { return }
    slots[index].isTimed = true
    var attempt = self.timing.attempts[index] ?? Timing.Attempt()
    // `catch` has no limit.
    guard !attempt.isRecovering else { return }
    if attempt.number > 0 { statusWillChange(index) }
    attempt.number += 1
    self.timing.attempts[index] = attempt
    if let limit = timing.limit { setAlarm(after: limit, of: index, for: .limit(slots.token(index))) }
  }

  /// Which attempt a run is at, counted from 1.
  func attempt(of index: Int32) -> Int {
    max(1, slots[index].isTimed ? timing.attempts[index]?.number ?? 1 : 1)
  }

  /// The condition under which an error leads to another attempt; `nil` if none does.
  func retryCondition(of token: Token) -> (@Sendable (any Error) -> Bool)? {
    guard slots.contains(token), slots[token.slot].phase == .running, slots[token.slot].isTimed,
      case .run(let operation) = slots[token.slot].work, let retry = operation.timing?.retry,
      let attempt = timing.attempts[token.slot], !attempt.isRecovering, attempt.number < retry.attempts
    else { return nil }
    return retry.condition
  }

  /// The error that the first alarm means, and for whom.
  var nextTimeout: (token: Token, error: EffectTimeout)? {
    guard case .limit(let token)? = timing.alarms.firstPurpose, case .run(let operation) = slots[token.slot].work,
      let limit = operation.timing?.limit
    else { return nil }
    return (token, EffectTimeout(limit: limit))
  }

  /// An attempt has failed; its turn is open.
  mutating func failed(_ index: Int32, _ error: any Error, mayRetry: Bool) {
    guard case .run(let operation) = slots[index].work else { return }
    if mayRetry, let retry = operation.timing?.retry, let number = timing.attempts[index]?.number {
      slots.renew(index)
      slots[index].phase = .starting
      let wait = retry.wait(after: number)
      if notes.isOn { note(index, .attemptFailed(error, .retry(at: timing.now().adding(wait)))) }
      guard wait > .zero else { return startAttempt(index) }
      setAlarm(after: wait, of: index, for: .attempt(slots.token(index)))
    } else if operation.isCatching {
      // The catch closure has a token of its own; the attempt that failed can send no more.
      slots.renew(index)
      slots[index].phase = .starting
      if slots[index].isTimed { timing.attempts[index]?.isRecovering = true }
      if notes.isOn { note(index, .attemptFailed(error, .recovery)) }
      caught[index] = error
      commands.append(.recover(slots.token(index), error))
    } else {
      commands.append(.report(EffectFailure(error: error, run: EffectRun(operation))))
      settleRun(index, .failed(error))
    }
  }

  /// The wait before an attempt is over. An exclusive run also waits for the closure of the one before.
  mutating func startAttempt(_ index: Int32) {
    if let attempt = timing.attempts[index], attempt.abandoned >= 0 {
      timing.attempts[index]?.isDue = true
    } else {
      commands.append(.start(slots.token(index)))
    }
  }

  /// An attempt has taken too long: it is cancelled, and nobody waits for its closure.
  mutating func timeOut(_ index: Int32, mayRetry: Bool) {
    guard case .run(let operation) = slots[index].work, let limit = operation.timing?.limit else { return }
    abandon(index)
    failed(index, EffectTimeout(limit: limit), mayRetry: mayRetry)
  }

  /// The closure of the attempt moves to a slot of its own, where it stays until it has returned.
  private mutating func abandon(_ index: Int32) {
    let token = slots.token(index)
    commands.append(.cancel(token))
    let closure = slots.allocate(slots[index].work, phase: .cancelling, parent: .none, root: -1)
    timing.abandoned[token] = closure
    if notes.isOn, let run = traced(index) { notes.set(run, of: closure) }
    slots.renew(index)
    if slots[index].isNamed {
      statusWillChange(index)
      let place = slots[index].place
      slots[closure].isNamed = true
      slots[closure].place = place
      peers.append(closure, to: &directory[place].cancelling)
      directory[place].counts.attemptAbandoned()
    }
    if slots[index].keepsPlace { timing.attempts[index]?.abandoned = closure }
    // What waits for closures of the run, and not for the run alone, waits for this one too.
    let parent = slots[index].parent
    if slots[index].waitsForReturn, !isDispatch(parent.slot) {
      slots[closure].waitsForReturn = true
      slots[parent.slot].outstanding += 1
      adopt(closure, by: parent)
    }
    joinersWait(for: closure, of: index)
  }

  /// A closure has returned whose token is void: perhaps of an attempt that ran out of time.
  mutating func abandonedReturned(_ token: Token) {
    guard let closure = timing.abandoned.removeValue(forKey: token) else { return }
    openTurn()
    if timing.attempts[token.slot]?.abandoned == closure {
      timing.attempts[token.slot]?.abandoned = -1
      if timing.attempts[token.slot]?.isDue == true {
        timing.attempts[token.slot]?.isDue = false
        commands.append(.start(slots.token(token.slot)))
      }
    }
    inOrder { $0.returned(closure) }
  }

  /// A run leaves its place. The closure of an attempt that ran out of time keeps it if the run is exclusive.
  mutating func attemptsOver(_ index: Int32) {
    clearAlarm(of: index)
    guard let attempt = timing.attempts.removeValue(forKey: index), attempt.abandoned >= 0 else { return }
    slots[attempt.abandoned].keepsPlace = true
    directory[slots[index].place].counts.placeKept()
  }
}
