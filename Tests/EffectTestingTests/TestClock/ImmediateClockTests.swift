// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct `The immediate clock` {
  private typealias Instant = VirtualInstant

  @Test func `moves time forward by sleeping, and returns at once`() async throws {
    let clock = ImmediateClock()
    #expect(clock.now == Instant())
    try await clock.sleep(for: .seconds(3_600))
    try await clock.sleep(for: .seconds(1))
    #expect(clock.now.offset == .seconds(3_601))
    #expect(clock.minimumResolution == .zero)
  }

  @Test func `never goes back`() async throws {
    let clock = ImmediateClock(now: Instant(offset: .seconds(5)))
    try await clock.sleep(until: Instant(offset: .seconds(2)))
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `stays monotone under many threads`() async {
    let clock = ImmediateClock()
    let wentBack = Diary<String>()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          var last = clock.now
          for step in 0..<500 {
            try? await clock.sleep(until: Instant(offset: .seconds((step * 7 + index * 13) % 500)))
            let now = clock.now
            if now < last { wentBack.write("\(last) to \(now)") }
            last = now
          }
        }
      }
    }
    #expect(wentBack.all == [])
    #expect(clock.now.offset == .seconds(499))
  }

  @Test func `throws for a cancelled task, and does not move`() async {
    let clock = ImmediateClock()
    let gate = Gate()
    let task = Task {
      await gate.wait()
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now == Instant())
  }

  @Test func `serves as the clock of a store (C1)`() async {
    let store = Store(
      initialState: Counter(),
      reducer: counter(
        work { send in
          try await send.sleep(for: .seconds(300))
          send(.set(Int(send.now.components.seconds)))
        }), clock: .immediate)
    await store.send(.start).finish()
    #expect(await store.state.count == 300)
  }
}

/// Code that takes a clock of any type works with both.
@Suite struct `Any clock` {
  private func timeout<C: Clock>(_ clock: C, after duration: C.Instant.Duration) async throws -> Bool
  where C.Instant.Duration == Duration {
    let deadline = clock.now.advanced(by: duration)
    try await clock.sleep(until: deadline, tolerance: nil)
    return clock.now >= deadline
  }

  @Test func `may be an immediate or a test clock, in generic code and as an existential`() async throws {
    #expect(try await timeout(.immediate, after: .seconds(60)))
    let any: any Clock<Duration> = .immediate
    try await any.sleep(for: .seconds(60))

    let clock = TestClock()
    let executor = TestExecutor()
    let task = Task(executorPreference: executor) { try await timeout(clock, after: .seconds(60)) }
    executor.drain()
    #expect(clock.sleepers.count == 1)
    clock.advance(by: .seconds(60))
    executor.drain()
    #expect(try await task.value)
  }

  @Test func `of a test wakes 100,000 tasks in order`() async {
    let clock = TestClock()
    let executor = TestExecutor(jobLimit: 1_000_000)
    let order = Diary<Int>()
    #if TSAN
      let count = 10_000
    #else
      let count = 100_000
    #endif
    // All different and far from sorted: 7919 has no common divisor with either number.
    for index in 0..<count {
      let deadline = index * 7919 % count + 1
      Task(executorPreference: executor) {
        try await clock.sleep(for: .milliseconds(deadline))
        order.write(deadline)
      }
    }
    executor.drain()
    while clock.advanceToNext() { executor.drain() }
    #expect(order.all == Array(1...count))
    #expect(clock.now.offset == .milliseconds(count))
  }
}
