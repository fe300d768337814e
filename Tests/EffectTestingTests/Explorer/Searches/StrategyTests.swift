// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// The choices of the strategies, as values: no task, no store.
struct StrategyTests {
  /// The choices of a strategy in a model with two counters, each of which takes the given number of steps.
  private func orders(_ strategy: some Strategy, _ left: Int, _ right: Int, limit: Int = 1_000) -> [String] {
    var strategy = strategy
    var found: [String] = []
    while found.count < limit, strategy.begin() {
      var (a, b, last, text) = (left, right, ScheduleAgent.none, "")
      while a + b > 0 {
        var options: [ScheduleOption] = []
        if a > 0 { options.append(ScheduleOption(step: ScheduleStep(kind: .job, index: 0), agent: 3)) }
        if b > 0 { options.append(ScheduleOption(step: ScheduleStep(kind: .job, index: 1), agent: 4)) }
        let choice = strategy.choose(among: options, last: last)
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

  @Test func `Depth first produces each order once, in lexical order`() {
    #expect(orders(DepthFirst(), 2, 2) == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
    #expect(orders(DepthFirst(), 3, 3).count == 20)
  }

  @Test func `Depth first detects that a position offers other options than before`() {
    var strategy = DepthFirst()
    let options = (0..<3).map { ScheduleOption(step: ScheduleStep(kind: .job, index: $0), agent: 3 + $0) }
    _ = strategy.begin()
    _ = strategy.choose(among: options, last: ScheduleAgent.none)
    _ = strategy.begin()
    _ = strategy.choose(among: Array(options.dropLast()), last: ScheduleAgent.none)
    #expect(strategy.finding == .diverged(at: 0))
  }

  @Test func `Depth first goes on with an existing option if there are fewer options than before`() {
    var strategy = DepthFirst()
    let options = (0..<3).map { ScheduleOption(step: ScheduleStep(kind: .job, index: $0), agent: 3 + $0) }
    // Two choices one after another, until the last of three options is chosen first.
    var first: Int?
    while first != 2, strategy.begin() {
      first = strategy.choose(among: options, last: ScheduleAgent.none)
      _ = strategy.choose(among: Array(options.dropLast()), last: ScheduleAgent.none)
    }
    // The other schedule with this beginning has only two options, and then two more; so has the next schedule.
    var begun = 0
    while begun < 10, strategy.begin() {
      begun += 1
      for _ in 0..<3 {
        let choice = strategy.choose(among: Array(options.dropLast()), last: ScheduleAgent.none)
        #expect(choice < 2)
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

  @Test func `Priorities change at most as often as permitted`() {
    let walks = orders(PriorityWalk(seed: 3, changes: 1), 4, 4, limit: 300)
    #expect(walks == orders(PriorityWalk(seed: 3, changes: 1), 4, 4, limit: 300))
    for walk in walks {
      let switches = zip(walk, walk.dropFirst()).count { $0 != $1 }
      // One change when an agent has ended, and two for each change of priority, there and back.
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

  @Test func `Fewer and fewer schedules are run twice`() {
    var check = RepeatCheck()
    #expect((0..<5_000).filter { check.isDue($0) } == [0, 64, 4_096])
    #expect(RepeatCheck.difference(["a", "b"], ["a", "b"]) == nil)
    #expect(RepeatCheck.difference(["a", "b"], ["a"]) == 1)
    #expect(RepeatCheck.difference(["a", "b"], ["a", "c"]) == 1)
  }

  @Test func `At most eight schedules are slow`() {
    var check = RepeatCheck()
    let slow = [.milliseconds(2)] + Array(repeating: Duration.milliseconds(3), count: 10)
    let found = slow.map { check.isSlow($0) }
    #expect(found == [false] + Array(repeating: true, count: 8) + [false, false])
  }
}
