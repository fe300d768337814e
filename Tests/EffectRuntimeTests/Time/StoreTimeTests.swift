// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// Time modifiers on a real store, with a clock that the test moves and with the system's.
@Suite struct StoreTimeTests {
  private typealias Log = Reduce<[String], Action>
  private indirect enum Action: Sendable { case perform(Effect<Action>), note(String) }

  private func store(
    clock: any Clock<Duration> = ContinuousClock(), isolation: any Actor = OwnIsolation(),
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil
  ) -> Store<Log> {
    Store(
      initialState: [],
      reducer: Reduce { state, action in
        switch action {
        case .perform(let effect): return effect
        case .note(let text):
          state.append(text)
          return .none
        }
      }, isolation: isolation, clock: clock, onFailure: onFailure)
  }

  private func noted(_ text: String, id: EffectID = "x", overlap: Overlap = .restart) -> Effect<Action> {
    .run(id: id, overlap: overlap) { $0(.note(text)) }
  }

  @Test func `The last of a burst runs when the clock is due, and what waited for the others goes on (C1, C2)`() async {
    let clock = ManualClock()
    let store = store(clock: clock)
    var dispatches: [StoreTask] = []
    for text in ["s", "sw", "swift"] {
      dispatches.append(store.send(.perform(noted(text).debounce(for: .milliseconds(300)))))
    }
    for dispatch in dispatches.dropLast() { await dispatch.finish() }
    #expect(await store.status("x") == EffectStatus(queued: 1))
    clock.advance(by: .milliseconds(300))
    await dispatches[2].finish()
    #expect(await store.state == ["swift"])
    await store.shutdown(.draining)
    #expect(await store.isEmpty)
  }

  @Test func `One timer serves all runs that end before their timeout, with the clock of the system (C1)`() async {
    let store = store()
    for number in 1...20 {
      let (waits, end) = AsyncStream<Never>.makeStream()
      let run = Effect<Action>.run(id: "x", overlap: .restart) { send in
        for await _ in waits {}
        send(.note("\(number)"))
      }
      let task = store.send(.perform(run.timeout(after: .seconds(600))))
      // The slice that starts the run has ended, and has set the timer.
      #expect(await store.status("x").running == 1)
      end.finish()
      await task.finish()
    }
    #expect(await store.state.count == 20)
    #expect(await store.timersSet == 1)
    await store.shutdown(.draining)
  }

  @Test func `One timer serves a burst, however many keys are pressed (C1)`() async {
    let clock = ManualClock()
    let store = store(clock: clock)
    var last: StoreTask?
    for key in 1...100 {
      last = store.send(.perform(noted("\(key)").debounce(for: .seconds(1))))
      _ = await store.state
      if key == 1 { await clock.log.wait(for: "sleeps") }
      clock.advance(by: .milliseconds(1))
    }
    #expect(clock.log.events.count == 1)
    // It comes too early for the last, and is set again.
    clock.advance(by: .milliseconds(901))
    await clock.log.wait(for: "sleeps", count: 2)
    clock.advance(by: .milliseconds(98))
    await last?.finish()
    #expect(await store.state == ["100"])
    #expect(clock.log.events.count == 2)
    #expect(clock.sleeperCount == 0)
  }

  @MainActor @Test func `What is due comes before an action that is sent at that instant (C3)`() async {
    let clock = ManualClock()
    let store = store(clock: clock, isolation: MainActor.shared)
    store.send(.perform(noted("due", overlap: .drop).delay(for: .seconds(1))))
    clock.advance(by: .seconds(1))
    // Its timer may not even have woken.
    store.send(.perform(noted("new", overlap: .drop)))
    await store.shutdown(.draining)
    #expect(await store.state == ["due"])
  }

  @Test func `What is due goes by deadline, however late the store checks (C3)`() async {
    let clock = ManualClock()
    let store = store(clock: clock)
    var effects: [Effect<Action>] = []
    for second in [3, 1, 2] {
      effects.append(noted("\(second)", id: "x", overlap: .enqueue).delay(for: .seconds(second)))
    }
    let dispatch = store.send(.perform(.merge(effects)))
    _ = await store.state
    clock.advance(by: .seconds(10))
    await dispatch.finish()
    #expect(await store.state == ["1", "2", "3"])
  }

  @Test func `A closure that is out of time returns after the memory of its slot was released (E1)`() async {
    let (clock, low, many, one) = (ManualClock(), Gate(), Gate(), Gate())
    let store = store(clock: clock)
    let recorder = Recorder<String>()
    let first = store.send(.perform(.merge((0..<50).map { _ in .run { _ in await low.pass() } })))
    let limited = store.send(
      .perform(
        .merge(
          (0..<2_000).map { number in
            .run { send in
              recorder.record("started")
              await (number == 30 ? one : many).pass()
              send(.note("late"))
            } catch: { _, _ in
            }.timeout(after: .seconds(1))
          })))
    await recorder.wait(for: "started", count: 2_000)
    // Now the low slots are free, and the first closures that are out of time get them.
    low.open()
    await first.finish()
    clock.advance(by: .seconds(1))
    await limited.finish()
    many.open()
    while await store.scheduler.workTree.count > 1 { await Task.yield() }
    var sent = 0
    while await store.core.value.running.elements.count > 64, sent < 1_000 {
      await store.send(.note("next")).finish()
      sent += 1
    }
    #expect(sent < 1_000)
    one.open()
    await store.shutdown(.draining)
    #expect(await store.state.count == sent)
    #expect(await store.isEmpty)
  }

  @Test func `A run is cancelled at the end of a turn of several slices, also if its slot could be released (E8)`()
    async
  {
    let (clock, many, low, one) = (ManualClock(), Gate(), Gate(), Gate())
    let store = store(clock: clock, onFailure: { _ in })
    let recorder = Recorder<String>()
    let limited = Effect<Action>.run { _ in
      await withTaskCancellationHandler {
        recorder.record("started")
        await one.pass()
      } onCancel: {
        recorder.record("cancelled")
      }
    }.timeout(after: .seconds(1))
    let notes = Effect<Action>.merge((0..<8_000).map { .send(.note("\($0)")) })
    let peak = Effect<Action>.merge(
      (0..<2_000).map { number in .run { _ in await (number == 0 ? low : many).pass() } })
    // The sequence has a low slot, and the run with the limit the last one. When it is out of time, its closure gets the slot that
    // was freed last, which is low.
    let all = store.send(.perform(.concatenate(.send(.perform(peak)), limited, notes)))
    await recorder.wait(for: "started")
    many.open()
    while await store.scheduler.workTree.count > 4 { await Task.yield() }
    low.open()
    while await store.scheduler.workTree.count > 3 { await Task.yield() }
    clock.advance(by: .seconds(1))
    await recorder.wait(for: "cancelled")
    one.open()
    await all.finish()
    await store.shutdown(.draining)
    #expect(await store.state.count == 8_000)
    #expect(await store.isEmpty)
  }

  @Test func `At its limit catch runs at once, and nothing late is reduced, whatever the closure does (E1, C2)`() async
  {
    let (clock, gate) = (ManualClock(), Gate())
    let store = store(clock: clock)
    let recorder = Recorder<String>()
    let effect = Effect<Action>.run(id: "x", overlap: .concurrent) { send in
      recorder.record("started")
      await gate.pass()
      send(.note("late"))
      recorder.record("returns")
    } catch: { error, send in
      send(.note("\(error)"))
    }
    let dispatch = store.send(.perform(effect.timeout(after: .seconds(2))))
    await recorder.wait(for: "started")
    _ = await store.state
    clock.advance(by: .seconds(2))
    await dispatch.finish()
    #expect(await store.state == ["timed out after 2.0 seconds"])
    #expect(await store.status("x") == EffectStatus(cancelling: 1))
    gate.open()
    await recorder.wait(for: "returns")
    #expect(await store.shutdown(.draining).isEmpty)
    #expect(await store.state == ["timed out after 2.0 seconds"])
    #expect(await store.scheduler.droppedActions == 1)
    #expect(await store.isEmpty)
  }

  @Test func `A closure that returns late does not end the attempt that has taken its slot (E1)`() async {
    let (clock, gates) = (ManualClock(), [Gate(), Gate()])
    let store = store(clock: clock)
    let recorder = Recorder<Int>()
    let effect = Effect<Action>.run(id: "x", overlap: .concurrent) { send in
      let attempt = recorder.events.count
      recorder.record(attempt)
      await gates[attempt].pass()
      send(.note("\(attempt) \(Task.isCancelled)"))
    }
    let dispatch = store.send(.perform(effect.timeout(after: .seconds(2)).retry(attempts: 2)))
    await recorder.wait(for: 0)
    _ = await store.state
    clock.advance(by: .seconds(2))
    await recorder.wait(for: 1)
    gates[0].open()
    #expect(await store.status("x").attempt == 2)
    gates[1].open()
    await dispatch.finish()
    #expect(await store.state == ["1 false"])
    await store.shutdown(.draining)
  }

  @Test func `Draining waits for what waits for its time, cancelling does not (L4)`() async {
    let clock = ManualClock()
    let draining = store(clock: clock)
    draining.send(.perform(noted("a").delay(for: .seconds(1))))
    async let left = draining.shutdown(.draining)
    await clock.log.wait(for: "sleeps")
    clock.advance(by: .seconds(1))
    #expect(await left.isEmpty)
    #expect(await draining.state == ["a"])

    let cancelling = store(clock: clock)
    cancelling.send(.perform(noted("a").debounce(for: .seconds(1))))
    await clock.log.wait(for: "sleeps", count: 2)
    #expect(await cancelling.shutdown(.cancelling).count == 1)
    await clock.log.wait(for: "wakes cancelled")
    #expect(clock.sleeperCount == 0)
    #expect(await cancelling.isEmpty)
  }

  @Test func `A released store releases its timer too (E7)`() async {
    let clock = ManualClock()
    do {
      let store = store(clock: clock)
      store.send(.perform(noted("a").delay(for: .seconds(1))))
      await clock.log.wait(for: "sleeps")
    }
    await clock.log.wait(for: "wakes cancelled")
  }

  @Test func `Nothing is kept of windows that have ended (C2)`() async {
    let clock = ManualClock()
    let store = store(clock: clock)
    var dispatches: [StoreTask] = []
    for row in 0..<100 {
      let effect = noted("\(row)", id: EffectID(row)).throttle(for: .seconds(1), trailing: row.isMultiple(of: 2))
      dispatches.append(store.send(.perform(effect)))
    }
    for dispatch in dispatches { await dispatch.finish() }
    #expect(await store.scheduler.names.count == 100)
    #expect(clock.sleeperCount == 0, "no task waits for their ends")
    clock.advance(by: .seconds(1))
    await store.send(.note("later")).finish()
    #expect(await store.scheduler.names.count == 0)
    #expect(await store.scheduler.timedCount == 0)
  }

  @Test func `A run that was not started because it had no id is a failure with its line (C2)`() async {
    let failures = Recorder<String>()
    let store = store(onFailure: { failures.record("\($0)") })
    let effect = Effect<Action>.run(fileID: "App/Feature.swift", line: 12) { $0(.note("never")) }
    await store.send(.perform(effect.debounce(for: .seconds(1)))).finish()
    #expect(await store.state == [])
    #expect(
      failures.events == [
        """
        App/Feature.swift:12: run().debounce(for: 1.0 seconds): `debounce` needs an id, because it decides about the runs \
        of one. The run was not started. Give it an id, by the arguments \
        `id: "search", overlap: .restart`, or by `.cancellable(id: "search", overlap: .restart)` on the run or `send` itself.
        """
      ])
  }

  // MARK: - The system's clock

  @Test func `With the system's clock it is the same (C1, C2)`() async {
    struct Broken: Error {}
    let store = store()
    let attempts = Recorder<Int>()
    let began = ContinuousClock.now
    let retried = Effect<Action>.run { send in
      attempts.record(attempts.events.count)
      if attempts.events.count < 3 { throw Broken() }
      send(.note("third"))
    }
    let stuck = Effect<Action>.run { send in
      try await send.sleep(for: .seconds(60))
    } catch: { error, send in
      send(.note("\(error is EffectTimeout)"))
    }
    await store.send(.perform(noted("debounced").debounce(for: .milliseconds(5)))).finish()
    await store.send(.perform(retried.retry(attempts: 3, backoff: .constant(.milliseconds(2))))).finish()
    await store.send(.perform(stuck.timeout(after: .milliseconds(5)))).finish()
    #expect(await store.state == ["debounced", "third", "true"])
    #expect(ContinuousClock.now - began >= .milliseconds(14))
    // The closure that ran out of time may return after its catch.
    await store.shutdown(.draining)
    #expect(await store.isEmpty)
  }

  @Test func `A timer goes on until it is cancelled (C2)`() async {
    let ticks = Recorder<String>()
    let store = store()
    let dispatch = store.send(
      .perform(
        .timer(id: "clock", overlap: .restart, every: .milliseconds(2)) { tick in
          ticks.record("tick")
          return .note("\(tick)")
        }))
    await ticks.wait(for: "tick", count: 3)
    dispatch.cancel()
    await dispatch.finish()
    let numbers = await store.state.compactMap { Int($0) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    await store.shutdown(.draining)
  }
}
