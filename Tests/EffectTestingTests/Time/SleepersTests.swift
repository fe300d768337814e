// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import EffectTesting
import Testing

/// Waiting until something sleeps on the clock of a real store.
@Suite(.timeLimit(.minutes(5))) struct SleepersTests {
  /// Sleeps for a second and then sends the number that it was started with.
  private static var later: Reduce<[Int], Int> {
    Reduce { state, action in
      if action < 0 {
        state.append(-action)
        return .none
      }
      return .run { send in
        try await send.sleep(for: .seconds(1))
        send(-action)
      }
    }
  }

  @Test func `A real store is advanced when its run sleeps`() async {
    let clock = TestClock()
    let store = Store(initialState: [], reducer: Self.later, clock: clock)
    let sent = store.send(1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await sent.finish()
    #expect(await store.state == [1])
  }

  @Test func `It returns at once when enough sleep already, and for none`() async {
    let clock = TestClock()
    await clock.sleepers(atLeast: 0)
    let sleeper = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
    await clock.sleepers(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleepers.count == 1)
    sleeper.cancel()
  }

  @Test func `Several wait for different numbers`() async {
    let clock = TestClock()
    let waits = [1, 2, 3].map { count in Task { await clock.sleepers(atLeast: count) } }
    let sleepers = (1...3).map { seconds in
      Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds))) }
    }
    for wait in waits { await wait.value }
    #expect(clock.sleepers.count == 3)
    for sleeper in sleepers { sleeper.cancel() }
  }

  @Test func `It returns when its task is cancelled, before or while it waits`() async {
    let clock = TestClock()
    let wait = Task { await clock.sleepers(atLeast: 1) }
    wait.cancel()
    await wait.value
    #expect(clock.sleepers.isEmpty)
  }
}
