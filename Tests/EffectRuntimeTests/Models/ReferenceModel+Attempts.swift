// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

// Time limits and further attempts (rules C2 and E1).
extension ReferenceModel {
  /// A closure of the run starts.
  func attemptStarted(_ node: Node) {
    guard !node.isCatching, let timing = node.run?.timing else { return }
    node.attempt += 1
    if let limit = timing.limit { setAlarm(at: now + limit, .limit(node)) }
  }

  /// An attempt has thrown, or run out of time.
  func failed(_ node: Node, _ error: any Error) {
    guard let run = node.run else { return }
    if !node.isCatching, let retry = run.timing.retry, node.attempt < retry.attempts {
      node.phase = .asked
      let wait = retry.wait(after: node.attempt)
      if wait > .zero { setAlarm(at: now + wait, .attempt(node)) } else { startAttempt(node) }
    } else if run.catches {
      node.phase = .asked
      node.caught = error
      commands.append(.start(node, isCatch: true))
    } else {
      commands.append(.report(node))
      settle(node, .failed(error))
    }
  }

  /// The wait before an attempt is over. An exclusive run also waits for the closure of the one before.
  func startAttempt(_ node: Node) {
    if node.late == nil { commands.append(.start(node, isCatch: false)) } else { node.isDue = true }
  }

  /// An attempt has taken too long: it is cancelled, and nothing waits for its closure, but the closure keeps an
  /// exclusive slot.
  func timeOut(_ node: Node) {
    guard let run = node.run, let limit = run.timing.limit else { return }
    let closure = Node(.run(run), id: node.id, node.overlap, phase: .cancelled, parent: nil, scope: node.scope)
    closure.isExclusive = node.isExclusive
    executing = executing.map { $0 === node ? closure : $0 }
    observer?.abandoned(node, as: closure)
    commands.append(.cancel(closure))
    if node.keepsSlot { node.late = closure }
    if node.isExclusive, let parent = node.parent { wait(for: closure, in: parent) }
    for joiner in node.joiners where joiner.isExclusive || node.keepsSlot {
      if let parent = joiner.parent { wait(for: closure, in: parent) }
    }
    failed(node, EffectTimeout(limit: limit))
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
