// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// The heap of sleepers, as a value, compared with the simplest implementation: a sorted array.
@Suite struct `The timeline` {
  private struct Model {
    var now = Duration.zero
    var sleepers: [(deadline: Duration, number: UInt64, waiter: Waiter)] = []

    mutating func popFirst(until limit: Duration) -> Waiter? {
      sleepers.sort { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
      guard let first = sleepers.first, first.deadline <= limit else { return nil }
      now = max(now, first.deadline)
      return sleepers.removeFirst().waiter
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `behaves like a sorted array`(seed: UInt64) {
    var random = Numbers(seed: seed)
    var timeline = TestClock.Timeline()
    var model = Model()
    for _ in 0..<400 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        // Few different deadlines, so that many are equal; some have passed.
        let deadline = model.now + .seconds(Int.random(in: -1...5, using: &random))
        let waiter = Waiter()
        let number = timeline.add(deadline: deadline, run: nil, waiter)
        #expect((number == nil) == (deadline <= model.now))
        if let number { model.sleepers.append((deadline, number, waiter)) }
      case 5..<7:
        guard let victim = model.sleepers.indices.randomElement(using: &random) else { continue }
        let sleeper = model.sleepers.remove(at: victim)
        #expect(timeline.remove(sleeper.number) === sleeper.waiter)
        #expect(timeline.remove(sleeper.number) == nil)
      case 7..<9:
        let limit = model.now + .seconds(Int.random(in: 0...3, using: &random))
        #expect(timeline.popFirst(until: limit) === model.popFirst(until: limit))
      default:
        guard model.sleepers.allSatisfy({ $0.deadline > model.now + .seconds(1) }) else { continue }
        model.now += .seconds(1)
        timeline.move(to: model.now)
      }
      #expect(timeline.now == model.now)
      #expect(timeline.sleepers.map(\.deadline.offset) == model.sleepers.map(\.deadline).sorted())
    }
    while let waiter = model.popFirst(until: .seconds(1_000)) {
      #expect(timeline.popFirst(until: .seconds(1_000)) === waiter)
    }
    #expect(timeline.popFirst(until: .seconds(1_000)) == nil)
  }

  @Test func `wakes 100,000 in order`() {
    var timeline = TestClock.Timeline()
    // All different and far from sorted: 7919 and 100,000 have no common divisor.
    for index in 0..<100_000 {
      _ = timeline.add(deadline: .milliseconds(index * 7919 % 100_000 + 1), run: nil, Waiter())
    }
    var previous = Duration.zero
    var count = 0
    while timeline.popFirst(until: .seconds(100)) != nil {
      if timeline.now == previous + .milliseconds(1) { count += 1 }
      previous = timeline.now
    }
    #expect(count == 100_000)
  }

  @Test func `releases cancelled sleepers that never come up`() throws {
    var timeline = TestClock.Timeline()
    let first = timeline.add(deadline: .seconds(1), run: nil, Waiter())
    for _ in 0..<10_000 {
      // A debounce: each new sleeper cancels the one before, and none of them ever wakes.
      let number = timeline.add(deadline: .seconds(2), run: nil, Waiter())
      _ = try timeline.remove(#require(number))
    }
    #expect(timeline.entryCount < 200)
    #expect(timeline.sleepers.map(\.deadline.offset) == [.seconds(1)])
    #expect(first == 1)
  }

  @Test func `does not go back`() {
    var timeline = TestClock.Timeline()
    timeline.move(to: .seconds(2))
    timeline.move(to: .seconds(1))
    #expect(timeline.now == .seconds(2))
  }
}
