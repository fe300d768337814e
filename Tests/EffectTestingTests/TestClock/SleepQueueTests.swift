// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// The heap of sleepers, as a value, compared with the simplest implementation: a sorted array.
@Suite struct `The queue of sleepers` {
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
    var queue = TestClock.SleepQueue()
    var model = Model()
    for _ in 0..<400 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        // Few different deadlines, so that many are equal; some have passed.
        let deadline = model.now + .seconds(Int.random(in: -1...5, using: &random))
        let waiter = Waiter()
        let number = queue.add(deadline: deadline, run: nil, waiter)
        #expect((number == nil) == (deadline <= model.now))
        if let number { model.sleepers.append((deadline, number, waiter)) }
      case 5..<7:
        guard let victim = model.sleepers.indices.randomElement(using: &random) else { continue }
        let sleeper = model.sleepers.remove(at: victim)
        #expect(queue.remove(sleeper.number) === sleeper.waiter)
        #expect(queue.remove(sleeper.number) == nil)
      case 7..<9:
        let limit = model.now + .seconds(Int.random(in: 0...3, using: &random))
        #expect(queue.popFirst(until: limit) === model.popFirst(until: limit))
      default:
        guard model.sleepers.allSatisfy({ $0.deadline > model.now + .seconds(1) }) else { continue }
        model.now += .seconds(1)
        queue.move(to: model.now)
      }
      #expect(queue.now == model.now)
      #expect(queue.sleepers.map(\.deadline.offset) == model.sleepers.map(\.deadline).sorted())
    }
    while let waiter = model.popFirst(until: .seconds(1_000)) {
      #expect(queue.popFirst(until: .seconds(1_000)) === waiter)
    }
    #expect(queue.popFirst(until: .seconds(1_000)) == nil)
  }

  @Test func `wakes 100,000 in order`() {
    var queue = TestClock.SleepQueue()
    // All different and far from sorted: 7919 and 100,000 have no common divisor.
    for index in 0..<100_000 {
      _ = queue.add(deadline: .milliseconds(index * 7919 % 100_000 + 1), run: nil, Waiter())
    }
    var previous = Duration.zero
    var count = 0
    while queue.popFirst(until: .seconds(100)) != nil {
      if queue.now == previous + .milliseconds(1) { count += 1 }
      previous = queue.now
    }
    #expect(count == 100_000)
  }

  @Test func `releases cancelled sleepers that never come up`() throws {
    var queue = TestClock.SleepQueue()
    let first = queue.add(deadline: .seconds(1), run: nil, Waiter())
    for _ in 0..<10_000 {
      // A debounce: each new sleeper cancels the one before, and none of them ever wakes.
      let number = queue.add(deadline: .seconds(2), run: nil, Waiter())
      _ = try queue.remove(#require(number))
    }
    #expect(queue.entryCount < 200)
    #expect(queue.sleepers.map(\.deadline.offset) == [.seconds(1)])
    #expect(first == 1)
  }

  @Test func `does not go back`() {
    var queue = TestClock.SleepQueue()
    queue.move(to: .seconds(2))
    queue.move(to: .seconds(1))
    #expect(queue.now == .seconds(2))
  }
}
