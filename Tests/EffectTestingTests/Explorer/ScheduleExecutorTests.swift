// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

/// The jobs of a schedule, without a store.
struct ScheduleExecutorTests {
  private let executor = ScheduleExecutor()

  /// This thread plays a schedule meanwhile, so what the body makes ready waits for it.
  private func play(_ body: () -> Void) {
    executor.begin()
    executor.startPlaying()
    defer { executor.stopPlaying() }
    body()
    executor.drain()
  }

  @Test func `Each job that no other job has made ready begins a chain of its own`() {
    play {
      for _ in 0..<3 { Task(executorPreference: executor) {} }
      var options: [ScheduleOption] = []
      executor.list(into: &options, withParts: false)
      #expect(options.map(\.agent) == (0..<3).map { ScheduleAgent.firstOfJobs + $0 })
    }
  }

  @Test func `No job stops behind a message after the job that was to stop is over`() {
    play {
      Task(executorPreference: executor) {}
      _ = executor.run(0, joinsJobs: false, isPart: true)
      let stops = executor.willSend(by: .none)
      #expect(!stops)
    }
  }

  @Test func `A step is given up whose jobs make each other ready without end`() {
    let isOver = Shared(false)
    play {
      Task(executorPreference: executor) {
        while !isOver.value { await Task.yield() }
      }
      let hasEnded = executor.run(0, joinsJobs: true)
      #expect(!hasEnded)
      isOver.value = true
    }
  }
}
