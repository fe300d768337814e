// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private indirect enum Act: Sendable { case perform(Effect<Act>), tick }

/// A duration of any size is a duration (C1): none traps, and one that no clock reaches lasts until it is cancelled.
@Suite(.timeLimit(.minutes(5))) struct AnyDurationTests {
  private static let huge: [Duration] = [
    Duration(attoseconds: .max), Duration(attoseconds: .max - 1), .seconds(Int64.max), .seconds(Int64.max / 2 + 1),
  ]
  private static let past: [Duration] = [
    .zero, Duration(attoseconds: -1), .seconds(-1), .seconds(Int64.min), Duration(attoseconds: .min),
  ]
  private let clock = ManualClock()

  private func makeStore(clock: any Clock<Duration>) -> Store<Reduce<Int, Act>> {
    Store(
      initialState: 0,
      reducer: Reduce { state, action in
        if case .perform(let effect) = action { return effect }
        state += 1
        return .none
      }, clock: clock)
  }

  @Test(arguments: huge)
  func `A timer of a period that no clock reaches waits until it is cancelled (C1, C2)`(period: Duration) async {
    clock.advance(by: .seconds(1))
    let store = makeStore(clock: clock)
    store.send(.perform(.timer(id: "t", overlap: .restart, every: period, .tick)))
    await clock.log.wait(for: "sleeps")
    clock.advance(by: .seconds(1_000_000))
    #expect(await store.isRunning("t"))
    await store.send(.perform(.cancel(id: "t"))).finish()
    #expect(await store.shutdown(.draining).isEmpty)
    #expect(await store.state == 0)
  }

  @Test(arguments: huge)
  func `On a clock of the system too (C1)`(period: Duration) async {
    let sleeps = Tally()
    for clock in [ContinuousClock(), SuspendingClock()] as [any Clock<Duration>] {
      let store = makeStore(clock: clock)
      let timer = Effect<Act>.timer(id: "t", overlap: .restart, every: period, .tick)
      let sleep = Effect<Act>.run(id: "s", overlap: .restart) { send in
        sleeps.increment()
        try await send.sleep(for: period)
      }
      store.send(.perform(.merge(timer, sleep)))
      await sleeps.reaches(1)
      await store.shutdown(.cancelling)
      #expect(await store.state == 0)
    }
  }

  @Test(arguments: huge)
  func `A shutdown may wait for ever (L4, C1)`(limit: Duration) async {
    clock.advance(by: .seconds(1))
    let (store, gate) = (makeStore(clock: clock), Gate())
    store.send(.perform(.run { _ in await gate.pass() }))
    let ending = Task { await store.shutdown(.draining(within: limit)) }
    await clock.log.wait(for: "sleeps")
    gate.open()
    #expect(await ending.value.isEmpty)
  }

  @Test(arguments: past)
  func `A duration of zero or less is over (C1)`(duration: Duration) async {
    for clock in [self.clock, ContinuousClock()] as [any Clock<Duration>] {
      let store = makeStore(clock: clock)
      let work = Effect<Act>.run(id: "x", overlap: .concurrent) { send in
        try await send.sleep(for: duration)
        send(.tick)
      }
      for effect in [work, work.delay(for: duration), work.debounce(for: duration), work.throttle(for: duration)] {
        await store.send(.perform(effect)).finish()
      }
      #expect(await store.state == 4)
      await store.shutdown(.draining(within: duration))
    }
  }
}
