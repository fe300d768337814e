// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// Which listeners are notified, from when to when, and what that costs others.
@Suite(.timeLimit(.minutes(5))) struct TraceListeningTests {
  private typealias Counter = Reduce<Int, Action>
  private indirect enum Action: Sendable { case add, perform(Effect<Action>) }

  private func store(
    clock: any Clock<Duration> = ContinuousClock(), isolation: any Actor = OwnIsolation(), drainBudget: Int = 256
  ) -> Store<Counter> {
    Store(
      initialState: 0,
      reducer: Reduce { state, action in
        switch action {
        case .add:
          state += 1
          return .none
        case .perform(let effect): return effect
        }
      }, isolation: isolation, clock: clock, followUpLimit: 1_000, drainBudget: drainBudget)
  }

  private func actions(_ events: [TraceEvent<Action>]) -> [String] {
    events.compactMap { if case .reduced(let action, _) = $0.kind { TraceText.of(action) } else { nil } }
  }

  @Test func `All listeners receive the same events, each from when it came until it left (V2)`() async {
    let store = store()
    await store.send(.add).finish()
    let first = store.trace.log()
    let told = Recorder<UInt64>()
    await store.send(.add).finish()
    let listening = store.trace.listen { told.record($0.number) }
    await store.send(.add).finish()
    listening.cancel()
    listening.cancel()
    await store.send(.add).finish()
    #expect(actions(first.events) == [".add", ".add", ".add"])
    #expect(first.events.map(\.number) == Array(1...6))
    #expect(told.events == [3, 4])
    #expect(await store.state == 4)
  }

  @Test @MainActor func `A listener receives the actions that waited when it came (V2)`() {
    let store = store(isolation: MainActor.shared)
    // As from another thread: it waits.
    store.send(.add, isolation: nil)
    let log = store.trace.log()
    store.send(.add)
    #expect(actions(log.events) == [".add", ".add"])
  }

  @Test @MainActor func `The list of notes for listeners keeps its memory`() {
    let store = store(isolation: MainActor.shared)
    let log = store.trace.log()
    // The engine and the store exchange two lists.
    for _ in 1...2 { store.send(.add) }
    let capacity = store.assumeIsolated { $0.core.value.outputs.notes.capacity }
    #expect(capacity > 0)
    #expect(log.events.count == 4)
  }

  @Test func `A log ends when it is released, and nothing is noted any more`() async {
    let store = store()
    do {
      let log = store.trace.log()
      await store.send(.add).finish()
      #expect(log.events.count == 2)
      #expect(await store.scheduler.notes.isOn)
    }
    await store.send(.add).finish()
    #expect(await store.scheduler.notes.isOn == false)
    #expect(store.mailbox.isTraced == false)
  }

  @Test func `An iteration sees every event, and ends with the store (L4)`() async {
    let store = store()
    let trace = store.trace
    var iterator = trace.makeAsyncIterator()
    store.send(.add)
    store.send(.add)
    await store.shutdown(.draining)
    var kinds: [String] = []
    while let event = await iterator.next(isolation: #isolation) {
      kinds.append("\(event.kind)".split(separator: " ")[0].description)
    }
    #expect(kinds == ["accepted", "reduced", "accepted", "reduced", "shutdown:", "shutdown:"])
    // An iteration that begins too late.
    var late = trace.makeAsyncIterator()
    #expect(await late.next(isolation: #isolation) == nil)
  }

  @Test func `An iteration ends when its task is cancelled, and when its store is released (E7)`() async {
    let kept = store()
    let waiting = Task {
      for await _ in kept.trace {}
    }
    waiting.cancel()
    await waiting.value
    var store: Store<Counter>? = store()
    var iterator = store?.trace.makeAsyncIterator()
    store = nil
    #expect(await iterator?.next(isolation: #isolation) == nil)
  }

  @Test func `What a listener sends waits its turn, on the store's own isolation too (L1)`() async {
    await MainActor.run {
      let store = store(isolation: MainActor.shared)
      store.trace.listen { [weak store] event in
        guard case .reduced(.add, _) = event.kind, let store else { return }
        MainActor.assumeIsolated {
          guard store.assumeIsolated({ $0.present }) < 3 else { return }
          store.send(.add)
        }
      }
      store.send(.add)
      #expect(store.assumeIsolated { $0.present } == 1)
      #expect(store.assumeIsolated { $0.state } == 2)
      #expect(store.assumeIsolated { $0.state } == 3)
    }
  }

  @Test func `A listener without times causes no read of the clock`() async {
    let clock = ManualClock()
    clock.advance(by: .seconds(1))
    let store = store(clock: clock)
    clock.advance(by: .seconds(5))
    let told = Recorder<Duration>()
    store.trace.listen(timed: false) { told.record($0.time) }
    await store.send(.add).finish()
    #expect(told.events == [.zero, .zero])
    let log = store.trace.log()
    await store.send(.add).finish()
    #expect(log.events.map(\.time) == [.seconds(5), .seconds(5)])
  }

  @Test func `Waits, attempts and sleeps are reported with their times (C2)`() async {
    let clock = ManualClock()
    let store = store(clock: clock)
    let log = store.trace.log()
    // The store is notified of a sleep a moment after it has begun, and reports it then.
    let told = Recorder<String>()
    store.trace.listen { if case .run(_, .sleeping) = $0.kind { told.record("sleep") } }
    struct Oops: Error {}
    let dispatch = store.send(
      .perform(
        .run(id: "x", overlap: .concurrent, fileID: "A.swift", line: 1) { send in
          try await send.sleep(for: .seconds(2))
          throw Oops()
        } catch: { _, send in
          send(.add)
        }
        .retry(attempts: 2, backoff: .constant(.seconds(1))).delay(for: .seconds(3))))
    _ = await store.state
    await clock.log.wait(for: "sleeps")
    clock.advance(by: .seconds(3))
    await clock.log.wait(for: "sleeps", count: 2)
    await told.wait(for: "sleep")
    clock.advance(by: .seconds(2))
    await clock.log.wait(for: "sleeps", count: 3)
    clock.advance(by: .seconds(1))
    await clock.log.wait(for: "sleeps", count: 4)
    await told.wait(for: "sleep", count: 2)
    clock.advance(by: .seconds(2))
    await dispatch.finish()
    let lines = log.events.filter { if case .run = $0.kind { true } else { false } }
      .map { "\(TraceText.time($0.time)) \($0.kind)" }
    #expect(
      lines == [
        #"0.000 s run 1 waiting until 3.000 s: run("x").delay(for: 3.0 seconds).retry(attempts: 2, backoff: constant(1.0 seconds)) at A.swift:1"#,
        "3.000 s run 1 started", "3.000 s run 1 sleeps until 5.000 s",
        "5.000 s run 1 failed: Oops(); again at 6.000 s", "6.000 s run 1 started, attempt 2",
        "6.000 s run 1 sleeps until 8.000 s", "8.000 s run 1 failed: Oops(); catch follows",
        "8.000 s run 1 started, attempt 2", "8.000 s run 1 handled: Oops()",
      ])
  }

  @Test func `A run that started before there was a listener is reported from its next event on`() async {
    let gate = Gate()
    let store = store()
    let dispatch = store.send(
      .perform(.run(id: "x", overlap: .concurrent, fileID: "A.swift", line: 1) { _ in await gate.pass() }))
    _ = await store.state
    let log = store.trace.log()
    await store.send(.add).finish()
    gate.open()
    await dispatch.finish()
    let last = log.events.last { if case .run = $0.kind { true } else { false } }
    #expect(last.map { "\($0.kind)" } == "run 1 finished")
    #expect(last?.cause == nil)
    guard case .run(let run, _)? = last?.kind else { return }
    #expect(run.description == EffectRun(id: "x", overlap: .concurrent))
    #expect(run.description.site.description == "A.swift:1")
  }

  @Test func `A send on the store's isolation that takes more than the budget is reported (T6, L1)`() async {
    await MainActor.run {
      let store = store(isolation: MainActor.shared, drainBudget: 4)
      let log = store.trace.log()
      store.send(.perform(.merge((0..<5).map { _ in .send(.add) })))
      #expect(log.events.contains { if case .budgetExceeded = $0.kind { true } else { false } })
    }
  }

  @Test func `What a full log had to discard is not kept for later by its store (E7)`() async {
    final class Canary: Sendable {}
    let store = Store(initialState: 0, reducer: Reduce<Int, Canary> { _, _ in .none })
    let log = store.trace.log(newest: 1)
    let told = Recorder<String>()
    store.trace.listen { if case .dispatchCancelled = $0.kind { told.record("cancelled") } }
    weak var action: Canary?
    do {
      let canary = Canary()
      action = canary
      let dispatch = store.send(canary)
      await dispatch.finish()
      // Replaces the action in the log.
      dispatch.cancel()
    }
    await told.wait(for: "cancelled")
    _ = await store.state
    log.clear()
    #expect(action == nil)
  }

  @Test func `Closures and actions of finished work are released with the log`() async {
    let (store, released) = (store(), Tally())
    let log = store.trace.log()
    do {
      let captured = Counted(released)
      await store.send(.perform(.run(id: "x", overlap: .concurrent) { _ in withExtendedLifetime(captured) {} }))
        .finish()
      await store.shutdown(.draining)
    }
    // The action holds the effect, and the log holds the action.
    #expect(released.value == 0)
    log.clear()
    // The task of the run may hold the closure a moment longer.
    await released.reaches(1)
  }
}
