// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Durations that cannot be added: time stops at the longest possible duration.
@Suite struct `The longest durations of virtual time` {
  private let longest = Duration(attoseconds: .max)

  /// The last time that a clock shows: what never comes is later.
  private var last: Duration { Duration(attoseconds: .max - 1) }

  @Test(arguments: [Duration.nanoseconds(Int64.max), .seconds(Int64.max), Duration(attoseconds: .max)])
  func `A sleep without end is not over when any time has passed (C1)`(wait: Duration) async throws {
    let clock = TestClock()
    let sleeper = Task { try await clock.sleep(for: wait) }
    await clock.sleepers(atLeast: 1)
    #expect(!clock.advanceToNext())
    #expect(clock.runUntilIdle())
    clock.advance(by: longest)
    clock.advance(by: longest)
    #expect(clock.now == TestClock.Instant(offset: last))
    #expect(clock.sleepers.count == 1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    let first = TestClock.Instant(offset: Duration(attoseconds: .min))
    #expect(first.duration(to: clock.now) == longest)
    #expect(clock.now.duration(to: first) == Duration(attoseconds: .min))
  }

  @Test func `After an endless time a wait with an end still ends (C1)`() async {
    let store = counterStore(work { send in send(.increment) }.delay(for: .seconds(1)))
    store.advance(by: .seconds(Int64.max))
    store.send(.start)
    store.advance(by: .seconds(1))
    await store.receive(.increment) { $0.count = 1 }
    await store.finish()
  }

  /// Waits by each modifier, and by the code of a run. The run that would come first shows that it has not come.
  private func endless(_ wait: Duration) -> [String: Effect<Int>] {
    let run = Effect<Int>.run(id: "x", overlap: .restart) { send in send(9) }
    return [
      "delay": run.delay(for: wait), "debounce": run.debounce(for: wait),
      "sleep": .run(id: "x", overlap: .restart) { send in
        try await send.sleep(for: wait)
        send(9)
      },
      "retry": Effect<Int>.run(id: "x", overlap: .restart) { _ in
        throw CancellationError()
      } catch: { _, send in
        send(9)
      }
      .retry(attempts: 2, backoff: .constant(wait)),
      "timeout": Effect<Int>.run(id: "x", overlap: .restart) { send in
        try await send.sleep(for: .seconds(Int64.max))
      } catch: { _, send in
        send(9)
      }.timeout(after: wait),
      "timer": .timer(id: "x", overlap: .restart, every: wait) { _ in 9 },
    ]
  }

  @Test(arguments: ["delay", "debounce", "sleep", "retry", "timeout", "timer"])
  func `What waits without end waits until it is cancelled, in a test and in an exploration (C1)`(kind: String) async {
    let reducer = Reduce<Int, Int> { [self] state, action in
      state = action
      return action == 0 ? endless(.seconds(Int64.max))[kind] ?? .none : action == 1 ? .cancel(id: "x") : .none
    }
    let result = await explore(initialState: 0, reducer: reducer) { script in
      script.send(0)
      script.advance(by: .seconds(Int64.max))
      script.send(1)
    } always: {
      $0 != 9
    } finally: {
      $0 == 1
    }
    #expect(result.failure == nil, "\(result)")
    let store = TestStore(initialState: 0, reducer: reducer)
    store.send(0)
    store.advance(by: .seconds(Int64.max))
    store.advance(by: longest)
    store.runUntilIdle()
    #expect(!store.effects.isEmpty)
    store.send(1) { $0 = 1 }
    await store.finish()
  }
}
