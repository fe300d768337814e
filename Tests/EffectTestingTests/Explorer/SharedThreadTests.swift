// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An exploration, and other tasks of the process.
@Suite struct SharedThreadTests {
  @MainActor private final class Turns {
    var count = 0
    var isOver = false
  }

  @Test func `A search yields at once, and then at most every 10 ms`() {
    let beginning = ContinuousClock.now
    var thread = SharedThread()
    let yields = (0..<1_000).count { _ in thread.shouldYield() }
    let most: Double = 1 + (ContinuousClock.now - beginning) / .milliseconds(10)
    #expect(yields >= 1)
    #expect(Double(yields) <= most)
  }

  @Test @MainActor func `Other tasks of the same actor run while an exploration goes on`() async {
    let turns = Turns()
    let other = Task {
      while !turns.isOver {
        turns.count += 1
        await Task.yield()
      }
    }
    // 40 schedules of at least 3 ms: more than ten times the time between two yields.
    await explore(budget: .schedules(40)) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          state += action
          return .none
        }, always: { $0 >= 0 })
      usleep(3_000)
      run.send(1)
      run.send(2)
    }
    turns.isOver = true
    await other.value
    #expect(turns.count >= 5)
  }
}
