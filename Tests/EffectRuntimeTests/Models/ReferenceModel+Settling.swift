// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

// Ends and cancels, and what follows from them.
extension ReferenceModel {
  /// A run has ended by itself, or a tree's last part has settled.
  func settle(_ node: Node) {
    node.phase = .over
    let parent = node.parent
    parent?.parts.removeAll { $0 === node }
    let joined = takeJoiners(of: node)
    if let id = node.id {
      attemptsOver(node)
      places[id, default: Place()].live.removeAll { $0 === node }
      refill(id)
    }
    // Its own branch first, then those that joined, in the order in which they did (O1).
    if let parent { partSettled(of: parent) }
    for branch in joined { partSettled(of: branch) }
  }

  func partSettled(of branch: Node) {
    guard branch.phase == .live else { return }
    branch.open -= 1
    guard branch.open == 0 else { return }
    if !branch.isDispatch { progress += 1 }
    switch branch.kind {
    case .sequence: advance(branch)
    case .tree: settle(branch)
    case .dispatch(let number):
      branch.phase = .over
      for _ in 0..<branch.watchers { commands.append(.finished(number)) }
    case .share:
      branch.phase = .over
      settleJoiners(of: branch)
    case .run, .joined: break
    }
  }

  /// The closure of a cancelled run has returned.
  func returned(_ run: Node) {
    run.phase = .over
    nextAttemptMayStart(behind: run)
    var consequences: [Consequence] = []
    func giveUpPlace(_ node: Node, _ id: String) {
      places[id, default: Place()].kept.removeAll { $0 === node }
      consequences.append { [self] in refill(id) }
    }
    for (id, place) in places where place.kept.contains(where: { $0 === run }) { giveUpPlace(run, id) }
    for wait in run.waits {
      let keepers = places.flatMap { id, place in
        place.kept.filter { node in node.closures.contains { $0 === wait } }.map { (id, $0) }
      }
      // The innermost work releases its slot first.
      for (id, node) in keepers.sorted(by: { $0.1.depth > $1.1.depth }) {
        node.closures.removeAll { $0 === wait }
        if node.closures.isEmpty { giveUpPlace(node, id) }
      }
      if let branch = wait.branch {
        branch.closures.removeAll { $0 === wait }
        consequences.append { [self] in partSettled(of: branch) }
      }
    }
    for consequence in consequences { consequence() }
  }

  // MARK: - Cancelling

  /// Cancels the given work and closes windows; then what follows happens, in that order.
  func cancelAll(
    _ nodes: [Node], closing isClosed: (String) -> Bool = { _ in true },
    then check: () -> Void = {}
  ) {
    for consequence in takeAway(nodes, closing: isClosed, then: check) { consequence() }
  }

  /// The same for an order that is not promised: if the order would be visible, the model is no longer compared.
  func cancelMany(
    _ nodes: [Node], closing isClosed: (String) -> Bool,
    then check: () -> Void = {}
  ) {
    var acting = 0
    let consequences = takeAway(nodes, closing: isClosed, then: check)
    for (index, consequence) in consequences.enumerated() {
      let before = (progress, commands.count)
      consequencesToCome += consequences.count - index - 1
      consequence()
      consequencesToCome -= consequences.count - index - 1
      if (progress, commands.count) != before { acting += 1 }
    }
    if acting > 1 { hasFreedom = true }
  }

  private func takeAway(
    _ nodes: [Node], closing isClosed: (String) -> Bool, then check: () -> Void
  ) -> [Consequence] {
    // One consequence of a cancel of many cancels what another consequence would go on with.
    if consequencesToCome > 0, !nodes.isEmpty { hasFreedom = true }
    windows = windows.filter { !isClosed($0.key) }
    alarms.removeAll { if case .windowEnd(let id) = $0.purpose { isClosed(id) } else { false } }
    var consequences: [Consequence] = []
    for node in nodes { consequences += cancel(node) }
    check()
    return consequences
  }

  /// Cancels something with all that is in it; returns what follows.
  func cancel(_ top: Node) -> [Consequence] {
    guard top.isPresent, !top.isJoined, let parent = top.parent else { return [] }
    var consequences: [Consequence] = []
    letGoOfShared(in: top, &consequences)
    let closures = takeDown(top, isTop: true, &consequences)
    parent.parts.removeAll { $0 === top }
    // The branch around it does not go on before the exclusive closures among them have returned; a dispatch may.
    if !parent.isDispatch {
      let awaited = closures.filter(\.isExclusive)
      for wait in awaited { wait.branch = parent }
      parent.closures += awaited
      parent.open += awaited.count
    }
    consequences.append { [self] in partSettled(of: parent) }
    for branch in takeJoiners(of: top) {
      consequences.append { [self] in partSettled(of: branch) }
    }
    return consequences
  }

  /// Returns the waits for closures in it that have not returned.
  private func takeDown(_ node: Node, isTop: Bool, _ consequences: inout [Consequence]) -> [Wait] {
    if !isTop, passToFirstJoiner(node, &consequences) { return [] }
    let before = node.phase
    // The branch around it now waits for the closures that it has waited for.
    var closures = node.closures
    node.closures = []
    for wait in closures { wait.branch = nil }
    node.phase = .over
    clearAlarms(of: node)
    leaveWindow(node)
    attemptsOver(node)
    if node.isRun, before == .live {
      node.phase = .cancelled
      commands.append(.cancel(node))
      closures.append(Wait(for: node, isExclusive: node.isExclusive))
    }
    for part in node.parts { closures += takeDown(part, isTop: false, &consequences) }
    node.parts = []
    if let id = node.id {
      places[id, default: Place()].live.removeAll { $0 === node }
      places[id, default: Place()].queue.removeAll { $0 === node }
      places[id, default: Place()].waiting.removeAll { $0 === node }
      if node.keepsSlot, !closures.isEmpty {
        if !node.isRun { node.closures = closures }
        places[id, default: Place()].kept.append(node)
      }
      consequences.append { [self] in refill(id) }
    }
    return closures
  }
}
