// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

private indirect enum Action: Sendable { case perform(Effect<Action>), note(String) }

private func makeStore(
  clock: any Clock<Duration> = ContinuousClock(), onFailure: (@Sendable (EffectFailure) -> Void)? = nil
) -> Store<Reduce<[String], Action>> {
  Store(
    initialState: [],
    reducer: Reduce { state, action in
      switch action {
      case .perform(let effect): return effect
      case .note(let text):
        state.append(text)
        return .none
      }
    }, clock: clock, onFailure: onFailure)
}

private func noted(_ text: String) -> Effect<Action> { .run(id: "x", overlap: .concurrent) { $0(.note(text)) } }

/// A clock that does not behave as a clock should.
private struct Broken: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }
  struct Stopped: Error {}

  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws { throw Stopped() }
}

/// Durations that make no sense, and clocks that do not keep the time: reported or harmless.
@Suite struct `Wrong times` {
  @Test(arguments: ["delay", "debounce", "maxWait", "throttle", "timeout", "retry", "jitter"], [true, false])
  func `A wait so long that its end is never reached is a wait like any other (C1, C2)`(
    kind: String, isLongest: Bool
  ) async {
    let forever = isLongest ? Duration(attoseconds: .max) : .seconds(Int64.max)
    let (clock, gate) = (ManualClock(), Gate())
    let store = makeStore(clock: clock)
    clock.advance(by: .seconds(1))
    let failing = Effect<Action>.run(id: "x", overlap: .concurrent) { _ in throw Broken.Stopped() }
    let effect: Effect<Action> =
      switch kind {
      case "delay": noted("").delay(for: forever)
      case "debounce": noted("").debounce(for: forever)
      case "maxWait": noted("").debounce(for: forever, maxWait: forever)
      case "throttle":
        .merge(.run(id: "x", overlap: .concurrent) { _ in }.throttle(for: forever), noted("").throttle(for: forever))
      case "timeout": .run(id: "x", overlap: .concurrent) { _ in await gate.pass() }.timeout(after: forever)
      case "retry": failing.retry(attempts: 2, backoff: .constant(forever))
      default: failing.retry(attempts: 2, backoff: .constant(forever).jittered(by: 1, seed: 3))
      }
    store.send(.perform(effect))
    // The store sets no timer for such a wait: there is nothing to wait for but the send itself.
    _ = await store.state
    clock.advance(by: .seconds(86_400))
    let status = await store.status("x")
    #expect(status.running + status.queued >= 1)
    gate.open()
    await store.shutdown(.cancelling)
    #expect(await store.state.isEmpty)
  }

  @Test(arguments: [Duration(attoseconds: .max), .seconds(Int64.max)])
  func `A sleep for ever on the system's clock lasts until it is cancelled (C1)`(forever: Duration) async {
    let (begun, cancelled) = (Tally(), Tally())
    let store = makeStore()
    let sleeper = Effect<Action>.run { send in
      begun.increment()
      do { try await send.sleep(for: forever) } catch { cancelled.increment() }
    }
    store.send(.perform(.merge(Array(repeating: sleeper, count: 16))))
    await begun.reaches(16)
    async let drained = store.shutdown(.draining(within: forever))
    await store.shutdown(.cancelling)
    #expect(await drained.count == 16)
    #expect(cancelled.value == 16)
  }

  @Test func `A sleep of a negative duration is over at once, on the system's clock as well (C1)`() async {
    let store = makeStore()
    let sleeper = Effect<Action>.run { send in
      for duration in [Duration(attoseconds: .min), .seconds(-1), .zero] { try await send.sleep(for: duration) }
      send(.note("awake"))
    }
    await store.send(.perform(sleeper)).finish()
    #expect(await store.state == ["awake"])
    await store.shutdown(.draining(within: Duration(attoseconds: .min)))
  }

  @Test func `A clock that throws is reported with the run that waits, once (C1)`() async {
    let failures = Recorder<String>()
    let store = makeStore(clock: Broken(), onFailure: { failures.record("\($0)") })
    let run = Effect<Action>.run(id: "hint", overlap: .concurrent, fileID: "App/Feed.swift", line: 7) { _ in }
    store.send(.perform(run.delay(for: .seconds(1))))
    let text = """
      App/Feed.swift:7: run("hint").delay(for: 1.0 seconds) waits for its time: the store's clock threw Stopped() instead \
      of sleeping, so nothing wakes the store. The store reads the clock only when it handles an action or the end of a \
      run. Give it a clock that sleeps until its deadline or until it is cancelled.
      """
    await failures.wait(for: text)
    store.send(.note("more"))
    #expect(await store.status("hint") == EffectStatus(queued: 1))
    await store.shutdown(.cancelling)
    #expect(failures.events == [text])
  }

  @Test func `A clock that throws is reported for a run that has a time limit (C1)`() async {
    let (failures, gate) = (Recorder<String>(), Gate())
    let store = makeStore(clock: Broken(), onFailure: { failures.record("\($0.run)") })
    store.send(.perform(.run(id: "slow", overlap: .concurrent) { _ in await gate.pass() }.timeout(after: .seconds(1))))
    await failures.wait(for: #"run("slow").timeout(after: 1.0 seconds)"#)
    gate.open()
    await store.shutdown(.draining)
  }

  /// Throws at its first sleep, and then behaves as a clock should.
  private struct Shaky: Clock {
    let clock: ManualClock
    let sleeps = Tally()
    var now: ManualClock.Instant { clock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      sleeps.increment()
      if sleeps.value == 1 { throw Broken.Stopped() }
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test func `A clock that has thrown once wakes the store for what is due later (C1)`() async {
    let (failures, clock) = (Recorder<String>(), ManualClock())
    let store = makeStore(clock: Shaky(clock: clock), onFailure: { _ in failures.record("failed") })
    let first = store.send(.perform(noted("first").delay(for: .seconds(1))))
    let later = store.send(.perform(noted("second").delay(for: .seconds(5))))
    await failures.wait(for: "failed")
    clock.advance(by: .seconds(2))
    store.send(.note("looks"))
    await clock.hasSleepers(1, dueBy: .seconds(5))
    clock.advance(by: .seconds(3))
    await later.finish()
    await first.finish()
    #expect(await Set(store.state) == ["first", "second", "looks"])
    #expect(failures.events == ["failed"])
  }

  /// Does not wait, and shows the same time for ever.
  private struct Standing: Clock {
    let sleeps = Tally()
    var now: Broken.Instant { Broken.Instant() }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Broken.Instant, tolerance: Duration?) async throws { sleeps.increment() }
  }

  @Test func `A clock that returns at once is reported, and not called for ever (C1)`() async {
    let (failures, clock) = (Recorder<String>(), Standing())
    let store = makeStore(clock: clock, onFailure: { failures.record("\($0.error)") })
    store.send(.perform(noted("late").delay(for: .seconds(1))))
    let text = """
      waits for its time: the store's clock came back before any time had passed, so nothing wakes the store. The store \
      reads the clock only when it handles an action or the end of a run. Give it a clock that sleeps until its deadline \
      or until it is cancelled.
      """
    await failures.wait(for: text)
    store.send(.note("more"))
    #expect(await store.status("x") == EffectStatus(queued: 1))
    await store.shutdown(.cancelling)
    #expect(failures.events == [text] && clock.sleeps.value == 1)
  }

  private static let limitText = """
    App/Feed.swift:7: run("slow") is cancelled before the time limit of `shutdown(_:)`: the store's clock \
    %@, so the store cannot wait for the limit. Give it a clock that sleeps \
    until its deadline or until it is cancelled.
    """

  @Test(arguments: [true, false])
  func `A shutdown whose clock cannot wait for its limit cancels at once, and that is reported (C1, L4)`(throwing: Bool)
    async
  {
    let (failures, begun) = (Recorder<String>(), Tally())
    let clock: any Clock<Duration> = throwing ? Broken() : Standing()
    let store = makeStore(clock: clock, onFailure: { failures.record("\($0)") })
    let slow = Effect<Action>.run(id: "slow", overlap: .concurrent, fileID: "App/Feed.swift", line: 7) { _ in
      begun.increment()
      try await Task.sleep(for: .seconds(86_400))
    }
    store.send(.perform(slow))
    await begun.reaches(1)
    #expect(await store.shutdown(.draining(within: .seconds(5))).map(\.id) == ["slow"])
    let fault = throwing ? "threw Stopped() instead of sleeping" : "came back before any time had passed"
    #expect(failures.events == [Self.limitText.replacing("%@", with: fault)])
  }

  /// Wakes each sleeper too early: after a second of its time at most.
  private final class Early: Clock, Sendable {
    let time = ManualClock()
    var now: ManualClock.Instant { time.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      time.advance(by: min(.seconds(1), time.now.duration(to: deadline)))
    }
  }

  @Test func `A shutdown waits for its limit, also if the clock wakes it too early (C1, L4)`() async {
    let (failures, begun, clock) = (Recorder<String>(), Tally(), Early())
    let store = makeStore(clock: clock, onFailure: { failures.record("\($0)") })
    store.send(
      .perform(
        .run(id: "slow", overlap: .concurrent) { _ in
          begun.increment()
          try await Task.sleep(for: .seconds(86_400))
        }))
    await begun.reaches(1)
    #expect(await store.shutdown(.draining(within: .seconds(5))).count == 1)
    #expect(clock.now.offset == .seconds(5))
    #expect(failures.events == [])
  }

  @Test func `A wait without end does not wake a store on the immediate clock for ever (C1)`() async {
    let store = makeStore(clock: .immediate)
    store.send(.perform(noted("late").delay(for: .seconds(Int64.max))))
    #expect(await store.state == [])
    #expect(await store.status("x") == EffectStatus(queued: 1))
    await store.shutdown(.cancelling)
    #expect(await store.state == [])
  }

  @Test func `A clock that runs backwards delays what waits, and loses nothing (C1)`() async {
    let clock = ManualClock()
    let store = makeStore(clock: clock)
    clock.advance(by: .seconds(10))
    let dispatch = store.send(.perform(noted("late").delay(for: .seconds(1))))
    await clock.log.wait(for: "sleeps")
    clock.advance(by: .seconds(-20))
    #expect(await store.status("x") == EffectStatus(queued: 1))
    store.send(.note("meanwhile"))
    clock.advance(by: .seconds(21))
    await dispatch.finish()
    #expect(await store.state == ["meanwhile", "late"])
  }
}
