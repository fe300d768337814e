// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Durations that cannot be added: time stops at the longest possible duration.
@Suite struct `The longest durations of virtual time` {
  private let longest = Duration(attoseconds: .max)

  @Test func `A clock stops at the last possible instant`() async throws {
    let (clock, immediate) = (TestClock(), ImmediateClock())
    clock.advance(by: .seconds(1))
    let sleeper = Task { try await clock.sleep(for: longest) }
    clock.advance(by: longest)
    clock.advance(by: longest)
    #expect(clock.now == TestClock.Instant(offset: longest))
    try await sleeper.value
    try await immediate.sleep(for: longest)
    try await immediate.sleep(for: longest)
    #expect(immediate.now == VirtualInstant(offset: longest))
    let first = TestClock.Instant(offset: Duration(attoseconds: .min))
    #expect(first.duration(to: clock.now) == longest)
    #expect(clock.now.duration(to: first) == Duration(attoseconds: .min))
  }

  @Test func `A test store reaches the last instant and stays there (C1, C2)`() async {
    let store = counterStore(work { send in send(.increment) }.delay(for: longest))
    store.advance(by: .seconds(1))
    store.send(.start)
    store.advance(by: longest)
    await store.receive(.increment) { $0.count = 1 }
    store.advance(by: longest)
    #expect(store.clock.now == TestClock.Instant(offset: longest))
    await store.finish()
  }

  @Test func `The longest time that must pass is written exactly`() async {
    let store = counterStore(work { _ in }.delay(for: longest))
    store.send(.start)
    let found = await failures { await store.receive(.increment) { $0.count = 1 } }
    let step = "store.advance(by: Duration(attoseconds: 170141183460469231731687303715884105727))"
    #expect(found.first?.text.hasSuffix("`\(step)`.") == true, "\(found)")
    store.advance(by: Duration(attoseconds: 170141183460469231731687303715884105727))
    await store.finish()
  }

  @Test func `A timer ends its ticks where time ends, and waits until it is cancelled (C1, C2)`() async {
    let ticking = Reduce<Int, Int> { state, action in
      state = action
      return action == 0 ? .timer(id: "timer", overlap: .restart, every: .seconds(Int64.max)) { $0 } : .none
    }
    let result = await explore { schedule in
      let script = schedule.store(
        initialState: 0, reducer: ticking, requiring: [.noDeadlock(except: "timer")], finally: { $0 == 18 })
      script.send(0)
    }
    #expect(result.failure == nil)
    #expect(result.cut == 0, "\(result)")
    let store = TestStore(initialState: 0, reducer: ticking)
    store.send(0)
    store.advance(by: longest)
    for tick in 1...18 { await store.receive(tick) { $0 = tick } }
    #expect(store.status("timer").running == 1)
    store.cancelInFlight()
    await store.finish()
  }
}
