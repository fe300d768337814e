// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct `The test clock` {
  private typealias Instant = TestClock.Instant

  private func sleepers(_ seconds: [Int], _ diary: Diary<String>) -> TestStore<Reduce<Counter, CounterAction>> {
    counterStore(
      .merge(
        seconds.enumerated().map { index, seconds in
          .run { send in
            try await send.sleep(for: .seconds(seconds))
            diary.write("\(index) at \(send.now)")
          }
        }))
  }

  @Test func `wakes sleepers by deadline, and at one instant in the order they fell asleep (C3)`() async {
    let diary = Diary<String>()
    let store = sleepers([3, 1, 2, 1, 3], diary)
    store.send(.start)
    #expect(store.clock.sleepers.map(\.deadline.offset) == [1, 1, 2, 3, 3].map { .seconds($0) })
    store.advance(by: .seconds(3))
    #expect(
      diary.all == [
        "1 at 1.0 seconds", "3 at 1.0 seconds", "2 at 2.0 seconds", "0 at 3.0 seconds", "4 at 3.0 seconds",
      ])
    await store.finish()
  }

  @Test func `lets each sleeper go on before it wakes the next, so new sleepers come in order (C3)`() async {
    let diary = Diary<String>()
    let store = counterStore(
      .merge(
        .run { send in
          try await send.sleep(for: .seconds(1))
          diary.write("a at \(send.now)")
          try await send.sleep(for: .seconds(1))
          diary.write("b at \(send.now)")
          try await send.sleep(for: .zero)
          diary.write("c at \(send.now)")
        },
        .run { send in
          for _ in 1...2 {
            try await send.sleep(for: .milliseconds(1500))
            diary.write("x at \(send.now)")
          }
        }))
    store.send(.start)
    store.advance(by: .seconds(3))
    #expect(
      diary.all == ["a at 1.0 seconds", "x at 1.5 seconds", "b at 2.0 seconds", "c at 2.0 seconds", "x at 3.0 seconds"])
    await store.finish()
  }

  @Test func `shows the target when nothing sleeps, and wakes no sleeper beyond it`() async {
    let diary = Diary<String>()
    let store = sleepers([5], diary)
    store.send(.start)
    store.advance(by: .seconds(4))
    #expect(store.clock.now == Instant(offset: .seconds(4)))
    #expect(diary.all == [])
    store.advance(to: Instant(offset: .seconds(5)))
    #expect(diary.all == ["0 at 5.0 seconds"])
    await store.finish()
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `returns at the same instant for a deadline that has come`(duration: Duration) async throws {
    let clock = TestClock()
    clock.advance(by: .seconds(2))
    try await clock.sleep(for: duration)
    #expect(clock.now.offset == .seconds(2))
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `throws at once for a task that was cancelled before its sleep`() async {
    let clock = TestClock()
    let gate = Gate()
    let task = Task {
      await gate.wait()
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `throws at once for a task that is cancelled while it sleeps, and removes it`() async {
    let diary = Diary<String>()
    let store = counterStore(
      work { send in
        do {
          try await send.sleep(for: .seconds(10))
        } catch {
          diary.write("\(type(of: error)) at \(send.now)")
        }
      })
    store.send(.start)
    store.advance(by: .seconds(1))
    #expect(store.clock.sleepers.count == 1)
    store.send(.stop)
    #expect(diary.all == ["CancellationError at 1.0 seconds"])
    #expect(store.clock.sleepers.isEmpty)
    await store.finish()
  }

  @Test func `wakes 10,000 runs of a store in order`() async {
    let order = Diary<Int>()
    // All different and far from sorted: 7919 and 10,000 have no common divisor.
    let deadlines = (0..<10_000).map { $0 * 7919 % 10_000 + 1 }
    let store = counterStore(
      .merge(
        deadlines.map { deadline in
          .run { send in
            try await send.sleep(for: .milliseconds(deadline))
            order.write(deadline)
          }
        }))
    store.send(.start)
    store.advance(by: .seconds(10))
    #expect(order.all == Array(1...10_000))
    await store.finish()
  }

  @Test func `works like any clock, without a store, moved by one thread while others sleep`() async {
    let clock = TestClock()
    let sleeping: any Clock<Duration> = clock
    let slept = Diary<Int>()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<1_000 {
        group.addTask {
          try? await sleeping.sleep(for: .milliseconds(index % 100))
          slept.write(index)
        }
      }
      group.addTask {
        // A task that falls asleep late sleeps from then on, so time must go on until all have slept.
        while slept.count < 1_000 {
          clock.advance(by: .milliseconds(10))
          await Task.yield()
        }
      }
    }
    #expect(slept.count == 1_000)
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `goes on to the next instant, and wakes all that sleep until then`() async {
    let clock = TestClock()
    let executor = TestExecutor()
    let diary = Diary<Int>()
    for seconds in [2, 1, 2] {
      Task(executorPreference: executor) {
        try await clock.sleep(for: .seconds(seconds))
        diary.write(seconds)
      }
    }
    executor.drain()
    for expected in [[1], [1, 2, 2]] {
      #expect(clock.advanceToNext())
      executor.drain()
      #expect(diary.all == expected)
    }
    #expect(!clock.advanceToNext())
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func `passes over sleepers that were cancelled`() async {
    let clock = TestClock()
    let executor = TestExecutor()
    let first = Task(executorPreference: executor) { try await clock.sleep(for: .seconds(1)) }
    Task(executorPreference: executor) { try await clock.sleep(for: .seconds(2)) }
    executor.drain()
    first.cancel()
    #expect(clock.advanceToNext())
    #expect(clock.now.offset == .seconds(2))
    executor.drain()
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `goes on until nothing sleeps, in the order of the deadlines`() async {
    let clock = TestClock()
    let executor = TestExecutor()
    let diary = Diary<Int>()
    for seconds in [3, 1, 2] {
      Task(executorPreference: executor) {
        try await clock.sleep(for: .seconds(seconds))
        diary.write(seconds)
      }
    }
    executor.drain()
    #expect(clock.runUntilIdle())
    executor.drain()
    #expect(diary.all == [1, 2, 3])
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func `stops at the limit of sleepers that it may wake`() async {
    let clock = TestClock()
    let executor = TestExecutor()
    for seconds in 1...5 { Task(executorPreference: executor) { try await clock.sleep(for: .seconds(seconds)) } }
    executor.drain()
    #expect(!clock.runUntilIdle(limit: 3))
    #expect(clock.now.offset == .seconds(3))
    #expect(clock.sleepers.count == 2)
    #expect(clock.runUntilIdle(limit: 2))
    executor.drain()
    #expect(clock.runUntilIdle(limit: 0))
  }

  @Test func `loses no cancellation that comes together with a wake`() async {
    let clock = TestClock()
    for _ in 0..<2_000 {
      let task = Task { try await clock.sleep(for: .milliseconds(1)) }
      async let moved: Void = clock.advance(by: .milliseconds(1))
      task.cancel()
      await moved
      _ = await task.result
    }
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `counts instants from its beginning`() {
    let clock = TestClock()
    #expect(clock.now == Instant())
    #expect(clock.minimumResolution == .zero)
    clock.advance(by: .seconds(2))
    clock.advance(to: Instant(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(2))
    #expect(Instant(offset: .seconds(1)) < clock.now)
    #expect(clock.now.duration(to: clock.now.advanced(by: .seconds(3))) == .seconds(3))
  }
}
