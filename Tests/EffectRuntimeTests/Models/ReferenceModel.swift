// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// What a store does, told a second time and as plainly as possible: objects, arrays and recursion.
///
/// It shares no code with the interpreter and has none of its means (slots, counts, links, an explicit stack), and none
/// of its speed. No joins. Where the rules leave an order open it takes the nearest: whoever
/// arrives takes its place before anybody is told who had to go for it, and then those are told in the order they went.
final class ReferenceModel {
  typealias Event = InterpreterHarness.Event

  enum Phase { case queued, asked, live, cancelled, over }

  final class Node {
    enum Kind { case dispatch(UInt64), sequence, tree(Plan), run(Plan.Run) }

    let kind: Kind
    let id: String?
    let isScoped: Bool
    let overlap: Overlap
    var phase: Phase
    /// What it is a part of; nothing for a dispatch, and for what was cancelled.
    var parent: Node?
    /// Its parts, in the order they came.
    var parts: [Node] = []
    /// The parts of a sequence that have not begun.
    var rest: [Plan] = []
    /// What must settle before it does: parts, sends on their way, exclusive closures, whoever holds it.
    var open = 0
    /// A dispatch that was cancelled: it starts nothing any more.
    var isRefusing = false
    /// Cancelled closures that it waits for (a sequence or tree), or that keep its place (a cancelled exclusive tree).
    var closures: [Node] = []
    /// Whether a sequence or tree around it waits for its closure to return.
    let isExclusive: Bool
    /// Its catch closure executes, which cannot throw.
    var isCatching = false
    var watchers = 0

    init(
      _ kind: Kind, id: String? = nil, _ overlap: Overlap = .concurrent, phase: Phase, parent: Node?,
      isScoped: Bool = false
    ) {
      self.kind = kind
      self.isScoped = isScoped
      self.id = id
      self.overlap = overlap
      self.phase = phase
      self.parent = parent
      isExclusive = (id != nil && overlap.exclusive) || (parent?.isExclusive ?? false)
    }

    var dispatch: Node { parent?.dispatch ?? self }
    var depth: Int { parent.map { $0.depth + 1 } ?? 0 }
    var keepsPlace: Bool { id != nil && overlap.exclusive }
    var isRun: Bool { if case .run = kind { true } else { false } }
    var isDispatch: Bool { if case .dispatch = kind { true } else { false } }
    var isSequence: Bool { if case .sequence = kind { true } else { false } }
    var run: Plan.Run? { if case .run(let run) = kind { run } else { nil } }
  }

  /// Who is where under one id.
  struct Place {
    var live: [Node] = []
    var queue: [Node] = []
    /// Cancelled, and not gone.
    var kept: [Node] = []
    var limit = Int.max
    /// How the one that settled last came to its end.
    var outcome: EffectOutcome?
    var hasRoom: Bool { live.count + kept.count < limit }
  }

  private enum Command { case start(Node, isCatch: Bool), cancel(Node), report(Node), finished(UInt64) }
  /// Something to be done when those before it have been.
  private typealias Consequence = () -> Void

  private var plan: (String) -> Plan
  private(set) var places: [String: Place] = [:]
  /// What becomes of those who are being cancelled.
  private var reason = EffectOutcome.cancelled(.byEffect)
  private(set) var dispatches: [UInt64: Node] = [:]
  private var followUps: [(action: String, branch: Node)] = []
  private var commands: [Command] = []
  private(set) var executing: [Node] = []
  private(set) var events: [Event] = []
  private(set) var droppedActions = 0
  /// Whether something has cancelled everything since this was asked last.
  private var hasCancelledEverything = false
  /// Whether several sequences or trees outside of a scope went on when it was cancelled: who comes first is not promised.
  private(set) var isAmbiguous = false
  private(set) var latestDispatch: UInt64 = 0
  /// Called when a closure is told that its run was cancelled.
  var onCancel: ((String) -> Void)?

  init(_ plan: @escaping (String) -> Plan) {
    self.plan = plan
  }

  func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  func takeCancelledEverything() -> Bool {
    defer { hasCancelledEverything = false }
    return hasCancelledEverything
  }

  /// Whether nothing is left.
  var isEmpty: Bool {
    executing.isEmpty && followUps.isEmpty && dispatches.values.allSatisfy { $0.phase == .over }
      && places.values.allSatisfy { $0.live.isEmpty && $0.queue.isEmpty && $0.kept.isEmpty }
  }

  /// Whether all that is left waits for a run that waits to be cancelled, or for a place that a tree around it has.
  var isAtRest: Bool {
    func isStuck(_ node: Node) -> Bool {
      if let run = node.run, node.phase != .queued {
        return run.conduct == .waiting && executing.contains { $0 === node }
      }
      return node.phase == .queued || (!node.parts.isEmpty && node.parts.allSatisfy(isStuck))
    }
    return executing.allSatisfy(isStuck) && followUps.isEmpty
      && dispatches.values.allSatisfy { $0.phase == .over || isStuck($0) }
      && places.values.allSatisfy {
        $0.kept.isEmpty && $0.live.allSatisfy(isStuck) && ($0.queue.isEmpty || !$0.hasRoom)
      }
  }

  // MARK: - Inputs

  func send(_ action: String, isRefusing: Bool) {
    latestDispatch += 1
    let dispatch = Node(.dispatch(latestDispatch), phase: .live, parent: nil)
    dispatch.isRefusing = isRefusing
    dispatches[latestDispatch] = dispatch
    turn(of: dispatch) { reduce(action, in: dispatch) }
  }

  func send(_ action: String, by name: String) -> Bool {
    let run = node(name)
    guard run.phase == .live else {
      droppedActions += 1
      return false
    }
    turn(of: run.dispatch) { reduce(action, in: run.dispatch) }
    return true
  }

  func end(_ name: String, throwing: Bool) {
    let run = node(name)
    executing.removeAll { $0 === run }
    guard run.phase == .live else { return turn(of: nil) { returned(run) } }
    turn(of: run.dispatch) {
      if throwing, run.run?.catches == true {
        run.phase = .asked
        run.isCatching = true
        commands.append(.start(run, isCatch: true))
      } else {
        if throwing { commands.append(.report(run)) }
        settle(run, throwing ? .failed(Thrown()) : .finished)
      }
    }
  }

  func cancelDispatch(_ number: UInt64) {
    guard let dispatch = dispatches[number], dispatch.phase == .live else { return }
    turn(of: nil) {
      dispatch.isRefusing = true
      cancelAll(dispatch.parts, .byDispatch)
    }
  }

  func watch(_ number: UInt64) {
    guard let dispatch = dispatches[number], dispatch.phase == .live else { return events.append(.finished(number)) }
    dispatch.watchers += 1
  }

  private func node(_ name: String) -> Node {
    executing.first { $0.run?.name == name }!
  }

  // MARK: - Turns

  private func turn(of dispatch: Node?, _ body: () -> Void) {
    dispatch?.open += 1
    body()
    perform()
    while !followUps.isEmpty {
      let (action, branch) = followUps.removeFirst()
      guard branch.phase == .live else {
        droppedActions += 1
        continue
      }
      let dispatch = branch.dispatch
      dispatch.open += 1
      events.append(.reduced(action))
      interpret(plan(action), in: dispatch)
      partSettled(of: dispatch)
      partSettled(of: branch)
      perform()
    }
    if let dispatch { partSettled(of: dispatch) }
    perform()
  }

  private func reduce(_ action: String, in dispatch: Node) {
    events.append(.reduced(action))
    interpret(plan(action), in: dispatch)
  }

  private func perform() {
    for command in commands {
      switch command {
      case .start(let node, let isCatch):
        guard node.phase == .asked, let name = node.run?.name else { continue }
        node.phase = .live
        executing.append(node)
        events.append(isCatch ? .recovered(name) : .started(name))
      case .cancel(let node):
        events.append(.cancelled(node.run?.name ?? "?"))
        onCancel?(node.run?.name ?? "?")
      case .report(let node): events.append(.reported(node.run?.name ?? "?"))
      case .finished(let number): events.append(.finished(number))
      }
    }
    commands = []
  }

  // MARK: - Interpreting

  private func interpret(_ plan: Plan, in branch: Node, isScoped: Bool = false) {
    guard branch.phase == .live else { return }
    func path(_ id: String) -> String { isScoped ? "s/" + id : id }
    func inScope(_ part: Plan) -> Plan { isScoped ? .scoped(part) : part }
    switch plan {
    case .none: break
    case .send(let action):
      branch.open += 1
      followUps.append((action, branch))
    case .merge(let parts):
      for part in parts { interpret(part, in: branch, isScoped: isScoped) }
    case .scoped(let content):
      interpret(content, in: branch, isScoped: true)
    case .cancel(let id):
      let place = places[path(id), default: Place()]
      cancelAll(place.live + place.queue, .byEffect)
    case .cancelEverything where isScoped, .cancelScope:
      hasCancelledEverything = true
      let found = everythingInScope(sparing: branch)
      let around = found.compactMap(\.parent)
      cancelAll(found, .byEffect) { [self] in
        let goingOn = Set(around.filter { $0.phase == .live && !$0.isDispatch }.map(ObjectIdentifier.init))
        if goingOn.count > 1 { isAmbiguous = true }
      }
    case .cancelEverything:
      hasCancelledEverything = true
      cancelAll(everything(sparing: branch), .byEffect)
    case .concatenate(let parts):
      let sequence = add(Node(.sequence, phase: .live, parent: branch, isScoped: isScoped))
      sequence.rest = parts.map(inScope)
      advance(sequence)
    case .run(let run):
      guard !branch.dispatch.isRefusing else { return refuse(run.id.map(path)) }
      let node = Node(
        .run(run), id: run.id.map(path), run.overlap, phase: .queued, parent: branch, isScoped: isScoped)
      if let id = node.id { arrive(node, at: id) } else { begin([add(node)]) }
    case .tree(let id, let overlap, .run(var run)) where run.id == nil:
      // A tree of one run without an id is that run, with the id.
      (run.id, run.overlap) = (id, overlap)
      interpret(.run(run), in: branch, isScoped: isScoped)
    case .tree(let id, let overlap, let content):
      guard !branch.dispatch.isRefusing else { return refuse(path(id)) }
      let node = Node(
        .tree(inScope(content)), id: path(id), overlap, phase: .queued, parent: branch, isScoped: isScoped)
      arrive(node, at: path(id))
    }
  }

  private func refuse(_ id: String?) {
    if let id { places[id, default: Place()].outcome = .cancelled(.byDispatch) }
  }

  private func add(_ node: Node) -> Node {
    node.parent?.parts.append(node)
    node.parent?.open += 1
    return node
  }

  /// Starts those who have got their places, one after the other: a closure is asked for, a tree is opened.
  private func begin(_ nodes: [Node]) {
    for node in nodes {
      node.phase = node.isRun ? .asked : .live
      node.open = 1
    }
    for node in nodes {
      switch node.kind {
      case .tree(let content):
        interpret(content, in: node)
        partSettled(of: node)
      case .run: commands.append(.start(node, isCatch: false))
      case .dispatch, .sequence: break
      }
    }
  }

  private func advance(_ sequence: Node) {
    guard let parent = sequence.parent else { return }
    let part = sequence.rest.removeFirst()
    if sequence.rest.isEmpty {
      // What stands last needs no sequence any more.
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

  private func arrive(_ node: Node, at id: String) {
    let overlap = node.overlap
    guard let parent = node.parent else { return }
    // Those it lets in may be trees that bring others with another limit, or cancel it: it comes again when they have.
    repeat {
      guard parent.phase == .live, !parent.dispatch.isRefusing else { return }
      places[id, default: Place()].limit = overlap.limit
    } while refill(id)
    var consequences: [Consequence] = []
    while let other = whoHasToGo(for: overlap, at: id) {
      reason = other.phase == .queued ? .dropped : .cancelled(.replaced)
      consequences += cancel(other)
    }
    if parent.phase == .live {
      let place = places[id, default: Place()]
      let mayWait =
        switch overlap.kind {
        case .drop: false
        case .enqueue, .join: place.queue.count < overlap.capacity
        case .concurrent, .restart, .keepLatest: true
        }
      if place.hasRoom {
        places[id, default: Place()].live.append(add(node))
        begin([node])
      } else if mayWait {
        places[id, default: Place()].queue.append(add(node))
      } else {
        places[id, default: Place()].outcome = .dropped
      }
    }
    for consequence in consequences { consequence() }
  }

  private func whoHasToGo(for overlap: Overlap, at id: String) -> Node? {
    let place = places[id, default: Place()]
    switch overlap.kind {
    case .restart:
      return place.live.count + place.queue.count >= place.limit ? place.live.first ?? place.queue.first : nil
    case .keepLatest:
      return place.hasRoom ? nil : place.queue.first
    case .enqueue, .join:
      let isFull = !place.hasRoom && place.queue.count >= overlap.capacity
      return isFull && overlap.whenFull == .dropOldest ? place.queue.first : nil
    case .concurrent, .drop:
      return nil
    }
  }

  /// Gives those who wait, in their order, the places that are free. Answers whether there were any.
  @discardableResult
  private func refill(_ id: String) -> Bool {
    var lucky: [Node] = []
    while places[id, default: Place()].hasRoom, !places[id, default: Place()].queue.isEmpty {
      let node = places[id, default: Place()].queue.removeFirst()
      places[id, default: Place()].live.append(node)
      lucky.append(node)
    }
    begin(lucky)
    return !lucky.isEmpty
  }

  // MARK: - Settling

  /// A run has ended by itself, or a tree's last part has settled.
  private func settle(_ node: Node, _ outcome: EffectOutcome) {
    node.phase = .over
    let parent = node.parent
    parent?.parts.removeAll { $0 === node }
    if let id = node.id {
      places[id, default: Place()].live.removeAll { $0 === node }
      places[id, default: Place()].outcome = outcome
      refill(id)
    }
    if let parent { partSettled(of: parent) }
  }

  private func partSettled(of branch: Node) {
    guard branch.phase == .live else { return }
    branch.open -= 1
    guard branch.open == 0 else { return }
    switch branch.kind {
    case .sequence: advance(branch)
    case .tree: settle(branch, .finished)
    case .dispatch(let number):
      branch.phase = .over
      for _ in 0..<branch.watchers { commands.append(.finished(number)) }
    case .run: break
    }
  }

  /// The closure of a cancelled run has returned.
  private func returned(_ run: Node) {
    run.phase = .over
    var consequences: [Consequence] = []
    let keepers = places.flatMap { id, place in
      place.kept.filter { node in node === run || node.closures.contains { $0 === run } }.map { (id, $0) }
    }
    // What is innermost gives up its place first.
    for (id, node) in keepers.sorted(by: { $0.1.depth > $1.1.depth }) {
      node.closures.removeAll { $0 === run }
      guard node.closures.isEmpty else { continue }
      places[id, default: Place()].kept.removeAll { $0 === node }
      consequences.append { [self] in refill(id) }
    }
    if let branch = waiting(for: run) {
      branch.closures.removeAll { $0 === run }
      consequences.append { [self] in partSettled(of: branch) }
    }
    for consequence in consequences { consequence() }
  }

  /// The sequence or tree that goes on when a cancelled closure has returned.
  private func waiting(for run: Node) -> Node? {
    func search(_ node: Node) -> Node? {
      if node.phase == .live, node.closures.contains(where: { $0 === run }) { return node }
      return node.parts.lazy.compactMap(search).first
    }
    return dispatches.values.lazy.filter { $0.phase == .live }.compactMap(search).first
  }

  // MARK: - Cancelling

  private func cancelAll(_ nodes: [Node], _ reason: EffectOutcome.CancelReason, then check: () -> Void = {}) {
    self.reason = .cancelled(reason)
    var consequences: [Consequence] = []
    for node in nodes { consequences += cancel(node) }
    check()
    for consequence in consequences { consequence() }
  }

  /// Cancels something with all that is in it; answers what follows.
  private func cancel(_ top: Node) -> [Consequence] {
    guard top.phase != .cancelled, top.phase != .over, let parent = top.parent else { return [] }
    var consequences: [Consequence] = []
    let closures = takeDown(top, &consequences)
    parent.parts.removeAll { $0 === top }
    // Who is around it does not go on before the exclusive ones among them have returned; a dispatch may.
    if !parent.isDispatch {
      let awaited = closures.filter(\.isExclusive)
      parent.closures += awaited
      parent.open += awaited.count
    }
    consequences.append { [self] in partSettled(of: parent) }
    return consequences
  }

  /// Answers the closures in it that have not returned.
  private func takeDown(_ node: Node, _ consequences: inout [Consequence]) -> [Node] {
    let before = node.phase
    // Those it has been waiting for are waited for by whoever is around it now.
    var closures = node.closures
    node.closures = []
    node.phase = .over
    if node.isRun, before == .live {
      node.phase = .cancelled
      commands.append(.cancel(node))
      closures.append(node)
    }
    for part in node.parts { closures += takeDown(part, &consequences) }
    node.parts = []
    if let id = node.id {
      places[id, default: Place()].live.removeAll { $0 === node }
      places[id, default: Place()].queue.removeAll { $0 === node }
      places[id, default: Place()].outcome = reason
      if node.keepsPlace, !closures.isEmpty {
        if !node.isRun { node.closures = closures }
        places[id, default: Place()].kept.append(node)
      }
      consequences.append { [self] in refill(id) }
    }
    return closures
  }
}
