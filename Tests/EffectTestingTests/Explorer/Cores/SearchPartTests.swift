// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

/// The parts of a search, as values: no task, no store.
struct SearchPartTests {
  private func order(_ strategy: inout some ExhaustiveStrategy) -> String {
    var left = [3, 3]
    var (last, text) = (ScheduleAgent.none, "")
    while left != [0, 0] {
      let options = left.indices.filter { left[$0] > 0 }.map {
        ScheduleOption(step: ScheduleStep(kind: .job, index: Int32($0)), agent: 3 + Int32($0), job: Int32($0))
      }
      guard let choice = strategy.choose(among: options, last: last) else { break }
      last = options[choice].agent
      left[Int(last) - 3] -= 1
      text += last == 3 ? "a" : "b"
      strategy.note(StepRecord(footprint: .everything))
    }
    return text
  }

  /// The parts of a part, as a scout finds them.
  private func parts<S: ExhaustiveStrategy>(_ strategy: S) -> [S] {
    var strategy = strategy
    var found: [S] = []
    while strategy.begin() {
      _ = order(&strategy)
      guard let part = strategy.part else { break }
      found.append(part)
      strategy.skipPart()
    }
    return found
  }

  /// The orders of a strategy in a model with two counters, each of which takes three steps.
  private func orders<S: ExhaustiveStrategy>(_ strategy: S, limit: Int = .max) -> [String] {
    var strategy = strategy
    var found: [String] = []
    while found.count < limit, strategy.begin() { found.append(order(&strategy)) }
    return found
  }

  private func checkParts<S: ExhaustiveStrategy>(of whole: S) {
    var all = [whole]
    for _ in 0..<4 {
      all = all.flatMap { part in
        let own = parts(part)
        return own.isEmpty ? [part] : own
      }
      #expect(all.flatMap { orders($0) } == orders(whole))
    }
    #expect(all.count > 1 && orders(whole).count == 20)
  }

  @Test func `The parts of an exhaustive search have its schedules, in its order`() {
    checkParts(of: DepthFirst())
    checkParts(of: SleepSets())
  }

  @Test func `A random search has parts of 500 schedules with other numbers, and the first has those of the search`() {
    let phase = Exploration.Search.Phase(level: .steps, strategy: RandomWalk(seed: 7), share: nil)
    let all = SearchParts.random(phase, budget: 1_200)
    let parts = (0..<(all?.count ?? 0)).compactMap { all?.part($0) }
    #expect(parts.map(\.share) == [500, 500, 200])
    let options = (0..<1_000).map { ScheduleOption(step: ScheduleStep(kind: .job, index: $0), agent: 4) }
    func choices(_ strategy: any Strategy) -> [Int?] {
      var strategy = strategy
      return (0..<5).map { _ in strategy.choose(among: options, last: ScheduleAgent.none) }
    }
    #expect(choices(parts[0].strategy) == choices(RandomWalk(seed: 7)))
    #expect(Set(parts.map { choices($0.strategy) }).count == 3)
    #expect(SearchParts.random(Exploration.Search.Phase(level: .steps, strategy: DepthFirst()), budget: 9) == nil)
  }

  private func outcome(_ schedules: Int, failed: Bool = false) -> PartOutcome {
    var result = Exploration()
    result.schedules = schedules
    return PartOutcome(
      result: result, failureText: failed ? "failed" : nil, evidence: SearchEvidence(),
      knowledge: SearchKnowledge())
  }

  @Test func `After a failure only the parts before it are needed`() {
    var board = PartBoard(count: 5, budget: 1_000)
    #expect((0..<3).map { _ in board.take() } == [0, 1, 2])
    board.end(1, outcome(10, failed: true))
    #expect(board.isNeeded(0) && board.isNeeded(1) && !board.isNeeded(2))
    #expect(board.take() == nil)
    board.end(2, outcome(10))
    board.end(0, outcome(10, failed: true))
    #expect(!board.isNeeded(1))
  }

  @Test func `A part after those that spend the budget is not needed`() {
    var board = PartBoard(count: 4, budget: 20)
    _ = [board.take(), board.take()]
    board.end(1, outcome(15))
    // It is not known yet how many schedules the first part has.
    #expect(board.isNeeded(3))
    board.end(0, outcome(5))
    #expect(!board.isNeeded(2))
    #expect(board.take() == nil)
    #expect(board.outcomes.map { $0?.count } == [5, 15])
  }

  @Test func `A named state is reached if one part has reached it, and a requirement tested if one has tested it`() {
    func reached(_ reached: Set<Int>) -> Sometimes {
      var sometimes = Sometimes()
      let conditions: KeyValuePairs<String, (Int) -> Bool> = [
        "a": { _ in reached.contains(0) }, "b": { _ in reached.contains(1) }, "b": { _ in reached.contains(2) },
      ]
      sometimes.begin(conditions)
      sometimes.check(conditions, in: 0)
      return sometimes
    }
    var whole = Sometimes()
    whole.merge(reached([0]))
    #expect(whole.unreached == ["b", "b"])
    whole.merge(reached([2]))
    #expect(whole.unreached == ["b"])
    whole.merge(reached([1]))
    #expect(whole.unreached == [])

    func tested(_ ids: [String]) -> TestedRequirements {
      var tested = TestedRequirements()
      tested.begin([Exploration.Requirement<Int>.noDeadlock(except: "a", "b"), .nothingDropped])
      for id in ids { tested.started(EffectID(id)) }
      return tested
    }
    var all = TestedRequirements()
    all.merge(tested([]))
    #expect(all.left.count == 3)
    all.merge(tested(["a"]))
    #expect(all.left == [.startOf("b")])
    all.merge(tested(["b"]))
    #expect(all.left.isEmpty)
  }
}
