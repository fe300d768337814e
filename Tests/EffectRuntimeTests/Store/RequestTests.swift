// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[Int], Int>

private struct Broken: Error {}

@MainActor @Suite(.timeLimit(.minutes(5))) struct RequestTests {
  private let log = Recorder<String>()
  private let gate = Gate()

  private func makeStore(
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil, _ effect: @escaping @Sendable (Int) -> Effect<Int>
  ) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { @Sendable state, action in
        state.append(action)
        return effect(action)
      }, isolation: MainActor.shared, onFailure: onFailure)
  }

  /// A request that has been made when this returns: both are on the main actor.
  private func ask(_ store: Store<Feature>, _ action: Int) async -> Task<[Int], any Error> {
    let task = Task { @MainActor in
      log.record("asks \(action)")
      return try await store.request(action) { $0 }
    }
    await log.wait(for: "asks \(action)")
    return task
  }

  @Test func `A request answers when all that its action causes has settled (L3)`() async throws {
    let store = makeStore { action in
      switch action {
      case 1: .merge(.send(2), .run { send in send(3) })
      case 3: .concatenate(.run { send in _ = await send.delivered(4) }, .send(5))
      default: .none
      }
    }
    #expect(try await store.request(0) { $0.count } == 1)
    #expect(try await store.request(1) { $0 } == [0, 1, 2, 3, 4, 5])
    #expect(await store.isEmpty)
  }

  @Test func `No other action comes between the last effect and the answer (L3)`() async throws {
    let store = makeStore { [gate] action in
      switch action {
      case 1: .run(id: "x", overlap: .concurrent) { _ in await gate.pass() }
      case 2: .cancel(id: "x")
      default: .none
      }
    }
    let request = await ask(store, 1)
    // Both wait for the main actor, and are taken one after the other.
    store.send(2, isolation: nil)
    store.send(3, isolation: nil)
    #expect(try await request.value == [1, 2])
    #expect(await store.state == [1, 2, 3])
    gate.open()
  }

  @Test func `No action of another sender comes between the action and an answer that needs no effect (L3)`()
    async throws
  {
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { @Sendable state, action in
        state = action
        return action > 0 && action % 2 == 0 ? .send(action + 1) : .none
      })
    let flood = Task.detached {
      while !Task.isCancelled { await store.send(-1).finish() }
    }
    for number in stride(from: 2, to: 2_000, by: 2) {
      let answer = try await store.request(number) { $0 }
      #expect(answer == number + 1)
    }
    flood.cancel()
    await flood.value
  }

  @Test func `Cancelling the caller cancels the effects; after it throws none of their actions is reduced (L3, E1)`()
    async
  {
    let store = makeStore { [log, gate] action in
      action == 1
        ? .run { send in
          log.record("started")
          await gate.pass()
          send(2)
          log.record("sent")
        } : .none
    }
    let request = await ask(store, 1)
    await log.wait(for: "started")
    request.cancel()
    await #expect(throws: CancellationError.self) { try await request.value }
    gate.open()
    await log.wait(for: "sent")
    await store.send(3).finish()
    #expect(await store.state == [1, 3])
  }

  @Test func `Cancelled before its action is reduced, a request throws and its runs never start (L3, L2)`() async {
    let (isReducing, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
    let store = Store(
      initialState: [],
      reducer: Feature { @Sendable [log] state, action in
        state.append(action)
        if action == 0 {
          isReducing.open()
          mayGoOn.wait()
        }
        return action == 1 ? .run { _ in log.record("never") } : .none
      }, isolation: QueueIsolation())
    store.send(0)
    await isReducing.pass()
    let request = await ask(store, 1)
    request.cancel()
    mayGoOn.signal()
    await #expect(throws: CancellationError.self) { try await request.value }
    #expect(await store.state == [0, 1])
    #expect(log.events == ["asks 1"])
    #expect(await store.isEmpty)
  }

  @Test func `A caller that is cancelled before its request sends nothing (L3)`() async {
    let store = makeStore { _ in .none }
    let request = Task {
      await gate.pass()
      return try await store.request(1) { $0 }
    }
    request.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await request.value }
    #expect(await store.state.isEmpty)
  }

  @Test func `A shutdown answers each request once: refused, cut short, or with its value when it drains (L3, L4)`()
    async throws
  {
    for (shutdown, mode) in [(Shutdown.cancelling, "cancelling"), (.draining, "draining")] {
      let (gate, started) = (Gate(), Gate())
      let store = makeStore { action in
        action == 1
          ? .run { send in
            started.open()
            await gate.pass()
            send(2)
          } : .none
      }
      let request = await ask(store, 1)
      await started.pass()
      let end = Task { @MainActor in
        log.record(mode)
        await store.shutdown(shutdown)
      }
      await log.wait(for: mode)
      await #expect(throws: RequestFailure.refused) { try await store.request(3) { $0 } }
      if mode == "cancelling" {
        await #expect(throws: RequestFailure.cutShort) { try await request.value }
        gate.open()
      } else {
        gate.open()
        #expect(try await request.value == [1, 2])
      }
      await end.value
      await #expect(throws: RequestFailure.refused) { try await store.request(3) { $0 } }
    }
  }

  // MARK: - Draining

  /// A shutdown that has begun when this returns: both are on the main actor.
  private func end(_ store: Store<Feature>, _ shutdown: Shutdown) async -> Task<Void, Never> {
    let task = Task { @MainActor in
      log.record("ends")
      await store.shutdown(shutdown)
    }
    await log.wait(for: "ends")
    return task
  }

  /// A run that lasts until it is cancelled.
  private nonisolated func endless(_ id: EffectID, overlap: Overlap = .concurrent) -> Effect<Int> {
    .run(id: id, overlap: overlap) { [log] _ in
      log.record("\(id) started")
      for await _ in AsyncStream<Never>.makeStream().stream {}
    }
  }

  private nonisolated func gated(_ id: EffectID, then action: Int) -> Effect<Int> {
    .run(id: id, overlap: .concurrent) { [gate] send in
      await gate.pass()
      send(action)
    }
  }

  @Test(arguments: ["active", "queued", "caused later", "joined", "in a tree"])
  func `A request is cut short when a draining shutdown cancels one of its effects by id, and others not (L3, L4)`(
    kind: String
  ) async throws {
    let store = makeStore { [self] action in
      switch (action, kind) {
      case (1, "active"): .merge(endless("x"), gated("other", then: 5))
      case (1, "queued"): .merge(endless("x", overlap: .enqueue), gated("other", then: 5))
      case (1, "caused later"): .merge(.run { send in send(3) }, gated("other", then: 5))
      case (1, "joined"): .merge(endless("x", overlap: .join), gated("other", then: 5))
      case (1, _):
        .merge(.merge(endless("y"), .send(4)).cancellable(id: "x", overlap: .concurrent), gated("other", then: 5))
      case (2, "queued"): endless("x", overlap: .enqueue)
      case (2, "joined"): endless("x", overlap: .join)
      case (3, _): endless("x")
      case (7, _): gated("unconcerned", then: 8)
      default: .none
      }
    }
    let first = store.send(2)
    let request = await ask(store, 1)
    let unconcerned = await ask(store, 7)
    await log.wait(for: kind == "in a tree" ? #""y" started"# : #""x" started"#)
    let ending = await end(store, .draining(cancelling: ["x"]))
    await first.finish()
    gate.open()
    await #expect(throws: RequestFailure.cutShort) { try await request.value }
    let state = try await unconcerned.value
    #expect(state.contains(8), "its effects were not cancelled")
    await ending.value
    #expect(await store.state.contains(5), "the rest of the request was not cancelled either")
  }

  @Test func `A request whose effects end during a draining shutdown has its answer (L3, L4)`() async throws {
    let store = makeStore { [self] action in action == 1 ? gated("a", then: 2) : .none }
    let request = await ask(store, 1)
    let ending = await end(store, .draining(cancelling: ["x"], within: .seconds(1_000)))
    gate.open()
    #expect(try await request.value == [1, 2])
    await ending.value
  }

  @Test func `A request that has not ended at the limit of a draining shutdown is cut short (L3, L4)`() async {
    let clock = ManualClock()
    let store = Store(
      initialState: [],
      reducer: Feature { @Sendable [self] state, action in
        state.append(action)
        return action == 1 ? endless("a") : .none
      }, isolation: MainActor.shared, clock: clock)
    let request = await ask(store, 1)
    await log.wait(for: #""a" started"#)
    let ending = await end(store, .draining(cancelling: ["x"], within: .seconds(5)))
    await clock.log.wait(for: "sleeps")
    clock.advance(by: .seconds(5))
    await #expect(throws: RequestFailure.cutShort) { try await request.value }
    await ending.value
  }

  @Test func `A request accepted before a draining shutdown is reduced first, and then like any other (L3, L4, T2)`()
    async throws
  {
    let (isReducing, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
    let store = Store(
      initialState: [],
      reducer: Feature { @Sendable [self] state, action in
        state.append(action)
        if action == 0 {
          isReducing.open()
          mayGoOn.wait()
        }
        return action == 1 ? endless("x") : action == 2 ? gated("a", then: 3) : .none
      }, isolation: QueueIsolation())
    store.send(0)
    await isReducing.pass()
    let requests = [await ask(store, 1), await ask(store, 2)]
    let ending = await end(store, .draining(cancelling: ["x"]))
    mayGoOn.signal()
    await #expect(throws: RequestFailure.cutShort) { try await requests[0].value }
    gate.open()
    #expect(try await requests[1].value == [0, 1, 2, 3])
    await ending.value
  }

  @Test(arguments: [nil, "run", "tree", "sequence"])
  func
    `A request whose turn goes on after a shutdown is cut short only if the shutdown cancels a part of it (L3, L4, T5)`(
      kind: String?
    ) async throws
  {
    let (isReducing, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
    let store = Store(
      initialState: [],
      reducer: Feature { @Sendable [self] state, action in
        state.append(action)
        if action == 2 {
          isReducing.open()
          mayGoOn.wait()
        }
        switch (action, kind) {
        case (1, "sequence"): return .merge(.send(2), .concatenate(gated("x", then: 6), .send(7)))
        case (4, "run"): return .merge(.send(5), endless("x"))
        case (4, "tree"): return .merge(.send(5), endless("y").cancellable(id: "x", overlap: .concurrent))
        case (1..<5, _): return .send(action + 1)
        default: return .none
        }
      }, isolation: QueueIsolation(), clock: ContinuousClock(), onFailure: nil, followUpLimit: 2, drainBudget: 256)
    let outcomes = Recorder<String>()
    let trace = store.trace.log()
    let request = Task { @MainActor in
      log.record("asks")
      return try await store.request(1) { state, found in
        outcomes.record("\(found)")
        return state
      }
    }
    await log.wait(for: "asks")
    await isReducing.pass()
    let ending = await end(store, .cancelling)
    mayGoOn.signal()
    if kind == nil {
      #expect(try await request.value == [1, 2, 3, 4, 5])
      #expect(outcomes.events == [""])
    } else {
      await #expect(throws: RequestFailure.cutShort) { try await request.value }
    }
    gate.open()
    await ending.value
    #expect(await store.state == [1, 2, 3, 4, 5])
    let ends = trace.events.count { event in
      if case .run(let run, .ended(.cancelled(.shutdown))) = event.kind { run.description.id == "x" } else { false }
    }
    #expect((ends > 0) == (kind != nil))
  }

  @Test func `A waiting request keeps its store, and releases it afterwards (L3, E7)`() async throws {
    let released = Tally()
    var store: Store<Reduce<Counted, Int>>? = Store(
      initialState: Counted(released),
      reducer: Reduce<Counted, Int> { @Sendable [gate] _, action in
        action == 1 ? .run { _ in await gate.pass() } : .none
      }, isolation: MainActor.shared)
    weak let weakStore = store
    let request = Task { @MainActor [log, store] in
      log.record("asks")
      return try await store!.request(1) { _ in "answer" }
    }
    await log.wait(for: "asks")
    store = nil
    #expect(weakStore != nil)
    gate.open()
    #expect(try await request.value == "answer")
    await released.reaches(1)
    #expect(weakStore == nil)
  }

  @Test func `A run may make a request to its own store for other work (L3)`() async throws {
    let reference = StoreReference<Feature>()
    let failures = Recorder<String>()
    let store = makeStore(onFailure: { failures.record("\($0)") }) { [log] action in
      switch action {
      case 1: .run { _ in log.record("\(try await reference.store!.request(2) { $0 })") }
      case 2: .run { send in send(3) }
      default: .none
      }
    }
    reference.store = store
    await store.send(1).finish()
    #expect(log.events == ["[1, 2, 3]"])
    #expect(failures.events.isEmpty)
  }

  @Test func `A run whose request would wait for the run itself gets an error, and is reported (L3, L2)`() async {
    let reference = StoreReference<Feature>()
    let failures = Recorder<String>()
    let store = makeStore(onFailure: { failures.record("\($0.error)") }) { [log] _ in
      // The second action joins the run that the first has started, and so can only settle with it.
      .run(id: "x", overlap: .join) { _ in
        await #expect(throws: RequestFailure.waitsForItself) { try await reference.store!.request(2) { $0 } }
        log.record("goes on")
      }
    }
    reference.store = store
    await store.send(1).finish()
    #expect(log.events == ["goes on"])
    #expect(failures.events == ["\(WaitsForItself(.dispatch))"])
    #expect(await store.state == [1, 2])
  }

  @Test func `The answer may be an error, and may send, which waits its turn (L3, E8)`() async throws {
    let store = makeStore { _ in .none }
    await #expect(throws: Broken.self) { try await store.request(1) { _ -> Int in throw Broken() } }
    let answer = try await store.request(2) { state in
      store.send(3)
      return state
    }
    #expect(answer == [1, 2])
    #expect(await store.state == [1, 2, 3])
  }

  @Test func `A request can read a Sendable value from a state that is not Sendable (L3, L5)`() async throws {
    final class Shelf { var books: [String] = [] }
    let store = Store(
      initialState: Shelf(),
      reducer: Reduce<Shelf, String> { @Sendable state, action in
        state.books.append(action)
        return action == "a" ? .run { send in send("b") } : .none
      })
    #expect(try await store.request("a") { $0.books } == ["a", "b"])
  }

  @Test func `An observable store takes requests like any other, and can be shut down (L3, L4)`() async throws {
    let store = ObservableStore(
      initialState: [],
      reducer: Feature { @Sendable state, action in
        state.append(action)
        return action == 1 ? .run { send in send(2) } : .none
      })
    #expect(try await store.request(1) { $0 } == [1, 2])
    await store.shutdown(.draining)
    #expect(store.send(3).isRefused)
    await #expect(throws: RequestFailure.refused) { try await store.request(4) { $0 } }
    #expect(store.count == 2)
  }
}
