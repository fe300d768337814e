// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// One program. Its seed is enough to repeat it.
final class ModelProgram {
  enum Step: CustomStringConvertible {
    case send(String, isRefusing: Bool)
    case sendBy(String, String)
    case end(String, throwing: Bool)
    case cancelDispatch(UInt64)
    case watch(UInt64)

    var description: String {
      switch self {
      case .send(let action, let isRefusing): "send \(action)\(isRefusing ? " (cancelled before)" : "")"
      case .sendBy(let run, let action): "\(run) sends \(action)"
      case .end(let run, let throwing): "\(run) \(throwing ? "throws" : "returns")"
      case .cancelDispatch(let number): "cancel dispatch \(number)"
      case .watch(let number): "wait for dispatch \(number)"
      }
    }
  }

  let seed: UInt64
  /// The first difference.
  private(set) var problem: String?
  private var numbers: Numbers
  private let harness = SchedulerHarness()
  private let model: ReferenceModel
  private let script: Script
  private var history: [(step: Step, plans: Range<Int>, events: [SchedulerHarness.Event])] = []

  typealias Planned = (action: String, plan: Plan)

  /// The plans in the order in which they are requested, made once and read by both.
  private final class Script {
    private var planner: Planner
    private(set) var plans: [Planned] = []
    /// All plans, each for an occurrence of its action; `nil` where new plans are made.
    private let given: [Planned]?
    var isOver = false

    init(seed: UInt64, given: [Planned]?) {
      planner = Planner(seed: seed)
      self.given = given
    }

    func plan(_ number: Int, for action: String) -> Plan {
      while plans.count <= number { plans.append((action, isOver ? .none : next(for: action))) }
      // Another action than the other side has reduced: the events will differ, whatever the action causes.
      return plans[number].action == action ? plans[number].plan : .none
    }

    private func next(for action: String) -> Plan {
      guard let given else { return planner.plan(for: action) }
      let (before, same) = (plans.count { $0.action == action }, given.filter { $0.action == action })
      return before < same.count ? same[before].plan : .none
    }

    func texts(_ numbers: Range<Int>) -> [String] { plans[numbers].map { "    \($0.action): \($0.plan.text)" } }
    var count: Int { plans.count }
  }

  init(seed: UInt64, plans: [Planned]? = nil) {
    self.seed = seed
    numbers = Numbers(seed: ~seed)
    let script = Script(seed: seed, given: plans)
    self.script = script
    var asked = (model: 0, harness: 0)
    model = ReferenceModel { action in
      defer { asked.model += 1 }
      return script.plan(asked.model, for: action)
    }
    harness.effects = { [ledger = harness.ledger] action in
      defer { asked.harness += 1 }
      return script.plan(asked.harness, for: action).effect(ledger)
    }
    harness.scheduler.notes.turn(on: true)
  }

  /// It has reached a point after which the order is not promised.
  var isAbandoned: Bool { model.isAmbiguous }

  /// How many steps it has taken.
  var steps: Int { history.count }

  /// Answers whether both agreed to the end.
  func run(steps: Int) -> Bool {
    for _ in 0..<steps {
      guard let step = nextStep() else { continue }
      guard take(step) else { return false }
      guard !isAbandoned else { return true }
    }
    return isEmptyInTheEnd()
  }

  private func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  private func nextStep() -> Step? {
    let running = model.executing.compactMap { $0.run?.name }
    switch next(10) {
    case 0, 1, 2: return .send("\(next(3))", isRefusing: next(10) == 0)
    case 3: return running.randomElement(using: &numbers).map { .sendBy($0, "\(next(3))") }
    case 4, 5, 6, 7:
      guard let run = model.executing.randomElement(using: &numbers), let name = run.run?.name else { return nil }
      return .end(name, throwing: !run.isCatching && next(4) == 0)
    case 8: return model.latestDispatch > 0 ? .cancelDispatch(1 + UInt64(next(Int(model.latestDispatch)))) : nil
    default: return model.latestDispatch > 0 ? .watch(1 + UInt64(next(Int(model.latestDispatch)))) : nil
    }
  }

  private func take(_ step: Step) -> Bool {
    let plansBefore = script.count
    switch step {
    case .send(let action, let isRefusing):
      model.send(action, isRefusing: isRefusing)
      harness.send(action, isRefusing: isRefusing)
    case .sendBy(let run, let action):
      _ = model.send(action, by: run)
      harness.send(action, by: run)
    case .end(let run, let throwing):
      model.end(run, throwing: throwing)
      harness.end(run, error: throwing ? ReferenceModel.Thrown() : nil)
    case .cancelDispatch(let number):
      model.cancelDispatch(number)
      harness.cancelDispatch(number)
    case .watch(let number):
      model.watch(number)
      harness.watch(number)
    }
    let hasCancelledEverything = model.takeCancelledEverything()
    let expected = normal(model.takeEvents(), hasCancelledEverything)
    let actual = normal(harness.takeEvents(), hasCancelledEverything)
    history.append((step, plansBefore..<script.count, actual))
    if isAbandoned { return true }
    if expected != actual {
      return fail("the model expects \(expected.map(text).joined(separator: ", "))")
    }
    let unmatched = harness.scheduler.notes.take().compactMap { note in
      if case .unmatched(let effect) = note.kind { effect.idList } else { nil }
    }
    let missed = model.unmatched.map { UnmatchedCancel(Set($0.map(Plan.id))).idList }
    model.unmatched = []
    // The order of what follows from a cancel of everything is not promised.
    if unmatched.sorted() != missed.sorted() {
      return fail("cancels without a match: \(unmatched), by the model \(missed)")
    }
    if model.droppedActions != harness.scheduler.droppedActions {
      return fail("dropped actions: \(harness.scheduler.droppedActions), by the model \(model.droppedActions)")
    }
    if Set(model.executing.compactMap({ $0.run?.name })) != harness.executing {
      return fail("executing: \(harness.executingInOrder)")
    }
    for id in Planner.ids where !haveSameStatus(id) { return fail("\(id) is \(harness.status(Plan.id(id)))") }
    return true
  }

  private func haveSameStatus(_ id: String) -> Bool {
    var (expected, actual) = (model.status(id), harness.status(Plan.id(id)))
    // A cancelled tree counts as long as a closure in it has not returned; the model keeps no record of that.
    if Planner.treeIDs.contains(id) { (expected.cancelling, actual.cancelling) = (0, 0) }
    return expected == actual
  }

  private func isEmptyInTheEnd() -> Bool {
    script.isOver = true
    while !isAbandoned, let run = model.executing.first?.run?.name {
      guard take(.end(run, throwing: false)) else { return false }
    }
    // Trees and runs that wait for each other's slots wait for ever, as with locks; cancelling frees them.
    for number in 1...max(1, model.latestDispatch) where !isAbandoned {
      guard take(.cancelDispatch(number)) else { return false }
    }
    while !isAbandoned, let run = model.executing.first?.run?.name {
      guard take(.end(run, throwing: false)) else { return false }
    }
    if isAbandoned { return true }
    if !model.isEmpty { return fail("the model is not empty") }
    harness.expectEmpty("seed \(seed)")
    return true
  }

  /// The order in which a cancel of everything reaches work is not promised, and so the order of what follows is not.
  private func normal(
    _ events: [SchedulerHarness.Event], _ hasCancelledEverything: Bool
  ) -> [SchedulerHarness.Event] {
    hasCancelledEverything ? events.sorted { text($0) < text($1) } : events
  }

  private func text(_ event: SchedulerHarness.Event) -> String { "\(event)" }

  private func fail(_ problem: String) -> Bool {
    self.problem = problem
    return false
  }

  // MARK: - Failures

  var takenSteps: [Step] { history.map(\.step) }
  var plans: [Planned] { script.plans }

  /// Takes given steps, without those that are impossible here. `false` if both differ.
  func run(_ steps: [Step]) -> Bool {
    for step in steps where isPossible(step) {
      guard take(step) else { return false }
      guard !isAbandoned else { return true }
    }
    return true
  }

  private func isPossible(_ step: Step) -> Bool {
    switch step {
    case .send: true
    case .sendBy(let run, _), .end(let run, _): model.executing.contains { $0.run?.name == run }
    case .cancelDispatch(let number), .watch(let number): number <= model.latestDispatch
    }
  }

  /// Every step with its plans and with what the scheduler did.
  var historyText: String {
    let lines = history.flatMap { entry in
      ["  \(entry.step)"] + script.texts(entry.plans) + ["    -> \(entry.events.map(text).joined(separator: ", "))"]
    }
    return lines.joined(separator: "\n")
  }
}
