// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

// How an effect is interpreted, and which work gets a slot.
extension ReferenceModel {
  func interpret(_ plan: Plan, in branch: Node, scope: String = "") {
    guard branch.phase == .live else { return }
    func path(_ id: String) -> String { scope + id }
    /// A part that is interpreted later is in the same scopes.
    func inScope(_ part: Plan) -> Plan { scope.split(separator: "/").reduce(part) { part, _ in .scoped(part) } }
    switch plan {
    case .none: break
    case .send(let action):
      branch.open += 1
      followUps.append((action, branch))
    case .merge(let parts):
      for part in parts { interpret(part, in: branch, scope: scope) }
    case .scoped(let content):
      interpret(content, in: branch, scope: scope + Plan.scope + "/")
    case .timed(let timing, let content):
      interpret(content.timed(timing), in: branch, scope: scope)
    case .cancel(let id):
      noteUnmatched([path(id)])
      cancelAll(places[path(id), default: Place()].all, closing: { $0 == path(id) })
    case .cancelIDs(let ids):
      let paths = ids.map(path)
      noteUnmatched(Set(paths))
      cancelMany(paths.flatMap { places[$0, default: Place()].all }, closing: { paths.contains($0) })
    case .cancelAll(let names):
      func isMeant(_ path: String) -> Bool {
        path.hasPrefix(scope) && names.contains(String(path.split(separator: "/").last ?? ""))
      }
      cancelMany(places.sorted { $0.key < $1.key }.filter { isMeant($0.key) }.flatMap(\.value.all), closing: isMeant)
    case .cancelEverything where !scope.isEmpty, .cancelScope:
      var inner = scope
      if case .cancelScope = plan { inner += Plan.scope + "/" }
      hasCancelledEverything = true
      let found = everything(in: inner, sparing: branch)
      let around = found.compactMap(\.parent)
      cancelMany(found, closing: { [inner] in $0.hasPrefix(inner) }) { [self] in
        let goingOn = Set(around.filter { $0.phase == .live && !$0.isDispatch }.map(ObjectIdentifier.init))
        if goingOn.count > 1 { isAmbiguous = true }
      }
    case .cancelEverything:
      hasCancelledEverything = true
      cancelMany(everything(sparing: branch), closing: { _ in true })
    case .concatenate(let parts):
      let sequence = add(Node(.sequence, phase: .live, parent: branch, scope: scope))
      sequence.rest = parts.map(inScope)
      advance(sequence)
    case .run(let run):
      // Each scope is a letter and a slash.
      let scope = String(scope.dropLast(2 * run.lostScopes))
      func path(_ id: String) -> String { scope + id }
      guard !branch.dispatch.isRefusing else { return }
      // In a tree of its own id it has no id.
      let id = run.id.map(path).flatMap { isInTree(branch, of: $0) ? nil : $0 }
      let node = Node(.run(run), id: id, run.overlap, phase: .queued, parent: branch, scope: scope)
      var late: [Consequence] = []
      if !isPostponed(node, &late) { arriveOrBegin(node) }
      for consequence in late { consequence() }
    case .tree(let id, let overlap, .run(var run)) where run.id == nil:
      // A tree of one run without an id is that run, with the id.
      (run.id, run.overlap) = (id, overlap)
      interpret(.run(run), in: branch, scope: scope)
    case .tree(let id, let overlap, let content):
      guard !branch.dispatch.isRefusing else { return }
      // A tree in one of its own id is nothing but its content.
      if isInTree(branch, of: path(id)) { return interpret(content, in: branch, scope: scope) }
      let node = Node(.tree(inScope(content)), id: path(id), overlap, phase: .queued, parent: branch, scope: scope)
      arrive(node, at: path(id))
    }
  }

  /// Whether a branch is in a tree of the id.
  private func isInTree(_ branch: Node, of id: String) -> Bool {
    var next: Node? = branch
    while let node = next {
      if node.isTree, node.id == id { return true }
      next = node.parent
    }
    return false
  }

  func add(_ node: Node) -> Node {
    node.parent?.parts.append(node)
    node.parent?.open += 1
    return node
  }

  /// Starts those that have got their slots, one after the other: a closure is started, a tree is opened.
  func begin(_ nodes: [Node]) {
    placed(nodes)
    open(nodes)
  }

  private func placed(_ nodes: [Node]) {
    for node in nodes {
      node.phase = node.isRun ? .asked : .live
      node.open = 1
    }
  }

  func open(_ nodes: [Node]) {
    progress += nodes.count
    for node in nodes {
      switch node.kind {
      case .tree(let content):
        interpret(content, in: node)
        partSettled(of: node)
      case .run: commands.append(.start(node, isCatch: false))
      case .dispatch, .share, .sequence, .joined: break
      }
    }
  }

  func advance(_ sequence: Node) {
    guard let parent = sequence.parent else { return }
    let part = sequence.rest.removeFirst()
    if sequence.rest.isEmpty {
      // The last part needs no sequence any more.
      parent.parts.removeAll { $0 === sequence }
      sequence.phase = .over
      interpret(part, in: parent)
      partSettled(of: parent)
    } else {
      sequence.open = 1
      interpret(part, in: sequence)
      partSettled(of: sequence)
    }
  }

  // MARK: - Slots

  private func arriveOrBegin(_ node: Node) {
    if let id = node.id { arrive(node, at: id) } else { begin([add(node)]) }
  }

  private func arrive(_ node: Node, at id: String) {
    guard declare(node, at: id), let parent = node.parent else { return }
    if let shared = runToJoin(node, at: id) { return join(shared, as: parent) }
    var consequences = makeWay(for: node.overlap, at: id)
    if parent.phase == .live {
      switch admission(node.overlap, at: id) {
      case .start:
        places[id, default: Place()].live.append(add(node))
        begin([node])
      case .wait: places[id, default: Place()].queue.append(add(node))
      case .drop: break
      }
    } else {
      consequences.append { [self] in refill(id) }
    }
    for consequence in consequences { consequence() }
  }

  /// The limit of the newest applies from now on. Work that it lets in may be trees that bring other work with another
  /// limit, or cancel what arrives: so the new work arrives again after them. Returns whether it is still to arrive.
  func declare(_ node: Node, at id: String) -> Bool {
    repeat {
      guard node.parent?.phase == .live, node.parent?.dispatch.isRefusing == false else { return false }
      places[id, default: Place()].limit = node.overlap.limit
    } while refill(id)
    return true
  }

  func makeWay(for overlap: Overlap, at id: String) -> [Consequence] {
    var consequences: [Consequence] = []
    while let other = whoHasToGo(for: overlap, at: id) {
      consequences += cancel(other)
    }
    return consequences
  }

  enum Admission { case start, wait, drop }

  func admission(_ overlap: Overlap, at id: String) -> Admission {
    let place = places[id, default: Place()]
    if place.hasRoom { return .start }
    switch overlap.name {
    case .drop: return .drop
    case .enqueue, .join: return place.queue.count < overlap.capacity ? .wait : .drop
    case .concurrent, .restart, .keepLatest: return .wait
    }
  }

  private func whoHasToGo(for overlap: Overlap, at id: String) -> Node? {
    let place = places[id, default: Place()]
    switch overlap.name {
    case .restart:
      // A run that has left its slot for its `catch` stays.
      let holding = place.all.filter { !$0.isCatching }
      return holding.count >= place.limit ? holding.first : nil
    case .keepLatest:
      return place.hasRoom ? nil : place.queue.first
    case .enqueue, .join:
      let isFull = !place.hasRoom && place.queue.count >= overlap.capacity
      return isFull && overlap.whenFull == .dropOldest ? place.queue.first : nil
    case .concurrent, .drop:
      return nil
    }
  }

  /// Gives the free slots to waiting work, in its order. Returns whether there were any.
  @discardableResult
  func refill(_ id: String) -> Bool {
    let lucky = givePlaces(id)
    open(lucky)
    return !lucky.isEmpty
  }

  func givePlaces(_ id: String) -> [Node] {
    var lucky: [Node] = []
    while places[id, default: Place()].hasRoom, !places[id, default: Place()].queue.isEmpty {
      let node = places[id, default: Place()].queue.removeFirst()
      places[id, default: Place()].live.append(node)
      lucky.append(node)
    }
    placed(lucky)
    return lucky
  }
}

// MARK: - Cancels that match nothing

extension ReferenceModel {
  /// A written cancel reaches its ids: notes it if it matches nothing (rule V1).
  private func noteUnmatched(_ paths: Set<String>) {
    if paths.allSatisfy({ places[$0, default: Place()].all.isEmpty && windows[$0] == nil }) {
      unmatched.append(paths)
    }
  }
}
