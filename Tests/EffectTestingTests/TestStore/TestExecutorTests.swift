// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Jobs and messages that arrive between a drain and a wait are not lost.
@Suite(.timeLimit(.minutes(5))) struct `The executor of a test` {
  private let long = ContinuousClock.now + .seconds(3_600)

  @Test func `does not wait for a message that has arrived`() async {
    let executor = TestExecutor()
    executor.scheduleDrain()
    #expect(await executor.arrival(before: long))
    // A drain clears the notification, so it counts once.
    executor.drain()
    #expect(await !executor.arrival(before: .now))
  }

  @Test func `does not wait for a job that is ready`() async {
    let executor = TestExecutor()
    let ended = Diary<Int>()
    let task = Task(executorPreference: executor) { ended.write(1) }
    #expect(await executor.arrival(before: long))
    #expect(ended.all == [])
    executor.drain()
    #expect(ended.all == [1])
    await task.value
  }

  @Test func `wakes all waiters, for a job and for a message`() async {
    let executor = TestExecutor()
    for news in ["message", "job"] {
      async let first = executor.arrival(before: long)
      async let second = executor.arrival(before: long)
      if news == "job" { Task(executorPreference: executor) {} } else { executor.scheduleDrain() }
      #expect(await [first, second] == [true, true])
      executor.drain()
    }
  }

  @Test func `runs jobs in the order they arrived`() {
    let executor = TestExecutor()
    let order = Diary<Int>()
    for number in 0..<100 { Task(executorPreference: executor) { order.write(number) } }
    executor.drain()
    #expect(order.all == Array(0..<100))
  }

  @Test func `reports once that jobs have no end, and gives them less time from then on`() async {
    let executor = TestExecutor(jobLimit: 100)
    let task = Task(executorPreference: executor) {
      while !Task.isCancelled { await Task.yield() }
    }
    #expect(!executor.drain())
    #expect(executor.drain())
    task.cancel()
    #expect(executor.drain())
    await task.value
  }

  @Test func `does not report many jobs as endless`() async {
    let executor = TestExecutor(jobLimit: 100)
    let ended = Diary<Int>()
    for number in 0..<1_000 {
      Task(executorPreference: executor) {
        await Task.yield()
        ended.write(number)
      }
    }
    #expect(executor.drain())
    #expect(ended.count == 1_000)
    #expect(!executor.isRestless)
  }

  @Test func `runs no jobs after the test has ended`() {
    let executor = TestExecutor(jobLimit: 100)
    let steps = Diary<Void>()
    Task(executorPreference: executor) {
      while true {
        steps.write(())
        await Task.yield()
      }
    }
    executor.drain()
    executor.abandon()
    #expect(steps.count <= 200)
  }
}
