// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Who is chosen when, as values: no task, no store.
struct StrategyTests {
  /// What a strategy chooses in a world of two counters, each of which takes so many steps.
  private func orders(_ strategy: some Strategy, _ left: Int, _ right: Int, limit: Int = 1_000) -> [String] {
    var strategy = strategy
    var found: [String] = []
    while found.count < limit, strategy.begin() {
      var (a, b, last, text) = (left, right, ScheduleAgent.nobody, "")
      while a + b > 0 {
        var options: [ScheduleOption] = []
        if a > 0 { options.append(ScheduleOption(step: ScheduleStep(kind: .job, index: 0), agent: 3)) }
        if b > 0 { options.append(ScheduleOption(step: ScheduleStep(kind: .job, index: 1), agent: 4)) }
        guard let choice = strategy.choose(among: options, last: last) else { continue }
        last = options[choice].agent
        if last == 3 {
          a -= 1
          text += "a"
        } else {
          b -= 1
          text += "b"
        }
      }
      found.append(text)
    }
    return found
  }

  @Test func `Depth first meets each order once, in lexical order`() {
    #expect(orders(DepthFirst(), 2, 2) == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
    #expect(orders(DepthFirst(), 3, 3).count == 20)
  }

  @Test func `A bound leaves out what has more preemptions, and says so`() {
    #expect(orders(DepthFirst(preemptions: 0), 2, 2) == ["aabb", "bbaa"])
    #expect(orders(DepthFirst(preemptions: 1), 2, 2) == ["aabb", "abba", "baab", "bbaa"])
    #expect(orders(DepthFirst(preemptions: 2), 2, 2).count == 6)
    var bounded = DepthFirst(preemptions: 0)
    let options = [3, 4].map { ScheduleOption(step: ScheduleStep(kind: .job), agent: $0) }
    _ = bounded.begin()
    _ = bounded.choose(among: options, last: ScheduleAgent.nobody)
    #expect(bounded.finding == .none)
    _ = bounded.choose(among: options, last: 3)
    #expect(bounded.finding == .isBounded)
  }

  @Test func `Depth first notices that a place does not offer what it did before`() {
    var strategy = DepthFirst()
    let options = (0..<3).map { ScheduleOption(step: ScheduleStep(kind: .job, index: $0), agent: 3 + $0) }
    _ = strategy.begin()
    _ = strategy.choose(among: options, last: ScheduleAgent.nobody)
    _ = strategy.begin()
    _ = strategy.choose(among: Array(options.dropLast()), last: ScheduleAgent.nobody)
    #expect(strategy.finding == .diverged(at: 0))
  }

  @Test func `Depth first goes on with an option there is where fewer are offered than before`() {
    var strategy = DepthFirst()
    let options = (0..<3).map { ScheduleOption(step: ScheduleStep(kind: .job, index: $0), agent: 3 + $0) }
    // Two choices in a row, until the last of three is chosen first.
    var first: Int?
    while first != 2, strategy.begin() {
      first = strategy.choose(among: options, last: ScheduleAgent.nobody)
      _ = strategy.choose(among: Array(options.dropLast()), last: ScheduleAgent.nobody)
    }
    // The other schedule that begins so has only two to offer, and two behind them; so has the one after it.
    var begun = 0
    while begun < 10, strategy.begin() {
      begun += 1
      for _ in 0..<3 {
        let choice = strategy.choose(among: Array(options.dropLast()), last: ScheduleAgent.nobody)
        #expect(choice.map { $0 < 2 } == true)
      }
    }
    #expect(begun == 2)
    #expect(strategy.finding == .diverged(at: 0))
  }

  @Test func `The same seed makes the same walk, and another seed another`() {
    #expect(orders(RandomWalk(seed: 7), 5, 5, limit: 20) == orders(RandomWalk(seed: 7), 5, 5, limit: 20))
    #expect(orders(RandomWalk(seed: 7), 5, 5, limit: 20) != orders(RandomWalk(seed: 8), 5, 5, limit: 20))
    #expect(Set(orders(RandomWalk(seed: 1), 2, 2, limit: 200)).count == 6)
  }

  @Test func `Priorities change no oftener than they may`() {
    let walks = orders(PriorityWalk(seed: 3, changes: 1), 4, 4, limit: 300)
    #expect(walks == orders(PriorityWalk(seed: 3, changes: 1), 4, 4, limit: 300))
    for walk in walks {
      let switches = zip(walk, walk.dropFirst()).count { $0 != $1 }
      // One where somebody has ended, and one for each change there and back.
      #expect(switches <= 3)
    }
    #expect(Set(walks).count > 2)
  }

  @Test func `A schedule is read as it is written`() {
    let text = "u d e1 t0 c2 s"
    #expect(ScheduleStep.schedule(in: text).steps.map { ScheduleStep.text(of: $0) } == text)
    #expect(ScheduleStep.schedule(in: "u x3").stranger == "x3")
    #expect(ScheduleStep.schedule(in: "e-1").stranger == "e-1")
  }

  @Test func `Ever fewer schedules are run twice`() {
    var check = RepeatCheck()
    #expect((0..<5_000).filter { check.isDue($0) } == [0, 64, 4_096])
    #expect(RepeatCheck.difference(["a", "b"], ["a", "b"]) == nil)
    #expect(RepeatCheck.difference(["a", "b"], ["a"]) == 1)
    #expect(RepeatCheck.difference(["a", "b"], ["a", "c"]) == 1)
  }
}
