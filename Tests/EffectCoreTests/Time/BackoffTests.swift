// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@Suite struct BackoffTests {
  private struct Busy: Error { var retryAfter: Duration? }

  private func waits(_ backoff: Backoff, _ count: Int = 5) -> [Duration] {
    (1...count).map { wait(backoff, $0) }
  }

  private func wait(_ backoff: Backoff, _ attempt: Int) -> Duration {
    backoff.wait(after: Busy(), attempt: attempt) ?? .seconds(-1)
  }

  @Test func `Waits follow the kind of backoff (C5)`() {
    #expect(waits(.none) == Array(repeating: .zero, count: 5))
    #expect(waits(.constant(.seconds(3))) == Array(repeating: .seconds(3), count: 5))
    #expect(waits(.linear(by: .seconds(2))) == [2, 4, 6, 8, 10].map { .seconds($0) })
    #expect(waits(.linear(by: .seconds(2), upTo: .seconds(5))) == [2, 4, 5, 5, 5].map { .seconds($0) })
    #expect(waits(.exponential(from: .milliseconds(100))) == [100, 200, 400, 800, 1_600].map { .milliseconds($0) })
    #expect(
      waits(.exponential(from: .seconds(1), factor: 3, upTo: .seconds(20))) == [1, 3, 9, 20, 20].map { .seconds($0) })
    #expect(waits(.exponential(from: .seconds(1), factor: 1)) == Array(repeating: .seconds(1), count: 5))
  }

  @Test func `A closure is given the error and the attempt, and says when to try again or gives up (C5)`() {
    let backoff = Backoff { error, attempt in (error as? Busy)?.retryAfter.map { $0 * attempt } }
    #expect(backoff.wait(after: Busy(retryAfter: .seconds(7)), attempt: 2) == .seconds(14))
    #expect(backoff.wait(after: Busy(), attempt: 2) == nil)
    #expect(backoff.wait(after: CancellationError(), attempt: 1) == nil)
  }

  @Test func `Forms are compared, closures are not`() {
    #expect(Backoff.linear(by: .seconds(1)) == .linear(by: .seconds(1)))
    #expect(Backoff.linear(by: .seconds(1)) != .linear(by: .seconds(1)).jittered(by: 1, seed: 1))
    #expect(Backoff { _, _ in nil } == Backoff { _, _ in .zero })
    #expect(Backoff { _, _ in .zero } != .none)
  }

  @Test func `No number of attempts overflows`() {
    for attempt in [64, 1_100, 1 << 40, Int.max] {
      #expect(wait(Backoff.linear(by: .seconds(1)), attempt) <= Backoff.longest)
      #expect(wait(Backoff.exponential(from: .seconds(1)), attempt) == Backoff.longest)
      #expect(wait(Backoff.exponential(from: .seconds(1), factor: .infinity), attempt) == Backoff.longest)
      #expect(wait(Backoff.exponential(from: .zero), attempt) == .zero)
    }
    #expect(wait(Backoff.linear(by: .seconds(1)), .max) == Backoff.longest)
    #expect(wait(Backoff.exponential(from: .seconds(10), upTo: .seconds(3)), 1) == .seconds(3))
  }

  @Test func `A time below zero is zero, and an attempt before the first is the first`() {
    #expect(Backoff.constant(.seconds(-1)) == .none)
    #expect(waits(.linear(by: .seconds(-1))) == Array(repeating: .zero, count: 5))
    #expect(waits(.exponential(from: .seconds(-1))) == Array(repeating: .zero, count: 5))
    #expect(wait(Backoff.linear(by: .seconds(1)), 0) == .seconds(1))
    let jittered = Backoff.linear(by: .seconds(1)).jittered(by: 1, seed: 1)
    #expect(wait(jittered, 0) == wait(jittered, 1))
  }

  @Test func `Jitter keeps to its bounds and fills them (C5)`() {
    let wait = Duration.seconds(10)
    for (share, bounds) in [(1, 0.0...10.0), (0.5, 5...10), (0.2, 8...10), (0, 10...10)] {
      let waits = (0..<2_000).map { self.wait(.constant(wait).jittered(by: share, seed: $0), 1) / .seconds(1) }
      #expect(waits.allSatisfy(bounds.contains), "\(share)")
      let margin = (bounds.upperBound - bounds.lowerBound) / 50
      #expect(waits.contains { $0 <= bounds.lowerBound + margin }, "\(share)")
      #expect(waits.contains { $0 >= bounds.upperBound - margin }, "\(share)")
    }
  }

  @Test func `Jitter shortens what a closure says as well, and the last one counts (C5)`() {
    let asked = Backoff { error, _ in (error as? Busy)?.retryAfter }
    let jittered = asked.jittered(by: 0.5, seed: 9).jittered(by: 1, seed: 1)
    let plain = Backoff.constant(.seconds(10)).jittered(by: 1, seed: 1)
    #expect(jittered.wait(after: Busy(retryAfter: .seconds(10)), attempt: 3) == wait(plain, 3))
    #expect(jittered.wait(after: Busy(), attempt: 3) == nil)
    #expect(plain.jittered(by: 0, seed: 2) == .constant(.seconds(10)))
  }

  @Test func `Jitter follows from the seed and the attempt alone (C5)`() {
    func waits(_ seed: UInt64) -> [Duration] {
      self.waits(.constant(.seconds(10)).jittered(by: 1, seed: seed), 8)
    }
    #expect(waits(1) == waits(1))
    #expect(waits(1) != waits(2))
    #expect(Set(waits(1)).count == 8)
    // The first number of SplitMix64 for the seed 1. It is pinned because tests of users depend on it.
    #expect(
      wait(.constant(.seconds(1 << 20)).jittered(by: 1, seed: 1), 1) / .seconds(1 << 20) == 0.566_561_575_172_280_9)
  }

  @Test func `Waits of any length can be computed (C1)`() {
    let (longest, shortest) = (Duration(attoseconds: .max), Duration(attoseconds: .min))
    for wait in [longest, .seconds(Int64.max), Duration(attoseconds: 1), .zero, .seconds(-1), shortest] {
      for limit in [longest, .seconds(Int64.max), Backoff.longest, .zero, shortest] {
        let backoffs = [
          Backoff.constant(wait), .linear(by: wait, upTo: limit), .exponential(from: wait, upTo: limit),
          .exponential(from: wait, factor: 1, upTo: limit), .exponential(from: wait, factor: .infinity, upTo: limit),
          .exponential(from: wait, factor: 1.000_000_1, upTo: limit),
        ]
        for (backoff, attempt) in backoffs.flatMap({ backoff in [1, 2, 70, Int.max].map { (backoff, $0) } }) {
          let found = self.wait(backoff, attempt)
          #expect(found >= .zero && found <= max(wait, limit, .zero), "\(backoff) \(attempt)")
          #expect(self.wait(.constant(found).jittered(by: 1, seed: 7), attempt) >= .zero)
        }
      }
    }
  }

  @Test func `They print as they are written`() {
    #expect("\(Backoff.none)" == "none")
    #expect("\(Backoff.constant(.seconds(1)))" == "constant(1.0 seconds)")
    #expect("\(Backoff.linear(by: .seconds(1), upTo: .seconds(9)))" == "linear(by: 1.0 seconds, upTo: 9.0 seconds)")
    #expect(
      "\(Backoff.exponential(from: .seconds(1), upTo: .seconds(9)))"
        == "exponential(from: 1.0 seconds, factor: 2.0, upTo: 9.0 seconds)")
    #expect(
      "\(Backoff.constant(.seconds(1)).jittered(by: 0.5, seed: 3))"
        == "constant(1.0 seconds).jittered(by: 0.5, seed: 3)")
    #expect("\(Backoff { _, _ in nil })" == "a closure")
  }
}
