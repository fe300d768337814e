// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// What a store does, implemented a second time and as plainly as possible: objects, arrays and recursion.
///
/// It shares no code with the scheduler, uses none of its means (slots, counts, links, an explicit stack), and is
/// much slower. If the rules leave an order open, it takes the simplest: the run that arrives takes its slot before the
/// runs that had to leave for it are notified, and then these are notified in the order they left.
final class ReferenceModel {
  typealias Event = SchedulerHarness.Event

  /// The work under one id, by its phase.
  struct Place {
    var live: [Node] = []
    var queue: [Node] = []
    /// Runs that wait for their time, and hold no slot.
    var waiting: [Node] = []
    /// Cancelled, but not returned.
    var kept: [Node] = []
    var limit = Int.max
    /// Runs whose `catch` closures execute have left their slots.
    var hasRoom: Bool { live.count { !$0.isCatching } + kept.count < limit }
    /// In the order in which a cancel reaches them.
    var all: [Node] { live + queue + waiting }
    var newest: Node? { live.last ?? queue.last ?? waiting.last }
  }

  enum Command { case start(Node, isCatch: Bool), cancel(Node), report(Node), finished(UInt64) }
  /// Something to be done after the consequences before it.
  typealias Consequence = () -> Void

  let plan: (String) -> Plan
  /// Whether what follows from an action is performed when its turn has ended, as by a store (rule E8), or after each
  /// reduction.
  let performsWholeTurns: Bool
  var places: [String: Place] = [:]
  private(set) var dispatches: [UInt64: Node] = [:]
  /// What shared runs have caused, by owners; see `ReferenceModel+Sharing`.
  var shares: [Node] = []
  var followUps: [(action: String, branch: Node)] = []
  var commands: [Command] = []
  var executing: [Node] = []
  var events: [Event] = []
  private(set) var droppedActions = 0
  /// The paths of each cancel by id or ids that has matched nothing since the last read.
  var unmatched: [Set<String>] = []
  /// Whether something has cancelled everything since the last query.
  var hasCancelledEverything = false
  /// Whether several sequences or trees outside of a scope went on when it was cancelled: their order is not promised.
  var isAmbiguous = false
  /// How many consequences of a cancel of many are still to come.
  var consequencesToCome = 0
  /// Whether several things followed from a cancel of many, or met otherwise, in an order that is not promised.
  var hasFreedom = false
  /// How often something has continued, settled or been started so far.
  var progress = 0
  private(set) var latestDispatch: UInt64 = 0
  /// Called when a closure is notified that its run was cancelled.
  var onCancel: ((String) -> Void)?
  /// Notified of every closure that starts, is cancelled, or goes on without its run.
  var observer: (any ReferenceModelObserver)?

  // Time; see `ReferenceModel+Time`.
  var now = Duration.zero
  var windows: [String: Window] = [:]
  var alarms: [Alarm] = []
  var alarmsSet = 0

  init(performsWholeTurns: Bool = false, _ plan: @escaping (String) -> Plan) {
    self.plan = plan
    self.performsWholeTurns = performsWholeTurns
  }

  func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  func takeCancelledEverything() -> Bool {
    defer { hasCancelledEverything = false }
    return hasCancelledEverything
  }

  /// The dispatches and shares, in the order they came.
  var roots: [Node] { dispatches.sorted { $0.key < $1.key }.map(\.value) + shares }

  /// Whether no work remains.
  var isEmpty: Bool {
    executing.isEmpty && followUps.isEmpty && roots.allSatisfy { $0.phase == .over }
      && places.values.allSatisfy { $0.all.isEmpty && $0.kept.isEmpty }
  }

  /// Whether all remaining work waits for a run that waits to be cancelled, or for a slot that a tree around it holds.
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

  func send(_ action: String, by name: String) -> Bool { send(action, by: node(name)) }

  /// An action that a closure has sent is taken; returns whether it is reduced (rule E1).
  func send(_ action: String, by run: Node) -> Bool {
    guard run.phase == .live else {
      droppedActions += 1
      return false
    }
    let cause = cause(of: run)
    turn(of: cause) { reduce(action, in: cause) }
    return true
  }

  func end(_ name: String, throwing: Bool) { end(node(name), throwing: throwing) }

  /// The end of a closure is taken.
  func end(_ run: Node, throwing: Bool, _ error: any Error = Thrown()) {
    executing.removeAll { $0 === run }
    guard run.phase == .live else { return turn(of: nil) { returned(run) } }
    turn(of: ownTurn(of: run)) {
      clearAlarms(of: run)
      if throwing { failed(run, error) } else { settle(run) }
    }
  }

  func cancelDispatch(_ number: UInt64) {
    guard let dispatch = dispatches[number], dispatch.phase == .live else { return }
    turn(of: nil) {
      var consequences: [Consequence] = []
      let roots = lettingGo(dispatch, &consequences)
      for root in roots {
        // A run that others have joined goes on for them.
        for part in root.parts where part.parent === root && part.isPresent && !passToFirstJoiner(part, &consequences) {
          consequences += cancel(part)
        }
      }
      for consequence in consequences { consequence() }
    }
  }

  /// The store ends, all at once.
  func cancelEverything() {
    turn(of: nil) { cancelAll(everything(sparing: nil)) }
  }

  /// A shutdown that drains cancels ids.
  func cancel(ids: [String]) {
    turn(of: nil) {
      let found = ids.flatMap { places[$0, default: Place()].all }
      cancelMany(found, closing: { ids.contains($0) })
    }
  }

  func watch(_ number: UInt64) {
    guard let dispatch = dispatches[number], dispatch.phase == .live else { return events.append(.finished(number)) }
    dispatch.watchers += 1
  }

  func isLive(dispatch number: UInt64) -> Bool { dispatches[number]?.phase == .live }

  private func node(_ name: String) -> Node {
    executing.first { $0.run?.name == name }!
  }

  // MARK: - Turns

  /// The dispatch of a turn in which a run may settle; of several owners none is held until the turn ends.
  func ownTurn(of run: Node) -> Node? { run.joiners.isEmpty ? run.dispatch : nil }

  func turn(of dispatch: Node?, _ body: () -> Void) {
    dispatch?.open += 1
    body()
    if !performsWholeTurns { perform() }
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
      if !performsWholeTurns { perform() }
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
        attemptStarted(node)
        events.append(isCatch ? .recovered(name) : .started(name))
        observer?.started(node)
      case .cancel(let node):
        events.append(.cancelled(node.run?.name ?? "?"))
        onCancel?(node.run?.name ?? "?")
        observer?.cancelled(node)
      case .report(let node): events.append(.reported(node.run?.name ?? "?"))
      case .finished(let number):
        events.append(.finished(number))
        observer?.finished(number)
      }
    }
    commands = []
  }
}

/// The object that acts for the closures.
protocol ReferenceModelObserver: AnyObject {
  func started(_ node: ReferenceModel.Node)
  func cancelled(_ node: ReferenceModel.Node)
  /// The closure of an attempt out of time has no run any more; from now on `closure` represents it.
  func abandoned(_ node: ReferenceModel.Node, as closure: ReferenceModel.Node)
  func finished(_ dispatch: UInt64)
}
