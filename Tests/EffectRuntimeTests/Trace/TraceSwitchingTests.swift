// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// What former listeners leave behind, and what changes while the store is at work.
@Suite struct TraceSwitchingTests {
  private typealias Counter = Reduce<Int, Action>
  private indirect enum Action: Sendable { case add, perform(Effect<Action>), act(@Sendable () -> Void) }

  private func store(
    clock: any Clock<Duration> = ContinuousClock(), isolation: any Actor = OwnIsolation(), followUpLimit: Int = 1_000,
    drainBudget: Int = 256
  ) -> Store<Counter> {
    Store(
      initialState: 0,
      reducer: Reduce { state, action in
        switch action {
        case .add:
          state += 1
          return .none
        case .perform(let effect): return effect
        case .act(let act):
          act()
          return .none
        }
      }, isolation: isolation, clock: clock, onFailure: { _ in }, followUpLimit: followUpLimit, drainBudget: drainBudget
    )
  }

  private func followUps(_ events: [TraceEvent<Action>]) -> [TraceEvent<Action>] {
    events.filter { if case .reduced(_, .followUp) = $0.kind { true } else { false } }
  }

  @MainActor private func slice(_ store: Store<Counter>) {
    store.assumeIsolated { _ = $0.drainSlice() }
  }

  @Test func `An action is never reported with the line of another one, however listeners come and go (V1)`() async {
    await MainActor.run {
      let store = store(isolation: MainActor.shared, drainBudget: 2)
      let former = store.trace.listen { _ in }
      for line: UInt in 1...3 { store.send(.add, isolation: nil, fileID: "A.swift", line: line) }
      slice(store)
      former.cancel()
      for line: UInt in 11...15 { store.send(.add, isolation: nil, fileID: "A.swift", line: line) }
      for _ in 0..<2 { slice(store) }
      let log = store.trace.log()
      for _ in 0..<4 { slice(store) }
      let sites = log.events.map { event -> String in
        if case .accepted(_, .user(_, let site)) = event.kind { "\(site.map { "\($0)" } ?? "unknown")" } else { "" }
      }
      #expect(sites.contains("unknown"))
      #expect(!sites.contains { $0.hasPrefix("A.swift") })
    }
  }

  @Test func `What is sent behind the call that began to listen is reported with its line (V2)`() async {
    await MainActor.run {
      let store = store(isolation: MainActor.shared)
      let log = Lock<TraceLog<Action>?>(nil)
      store.send(
        .act { [weak store] in
          log.withLock { $0 = store?.trace.log() }
          store?.send(.add, isolation: nil, fileID: "A.swift", line: 7)
        }, isolation: nil)
      slice(store)
      let events = log.withLock { $0 }?.events ?? []
      #expect(events.first.map { "\($0.kind)" } == "accepted .add sent at A.swift:7")
    }
  }

  @Test func `A request that comes too late is reported as refused (L4)`() async {
    let store = store()
    let gate = Gate()
    let told = Recorder<String>()
    store.trace.listen { told.record("\($0.kind)") }
    store.send(.perform(.run { _ in await gate.pass() }))
    async let end = store.shutdown(.draining)
    await told.wait(for: "shutdown: draining")
    await #expect(throws: RequestFailure.refused) { try await store.request(.add) { $0 } }
    await told.wait(for: "refused .add")
    gate.open()
    _ = await end
  }

  @Test func `The rest of a turn names no event of an earlier turn as its cause (V1)`() async {
    await MainActor.run {
      let store = store(isolation: MainActor.shared, drainBudget: 2)
      do {
        let former = store.trace.log()
        store.send(.add)
        #expect(former.events.count == 2)
      }
      for _ in 0..<2 { slice(store) }
      store.send(.perform(.merge((0..<4).map { _ in .send(.add) })), isolation: nil)
      slice(store)
      let log = store.trace.log()
      for _ in 0..<3 { slice(store) }
      #expect(followUps(log.events).count == 3)
      #expect(followUps(log.events).allSatisfy { $0.cause == nil })
    }
  }

  @Test func `Without listeners no change of a status is noted (V2)`() async {
    let store = store()
    do {
      let log = store.trace.log()
      await store.send(.add).finish()
      #expect(log.events.count == 2)
    }
    for id in 0..<40 { await store.send(.perform(.run(id: id, overlap: .concurrent) { _ in })).finish() }
    #expect(await store.scheduler.statuses.isObserved == false)
    #expect(await !store.scheduler.statuses.hasChanges)
  }

  @Test func `Times are zero again when the last listener with times has left`() async {
    let clock = ManualClock()
    let store = store(clock: clock)
    let told = Recorder<Duration>()
    store.trace.listen(timed: false) { told.record($0.time) }
    do {
      let log = store.trace.log()
      clock.advance(by: .seconds(5))
      await store.send(.add).finish()
      #expect(log.events.map(\.time) == [.seconds(5), .seconds(5)])
    }
    await store.send(.add).finish()
    #expect(told.events == [.seconds(5), .seconds(5), .zero, .zero])
  }

  @Test func `A request is reported with the time of the call (V1)`() async {
    await MainActor.run {
      let clock = ManualClock()
      let store = store(clock: clock, isolation: MainActor.shared)
      let log = store.trace.log()
      slice(store)
      clock.advance(by: .seconds(1))
      _ = store.mailbox.post(.add, watchedBy: Waiter(), from: .none)
      clock.advance(by: .seconds(1))
      slice(store)
      #expect(log.events.map(\.time) == [.seconds(1), .seconds(2)])
    }
  }

  // MARK: - Order and causes

  @Test func `A turn that is put aside is reported after what it has started, and its rest follows from that (T5, V1)`()
    async
  {
    let store = store(followUpLimit: 2)
    let log = store.trace.log()
    await store.send(.perform(.send(.perform(.merge(.run { _ in }, .send(.add)))))).finish()
    let events = log.events
    #expect(events.map(\.number) == Array(1...UInt64(events.count)))
    let suspended = events.first { if case .turnSuspended = $0.kind { true } else { false } }
    #expect(suspended != nil)
    #expect(followUps(events).last?.cause == suspended?.number)
  }

  @Test func `What follows from a time limit names the end of the run as its cause (C2, V1)`() async {
    let clock = ManualClock()
    let store = store(clock: clock)
    let log = store.trace.log()
    let dispatch = store.send(
      .perform(
        .concatenate(
          .run(id: "x", overlap: .concurrent) { send in try await send.sleep(for: .seconds(9)) }.timeout(
            after: .seconds(1)), .send(.add))))
    await clock.log.wait(for: "sleeps", count: 2)
    clock.advance(by: .seconds(1))
    await dispatch.finish()
    let end = log.events.first { if case .run(_, .ended(.failed)) = $0.kind { true } else { false } }
    #expect(end != nil)
    #expect(followUps(log.events).first?.cause == end?.number)
  }

  @Test func `The first event reported of a run does not name itself as its cause (V1)`() async {
    let gate = Gate()
    let store = store()
    let dispatch = store.send(
      .perform(
        .run { send in
          await gate.pass()
          send(.add)
        }))
    _ = await store.state
    let log = store.trace.log()
    await store.send(.add).finish()
    gate.open()
    await dispatch.finish()
    #expect(log.events.contains { if case .accepted(_, .run) = $0.kind { true } else { false } })
    for event in log.events { #expect(event.cause.map { $0 < event.number } ?? true, "\(event)") }
  }

  // MARK: - Leaving

  @Test func `A listener that leaves is not called again, though the store is in the middle of its work (V2)`() async {
    await MainActor.run {
      let store = store(isolation: MainActor.shared)
      let listening = Lock<TraceListening?>(nil)
      let told = Recorder<UInt64>()
      let own = store.trace.listen { event in
        told.record(event.number)
        listening.withLock { $0 }?.cancel()
      }
      listening.withLock { $0 = own }
      store.send(.add)
      #expect(told.events == [1])
    }
  }

  @Test func `A listener that leaves while the store is at work is released when that is done (V2)`() async {
    await MainActor.run {
      final class Canary: Sendable {}
      weak var weakCanary: Canary?
      let store = store(isolation: MainActor.shared)
      let listening = Lock<TraceListening?>(nil)
      do {
        let canary = Canary()
        weakCanary = canary
        let kept = store.trace.listen { _ in withExtendedLifetime(canary) {} }
        listening.withLock { $0 = kept }
      }
      store.trace.listen { _ in listening.withLock { $0 }?.cancel() }
      store.send(.add, isolation: nil)
      slice(store)
      #expect(weakCanary == nil)
    }
  }

  @Test func `Waits for an event that were cancelled leave nothing behind`() async {
    let ring = TraceRing<Int>(limit: 4)
    await Task { @MainActor in
      for _ in 0..<8 {
        let waiting = Task { @MainActor in
          var iterator = TraceIterator(TraceLog(ring, TraceListening {}), ring)
          return await iterator.next(isolation: #isolation)?.number
        }
        // Behind the waiting task.
        await Task { @MainActor in }.value
        waiting.cancel()
        #expect(await waiting.value == nil)
      }
    }.value
    #expect(ring.book.withLock { $0.waiting.count } == 0)
  }
}
