// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

// Time limits and further attempts (rules C5 and E1).
extension ReferenceModel {
  /// A closure of the run starts.
  func attemptStarted(_ node: Node) {
    guard !node.isCatching, let timing = node.run?.timing else { return }
    node.attempt += 1
    if node.attempt == 1 { node.end = timing.wholeLimit.map { now + $0 } }
    setAlarm(of: node, at: timing.limit.map { now + $0 }, .limit(node))
  }

  /// A run has one alarm at most: the end of all attempts, if that does not come later.
  private func setAlarm(of node: Node, at due: Duration?, _ purpose: Alarm.Purpose) {
    clearAlarms(of: node)
    if let end = node.end, due.map({ end <= $0 }) ?? true {
      setAlarm(at: end, .wholeLimit(node))
    } else if let due {
      setAlarm(at: due, purpose)
    }
  }

  /// An attempt has thrown, or run out of time.
  func failed(_ node: Node, _ error: any Error, isLast: Bool = false) {
    guard let run = node.run else { return }
    if !isLast, !node.isCatching, let retry = run.timing.retry, node.attempt < retry.attempts,
      let wait = retry.backoff.wait(after: error, attempt: node.attempt)
    {
      node.phase = .asked
      if wait > .zero { setAlarm(of: node, at: now + wait, .attempt(node)) } else { startAttempt(node) }
    } else if run.catches {
      attemptsOver(node)
      node.phase = .asked
      node.isDue = false
      node.caught = error
      commands.append(.start(node, isCatch: true))
      // It has left its slot, and stays at its place.
      if let id = node.id { refill(id) }
    } else {
      commands.append(.report(node))
      settle(node)
    }
  }

  /// The wait before an attempt is over. An exclusive run also waits for the closure of the one before.
  func startAttempt(_ node: Node) {
    if node.late == nil { return commands.append(.start(node, isCatch: false)) }
    node.isDue = true
    setAlarm(of: node, at: nil, .attempt(node))
  }

  /// An attempt, or all of them together, have taken too long: the closure is cancelled, and nothing waits for it, but it keeps
  /// an exclusive slot.
  func timeOut(_ node: Node, isLast: Bool) {
    guard let run = node.run, let limit = isLast ? run.timing.wholeLimit : run.timing.limit else { return }
    if node.phase == .live { abandon(node, run) }
    failed(node, EffectTimeout(limit: limit), isLast: isLast)
  }

  private func abandon(_ node: Node, _ run: Plan.Run) {
    let closure = Node(.run(run), id: node.id, node.overlap, phase: .cancelled, parent: nil, scope: node.scope)
    closure.isExclusive = node.isExclusive
    executing = executing.map { $0 === node ? closure : $0 }
    observer?.abandoned(node, as: closure)
    commands.append(.cancel(closure))
    if node.keepsSlot { node.late = closure }
    if node.isExclusive, let parent = node.parent { wait(for: closure, in: parent) }
  }

  /// A sequence or tree waits until a closure has returned; a dispatch does not.
  func wait(for closure: Node, in branch: Node) {
    guard !branch.isDispatch else { return }
    let wait = Wait(for: closure, isExclusive: true)
    wait.branch = branch
    branch.closures.append(wait)
    branch.open += 1
  }

  /// The closure of an attempt that ran out of time has returned.
  func nextAttemptMayStart(behind closure: Node) {
    guard let node = roots.flatMap(\.all).first(where: { $0.late === closure }) else { return }
    node.late = nil
    guard node.isDue else { return }
    node.isDue = false
    commands.append(.start(node, isCatch: false))
  }

  /// A run leaves its slot; the closure of an attempt that ran out of time keeps it.
  func attemptsOver(_ node: Node) {
    guard let id = node.id, let closure = node.late else { return }
    node.late = nil
    places[id, default: Place()].kept.append(closure)
  }
}
