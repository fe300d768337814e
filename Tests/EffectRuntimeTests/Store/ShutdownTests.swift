// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[Int], Int>

@MainActor @Suite(.timeLimit(.minutes(5))) struct ShutdownTests {
  private let log = Recorder<String>()
  private let gate = Gate()
  private let clock = ManualClock()

  private func makeStore(
    followUpLimit: Int = 1_000_000, drainBudget: Int = 256, onFailure: (@Sendable (EffectFailure) -> Void)? = nil,
    _ effect: @escaping @Sendable (Int) -> Effect<Int>
  ) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { @Sendable state, action in
        state.append(action)
        return effect(action)
      }, isolation: MainActor.shared, clock: clock, onFailure: onFailure, followUpLimit: followUpLimit,
      drainBudget: drainBudget)
  }

  /// A shutdown that has begun when this returns: both are on the main actor.
  private func end(_ store: Store<Feature>, _ shutdown: Shutdown) async -> Task<[EffectRun], Never> {
    let before = log.events.count { $0 == "ends" }
    let task = Task { @MainActor in
      log.record("ends")
      let runs = await store.shutdown(shutdown)
      log.record("ended")
      return runs
    }
    await log.wait(for: "ends", count: before + 1)
    return task
  }

  /// A run that executes until the gate is open, also if it is cancelled, and then sends.
  private nonisolated func stubborn(_ id: EffectID, then action: Int, overlap: Overlap = .concurrent) -> Effect<Int> {
    .run(id: id, overlap: overlap) { [log, gate] send in
      log.record("\(id) started")
      await gate.pass()
      log.record("\(id) sends: \(send(action))")
    }
  }

  @Test(arguments: [Shutdown.cancelling, .draining])
  func `After the call actions are refused, and those accepted before are reduced in order (L4, T2)`(
    shutdown: Shutdown
  ) async {
    let store = makeStore(drainBudget: 1) { _ in .none }
    for number in 1...3 { store.send(number, isolation: nil) }
    let ending = await end(store, shutdown)
    let refused = [store.send(4), store.send(5, isolation: nil)]
    #expect(refused.map(\.isRefused) == [true, true])
    for dispatch in refused {
      dispatch.cancel()
      await dispatch.finish()
    }
    #expect(await ending.value.isEmpty)
    #expect(store.send(6).isRefused)
    #expect(await store.state == [1, 2, 3])
  }

  @Test func `Cancelling ends all runs, names them, and waits until their closures have returned (L4, E2)`() async {
    let store = makeStore { [self] action in
      action == 1
        ? .merge(
          stubborn("a", then: 2), stubborn("b", then: 3, overlap: .enqueue(limit: 1)),
          stubborn("b", then: 4, overlap: .enqueue(limit: 1)))
        : .none
    }
    let dispatch = store.send(1)
    await log.wait(for: #""a" started"#)
    await log.wait(for: #""b" started"#)
    let ending = await end(store, .cancelling)
    await dispatch.finish()
    // Settled, but not returned.
    #expect(!log.events.contains("ended"))
    gate.open()
    let runs = await ending.value
    #expect(
      runs.map(\.description).sorted() == [
        #"run("a")"#, #"run("b", overlap: enqueue)"#, #"run("b", overlap: enqueue)"#,
      ])
    #expect(log.events.last == "ended")
    #expect(log.events.contains(#""a" sends: true"#))
    #expect(await store.state == [1])
    #expect(await store.isEmpty)
  }

  @Test func `Draining loses nothing: queues, follow-ups, and what the actions of runs start (L4)`() async {
    let store = makeStore(followUpLimit: 3, drainBudget: 2) { [self] action in
      switch action {
      case 1: .merge(stubborn("a", then: 2, overlap: .enqueue), stubborn("a", then: 3, overlap: .enqueue))
      case 2: .concatenate(.run { send in send(10) }, .send(11))
      case 3, 20..<30: .send(action < 20 ? 20 : action + 1)
      case 10: .run { send in #expect(await send.delivered(12)) }
      default: .none
      }
    }
    store.send(1)
    await log.wait(for: #""a" started"#)
    let ending = await end(store, .draining)
    #expect(store.send(99).isRefused)
    gate.open()
    #expect(await ending.value.isEmpty)
    #expect(await store.state.sorted() == [1, 2, 3, 10, 11, 12] + Array(20...30))
    #expect(await store.isEmpty)
  }

  @Test func `Draining cancels the given ids, and what waited behind them goes on (L4, E6)`() async {
    let store = makeStore { [self] action in
      switch action {
      case 1: .merge(stubborn("a", then: 2), .concatenate(stubborn("ticker", then: 3), .send(4)))
      default: .none
      }
    }
    store.send(1)
    await log.wait(for: #""a" started"#)
    await log.wait(for: #""ticker" started"#)
    let ending = await end(store, .draining(cancelling: ["ticker"]))
    gate.open()
    #expect(await ending.value.isEmpty)
    #expect(await store.state == [1, 4, 2])
  }

  @Test func `Ids that draining cancels are cancelled by the shutdown, queued ones too (L4, S1)`() async {
    let store = makeStore { [self] action in
      action == 1
        ? .merge(
          stubborn("a", then: 2), stubborn("b", then: 3, overlap: .enqueue), stubborn("b", then: 4, overlap: .enqueue))
        : .none
    }
    let trace = store.trace.log()
    store.send(1)
    await log.wait(for: #""b" started"#)
    let ending = await end(store, .draining(cancelling: ["b"]))
    gate.open()
    _ = await ending.value
    let ends = trace.events.count { event in
      if case .run(_, .ended(.cancelled(.shutdown))) = event.kind { true } else { false }
    }
    #expect(ends == 2)
  }

  @Test func `At its limit a shutdown cancels and returns what has not returned; another call waits (L4, C1)`() async {
    let store = makeStore { [self] action in action == 1 ? stubborn("slow", then: 2) : .none }
    let dispatch = store.send(1)
    await log.wait(for: #""slow" started"#)
    let ending = await end(store, .draining(within: .seconds(5)))
    await clock.log.wait(for: "sleeps")
    clock.advance(by: .seconds(5))
    // The closure has not returned.
    let left = await ending.value
    #expect(left.map(\.description) == [#"run("slow")"#])
    #expect(left.map(\.hasReturned) == [false])
    await dispatch.finish()
    #expect(await store.status("slow") == EffectStatus(cancelling: 1))
    let again = await end(store, .cancelling(within: .seconds(1)))
    await clock.log.wait(for: "sleeps", count: 2)
    clock.advance(by: .seconds(1))
    #expect(await again.value.map(\.hasReturned) == [false])
    let last = await end(store, .cancelling)
    gate.open()
    #expect(await last.value.map(\.hasReturned) == [true])
    #expect(await store.shutdown(.draining).map(\.hasReturned) == [true])
    #expect(await store.state == [1])
    #expect(clock.sleeperCount == 0)
  }

  @Test func `A shutdown that is over before its limit leaves no timer behind (L4, C1)`() async {
    let store = makeStore { [self] action in action == 1 ? stubborn("a", then: 2) : .none }
    store.send(1)
    await log.wait(for: #""a" started"#)
    let ending = await end(store, .draining(cancelling: [EffectID("none")], within: .seconds(5)))
    await clock.log.wait(for: "sleeps")
    #expect(clock.sleeperCount == 1)
    gate.open()
    #expect(await ending.value.isEmpty)
    #expect(clock.sleeperCount == 0)
    #expect(await store.state == [1, 2])
  }

  @Test
  func `Several shutdowns end together; one that cancels hurries one that drains; a late one returns at once (L4)`()
    async
  {
    let store = makeStore { [self] action in action == 1 ? stubborn("a", then: 2) : .none }
    let dispatch = store.send(1)
    await log.wait(for: #""a" started"#)
    let patient = await end(store, .draining)
    let second = await end(store, .draining)
    let hasty = await end(store, .cancelling)
    let late = await end(store, .draining(within: .seconds(1)))
    await dispatch.finish()
    gate.open()
    for ending in [patient, second, hasty, late] {
      #expect(await ending.value.map(\.description) == [#"run("a")"#])
    }
    #expect(await store.shutdown(.draining).count == 1)
    #expect(await store.shutdown(.cancelling).count == 1)
    #expect(await store.state == [1])
    #expect(clock.sleeperCount == 0)
  }

  @Test(arguments: ["before", "while it waits"])
  func `A cancelled waiter returns at once what has not returned, and draining becomes cancelling (L4)`(
    moment: String
  ) async {
    let store = makeStore { [self] action in action == 1 ? stubborn("a", then: 2) : .none }
    let dispatch = store.send(1)
    await log.wait(for: #""a" started"#)
    let ending: Task<[EffectRun], Never>
    if moment == "before" {
      let may = Gate()
      ending = Task { @MainActor in
        await may.pass()
        return await store.shutdown(.draining(within: .seconds(1)))
      }
      ending.cancel()
      may.open()
    } else {
      ending = await end(store, .draining(within: .seconds(1)))
      ending.cancel()
    }
    #expect(await ending.value.map(\.description) == [#"run("a")"#])
    #expect(await ending.value.map(\.hasReturned) == [false])
    await dispatch.finish()
    let cancelling = await end(store, .cancelling)
    cancelling.cancel()
    #expect(await cancelling.value.map(\.hasReturned) == [false])
    gate.open()
    #expect(await store.shutdown(.cancelling).map(\.hasReturned) == [true])
    #expect(await store.state == [1])
  }

  @Test(arguments: ["run", "cancelled run"])
  func `A run that waits for the end of its own store is reported and goes on; the end comes (L4, L2)`(
    place: String
  ) async {
    let (failures, reference) = (Recorder<String>(), StoreReference<Feature>())
    let store = makeStore(onFailure: { failures.record("\($0.run): \($0.error)") }) { [log, gate] action in
      switch action {
      case 1:
        .run(id: "quit", overlap: .concurrent) { send in
          log.record("started")
          if place == "cancelled run" { await gate.pass() }
          await reference.store?.shutdown(.draining(within: .seconds(1)))
          log.record("goes on")
          send(2)
        }
      case 3: .cancel(id: "quit")
      default: .none
      }
    }
    reference.store = store
    store.send(1)
    await log.wait(for: "started")
    if place == "cancelled run" {
      store.send(3)
      gate.open()
    }
    await log.wait(for: "goes on")
    await store.shutdown(.draining)
    #expect(failures.events == [#"run("quit"): \#(WaitsForItself(.shutdown))"#])
    #expect(await store.state == (place == "run" ? [1, 2] : [1, 3]))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `A closure that ran out of time and waits for the end of its own store is reported and goes on (L4, C2)`()
    async
  {
    let (failures, reference) = (Recorder<String>(), StoreReference<Feature>())
    let store = makeStore(onFailure: { failures.record("\(type(of: $0.error))") }) { [log, gate] _ in
      .run(id: "quit", overlap: .concurrent) { _ in
        log.record("started")
        await gate.pass()
        await reference.store?.shutdown(.draining)
        log.record("goes on")
      }.timeout(after: .seconds(1))
    }
    reference.store = store
    store.send(1)
    await log.wait(for: "started")
    await clock.hasSleepers(1, dueBy: .seconds(1))
    clock.advance(by: .seconds(1))
    await failures.wait(for: "EffectTimeout")
    gate.open()
    await log.wait(for: "goes on")
    await store.shutdown(.draining)
    #expect(failures.events == ["EffectTimeout", "WaitsForItself"])
  }

  @Test func `Optional ids in what a shutdown cancels are unwrapped (L4)`() {
    let ids = Shutdown.draining(cancelling: ["ticker", nil] as [String?]).ids
    #expect(ids == ["ticker"])
  }

  @Test func `A task that a run has left behind may wait for the end of its store (L4)`() async {
    let (failures, reference) = (Recorder<String>(), StoreReference<Feature>())
    let store = makeStore(onFailure: { failures.record("\($0.error)") }) { [log, gate] _ in
      .run { _ in
        Task {
          await gate.pass()
          await reference.store?.shutdown(.cancelling)
          log.record("ended")
        }
      }
    }
    reference.store = store
    await store.send(1).finish()
    gate.open()
    await log.wait(for: "ended")
    #expect(failures.events.isEmpty)
    #expect(store.send(2).isRefused)
  }

  @Test func `A turn that was put aside is reduced to its end; cut, its runs do not start (L4, T5)`() async {
    let (isReducing, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
    let store = Store(
      initialState: [],
      reducer: Feature { @Sendable [log] state, action in
        state.append(action)
        if action == 0 {
          isReducing.open()
          mayGoOn.wait()
        }
        guard (1..<20).contains(action) else { return .none }
        return .merge(.send(action + 1), action == 15 ? .run { _ in log.record("never") } : .none)
      }, isolation: QueueIsolation(), followUpLimit: 4, drainBudget: 256)
    store.send(0)
    await isReducing.pass()
    store.send(1)
    let ending = await end(store, .cancelling)
    mayGoOn.signal()
    #expect(await ending.value.isEmpty)
    #expect(await store.state == Array(0...20))
    #expect(!log.events.contains("never"))
    #expect(await store.isEmpty)
  }

  @Test func `A store ends from an actor that it runs on, and that goes on meanwhile (L4, L5)`() async {
    actor Owner {
      var store: Store<Feature>?
      func end(_ gate: Gate) async -> [Int] {
        let store = Store(
          initialState: [],
          reducer: Feature { @Sendable state, action in
            state.append(action)
            return action == 1
              ? .run { send in
                await gate.pass()
                send(2)
              } : .none
          }, isolation: self)
        store.send(1)
        self.store = store
        async let cut = store.shutdown(.draining)
        gate.open()
        #expect(await cut.isEmpty)
        self.store = nil
        return await store.state
      }
    }
    #expect(await Owner().end(gate) == [1, 2])
  }

  @Test func `A waiting shutdown keeps its store (L4, E7)`() async {
    var store: Store<Feature>? = makeStore { [self] action in action == 1 ? stubborn("a", then: 2) : .none }
    weak let weakStore = store
    store?.send(1)
    let ending = await end(store!, .draining)
    store = nil
    await log.wait(for: #""a" started"#)
    #expect(weakStore != nil)
    gate.open()
    #expect(await ending.value.isEmpty)
    #expect(log.events.contains(#""a" sends: true"#))
  }

  @Test func `Sequences of values show the last state and end; later ones are empty (L4)`() async {
    let store = makeStore { [self] action in action == 1 ? stubborn("a", then: 2) : .none }
    store.send(1)
    var quick = store.values(\.count).makeAsyncIterator()
    #expect(await quick.next(isolation: #isolation) == 1)
    var slow = store.values(\.count).makeAsyncIterator()
    #expect(await slow.next(isolation: #isolation) == 1)
    let waiting = Task { @MainActor in
      var seen: [Int] = []
      for await count in store.values(\.count) {
        seen.append(count)
        log.record("saw \(count)")
      }
      return seen
    }
    await log.wait(for: "saw 1")
    let ending = await end(store, .draining)
    gate.open()
    _ = await ending.value
    #expect(await slow.next(isolation: #isolation) == 2)
    #expect(await slow.next(isolation: #isolation) == nil)
    #expect(await waiting.value == [1, 2])
    for await _ in store.values(\.count) { Issue.record("a store that has ended shows nothing") }
  }

  @Test func `Sequences of statuses show the last status and end, also to a slow reader (L4, S2)`() async {
    let store = makeStore { [self] action in action == 1 ? stubborn("a", then: 2) : .none }
    store.send(1)
    var statuses = store.statuses(of: "a").makeAsyncIterator()
    #expect(await statuses.next(isolation: #isolation) == EffectStatus(running: 1))
    let ending = await end(store, .cancelling)
    gate.open()
    _ = await ending.value
    #expect(await statuses.next(isolation: #isolation) == EffectStatus())
    #expect(await statuses.next(isolation: #isolation) == nil)
    for await _ in store.statuses(of: "a") { Issue.record("a store that has ended shows nothing") }
  }

  @Test func `A store that has ended keeps no observer that comes later (L4, E7)`() async {
    let store = makeStore { _ in .none }
    await store.shutdown(.cancelling)
    for _ in 0..<3 {
      for await _ in store.values(\.count) {}
      for await _ in store.statuses(of: "a") {}
    }
    #expect(store.observers.isEmpty)
    #expect(store.observers.statuses.isEmpty)
  }

  @Test func `A draining shutdown inside a run has no time limit (L4)`() async {
    let reference = StoreReference<Feature>()
    let store = makeStore(onFailure: { _ in }) { [log] action in
      guard action == 1 else { return .none }
      return .merge(
        stubborn("work", then: 2),
        .run(id: "quit", overlap: .concurrent) { _ in
          await reference.store?.shutdown(.draining(within: .seconds(1)))
          log.record("returned")
        })
    }
    reference.store = store
    store.send(1)
    await log.wait(for: "returned")
    await log.wait(for: "\"work\" started")
    clock.advance(by: .seconds(5))
    gate.open()
    #expect(await store.shutdown(.draining) == [])
    #expect(await store.state == [1, 2])
  }
}
