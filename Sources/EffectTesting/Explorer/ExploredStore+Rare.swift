// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// What few steps need.
extension ExploredStore {
  /// The script lets time pass: what is due until then has fired.
  @usableFromInline
  func advance() {
    unsafe clock.move(to: script.target)
    interpreter.forgetClosedWindows()
    perform()
  }

  @usableFromInline
  func takeOther(_ message: Message<Action>) {
    switch message {
    case .delivered(let action, let token, let waiter):
      if hasFaults { duplicate(action, sentBy: token) }
      guard interpreter.beginTurn(sentBy: token) else {
        dropped(action, token)
        return waiter.answer(false)
      }
      reduceTurn(action, sentBy: token)
      waiter.answer(interpreter.isLive(token))
    case .timeCame(let index, _):
      guard case .cancel(let ids) = unsafe script.steps[Int(index)] else { return }
      interpreter.traceCause = nil
      if world.scriptCancels[ids] != true { world.scriptCancels[ids] = !interpreter.effects(.ids(ids)).isEmpty }
      interpreter.cancel(ids: ids)
      finishTurn()
    case .slept(let token, let until):
      interpreter.traceCause = nil
      interpreter.noteSleep(of: token, until: until)
      tellNotes()
    default:
      fatalError("ExploredStore: \(message) in the mailbox of an explored store; bug in EffectTesting, please report")
    }
  }

  /// The action of a run that was cancelled, was replaced or has ended.
  @usableFromInline
  func dropped(_ action: Action, _ token: Token) {
    if isTraced {
      tellAccepted(action, token)
      tell(.dropped(action, .run(interpreter.tracedSender(token))))
    }
    if core.value.absorbed.contains(token) {
      world.noteGap("the `Send` of a run that had returned, used by others")
    }
    if properties.forbidsDrops {
      fail(Breach(label: "nothingDropped", detail: "dropped: \(ValueText.of(action, limit: 120))"))
    }
  }

  /// A run threw and has no `catch`, or the reducer has made a mistake.
  @usableFromInline
  func failed(_ failure: EffectFailure) {
    if failure.error is SelfCancellation, world.settings.allowsSelfCancellation { return }
    if let text = FailureText.misuse(failure) {
      return fail(Breach(label: ValueText.name(of: failure.error), text: text))
    }
    fail(
      Breach(label: "uncaught error", detail: "\(failure.run) at \(failure.run.site): \(EffectText.of(failure.error))"))
  }

  @usableFromInline
  func failAlways() {
    fail(Breach(label: "always"))
  }

  @usableFromInline
  func failEndless() {
    fail(Breach(label: "endless turn"))
    while interpreter.nextFollowUp() != nil { interpreter.reduced(.none) }
  }

  @usableFromInline
  func lookCloser() {
    if !hasEventuallyHeld, let eventually = properties.eventually { hasEventuallyHeld = eventually(state) }
    for requirement in properties.requirements {
      guard case .implies(let id, let condition) = requirement.kind else { continue }
      if condition(state), !interpreter.isRunning(id) {
        fail(Breach(label: "implies \(id)", detail: "no run of \(id) lives"))
      }
    }
  }

  var unexplainedNow: [LiveRun] {
    if live.isEmpty { return [] }
    var expected: [EffectID] = []
    for requirement in properties.requirements {
      if case .noDeadlock(let ids) = requirement.kind { expected += ids }
    }
    return parked.filter { run in !hasReturned(run.token) && !expected.contains { $0 == run.run.id } }
  }

  /// A run is to be cancelled that waits, for the clock, for others or for something outside.
  func noteCancelNow(ofWaiting run: LiveRun) {
    guard !world.isProbed, !hasReturned(run.token) else { return }
    guard unexplainedNow.contains(where: { $0.token == run.token }) else { return }
    world.suspects.append(World.Suspect(name: run.name, step: world.stepAtHand))
  }

  /// Whether a closure has returned, and only nobody has looked.
  private func hasReturned(_ token: Token) -> Bool {
    ends.contains { $0.token == token } || batch[position...].contains { $0.isEnd(of: token) }
      || mailbox.holdsEnd(of: token)
  }

  /// Of all runs and trees in an effect, also those that start later or never.
  @usableFromInline
  func noteOverlaps(within effect: Effect<Action>) {
    var pending = [effect]
    while let next = pending.popLast() {
      switch next {
      case .none, .send, .cancel, .flush, .run: noteOverlaps(of: next)
      case .merge(let parts), .concatenate(let parts): pending.append(contentsOf: parts)
      case .cancellable(let tree):
        noteOverlap(tree.overlap, of: tree.id)
        pending.append(tree.content)
      }
    }
  }

  /// Where overlaps of one id differ, ends that were taken at once may have made a difference.
  @usableFromInline
  func noteOverlap(_ overlap: Overlap, of id: EffectID) {
    guard let known = core.value.overlaps.first(where: { $0.id == id }) else {
      return core.value.overlaps.append((id, overlap))
    }
    if known.overlap != overlap { world.noteGap("the ends of runs of \(id), whose overlaps differ") }
  }

  /// Nothing can happen any more: what must hold at the end.
  func checkEndNow() {
    if let finally = properties.finally, !finally(state) { fail(Breach(label: "finally")) }
    if !hasEventuallyHeld { fail(Breach(label: "eventually")) }
    for requirement in properties.requirements {
      switch requirement.kind {
      case .nothingRuns:
        let runs = live.filter { !interpreter.isCancelling($0.token) }
        if let first = runs.first { fail(Breach(label: "nothingRunsAtTheEnd", detail: "still runs: \(first.name)")) }
      case .cancellationIsHeeded:
        if let first = live.first(where: { interpreter.isCancelling($0.token) }) {
          fail(Breach(label: "cancellationIsHeeded", detail: "cancelled and has not returned: \(first.name)"))
        }
      case .noDeadlock:
        let runs = unexplainedNow
        if !runs.isEmpty {
          let names = runs.map(\.name).joined(separator: ", ")
          fail(Breach(label: "noDeadlock", detail: "wait for what nobody can provide: \(names)"))
        }
      case .nothingDropped, .implies:
        break
      }
    }
  }

  /// A deadline of the interpreter fires.
  func fire() {
    guard let alarm = interpreter.nextAlarm else { return }
    clock.move(to: alarm.deadline)
    var mayRetry = false
    if let (token, error) = interpreter.nextTimeout, let condition = interpreter.retryCondition(of: token) {
      mayRetry = condition(error)
    }
    interpreter.traceCause = nil
    interpreter.fireNextAlarm(mayRetry: mayRetry)
    finishTurn()
  }

  /// Ends everything, without reducing anything. `false` if a closure does not come to its end.
  @usableFromInline
  func end() -> Bool {
    isEnding = true
    isTraced = false
    interpreter.isTraced = false
    if !interpreter.isIdle { interpreter.cancelEverything() }
    while true {
      drop()
      var hasJobs = false
      if executor.readyCount > 0 {
        hasJobs = true
        guard executor.drain() else { break }
      }
      var hasEnds = false
      while endCount > 0 {
        hasEnds = true
        endCount -= 1
        let (token, _) = ends.removeLast()
        returned(token)
        interpreter.ended(token, error: nil)
      }
      while hasMail {
        hasEnds = true
        position += 1
        if case .ended(let token, _) = batch[position - 1] {
          returned(token)
          interpreter.ended(token, error: nil)
        } else {
          batch[position - 1].storeIsGone()
        }
      }
      if !hasJobs, !hasEnds { break }
    }
    return live.isEmpty
  }

  /// Leaves out what a turn has left, and performs cancels only.
  private func drop() {
    while interpreter.nextFollowUp() != nil { interpreter.reduced(.none) }
    if interpreter.isTurnOpen { interpreter.endTurn() }
    perform()
  }
}
