// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@testable import orders

/// What a worker does while the server is away, and with what is refused.
@Suite struct `A worker when something fails` {
  private let refusal = Failure(description: "refused")
  private let outage = Outage(description: "away")
  private let order = Order(id: 1, attempt: 1)

  @Test func `A commit that is refused again and again is parked, and the call is not repeated (C2)`() async {
    let memory = MemoryOrders(1)
    let commits = Atomic(0)
    let store = store(memory) { services in
      services.finish = { [refusal] _ in
        commits.add(1, ordering: .relaxed)
        throw refusal
      }
    }
    await takeAndCall(store)
    for _ in 1...4 { store.advanceToNext() }
    await store.receive(.next(1, .park(problem: "refused"))) { $0.held[1]?.step = .park(problem: "refused") }
    await store.receive(.dropped(1)) { $0.held = [:] }
    await store.finish()
    // One with the call, and five of its own.
    #expect(commits.load(ordering: .relaxed) == 6)
    #expect(memory.parked == [1: "refused"])
    #expect(memory.calls == [1])
  }

  @Test func `A call that fails five times is parked with its error (C2)`() async {
    let memory = MemoryOrders(1)
    let store = store(memory) { $0.call = { [refusal] _ in throw refusal } }
    store.send(.news)
    await store.receive(.took([order])) { $0.held = [1: Worker.Held(order: order)] }
    await store.receive(.took([]))
    for _ in 1...4 { store.advanceToNext() }
    await store.receive(.next(1, .park(problem: "refused"))) { $0.held[1]?.step = .park(problem: "refused") }
    await store.receive(.dropped(1)) { $0.held = [:] }
    await store.finish()
    #expect(memory.parked == [1: "refused"])
  }

  @Test func `A commit is tried until the server is back, and the call is not repeated (C2)`() async {
    let memory = MemoryOrders(1)
    let failures = Atomic(20)
    let store = store(memory) { services in
      services.finish = { [outage] order in
        if failures.subtract(1, ordering: .relaxed).oldValue > 0 { throw outage }
        return memory.finish(order)
      }
    }
    await takeAndCall(store)
    // The first failure is followed by the next step at once.
    for _ in 1...19 { store.advanceToNext() }
    await store.receive(.finished(1)) {
      $0.held = [:]
      $0.finished = 1
    }
    await store.finish()
    #expect(memory.isExactlyOnce)
    #expect(memory.calls == [1])
  }

  @Test func `A worker listens again when its connection was cut, and asks for orders that came meanwhile`() async {
    let memory = MemoryOrders(1)
    let connections = Mutex<[AsyncStream<Void>.Continuation]>([])
    let store = store(memory) { services in
      services.take = { _ in [] }
      services.news = {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        connections.withLock { $0.append(continuation) }
        return stream
      }
    }
    store.send(.started)
    await store.receive(.news)
    await store.receive(.took([]))
    connections.withLock { $0[0].finish() }
    await store.receive(.cut)
    store.advanceToNext()
    await store.receive(.news)
    await store.receive(.took([]))
    #expect(connections.withLock { $0.count } == 2)
    await store.shutdown(.draining(cancelling: Worker.Work.endless)).finish()
    await store.finish()
  }

  @Test func `A worker that finds no server gives up after the last attempt, and takes nothing more (C2)`() async {
    let store = store(MemoryOrders(1)) { $0.take = { [outage] _ in throw outage } }
    store.reducer.attempts = 3
    store.send(.news)
    for _ in 1...2 { store.advanceToNext() }
    await store.receive(.gaveUp("away")) {
      $0.isLeaving = true
      $0.gaveUp = "away"
    }
    await store.finish()
  }

  @Test func `The plain worker gives up after the last attempt`() async {
    var services = MemoryOrders(1).services(nil)
    services.news = { [outage] in throw outage }
    let (ends, end) = AsyncStream<String>.makeStream()
    let worker = PlainWorker(services: services, lease: .seconds(3), attempts: 2) { end.yield("\($0)") }
    await worker.start()
    var reasons = ends.makeAsyncIterator()
    #expect(await reasons.next() == "away")
    await worker.leave(within: .seconds(1))
  }

  @Test func `The plain worker parks what is refused, and does not repeat the call`() async {
    let memory = MemoryOrders(1)
    let (parked, park) = AsyncStream<String>.makeStream()
    var services = memory.services(nil)
    services.finish = { [refusal] _ in throw refusal }
    services.park = { _, problem in park.yield(problem) }
    let (news, new) = AsyncStream<Void>.makeStream()
    services.news = { news }
    let worker = PlainWorker(services: services, lease: .seconds(3)) { Issue.record("\($0)") }
    await worker.start()
    var problems = parked.makeAsyncIterator()
    #expect(await problems.next() == "refused")
    await worker.leave(within: .seconds(1))
    #expect(memory.calls == [1])
    new.finish()
  }

  @Test func `An outage is reported once, and its end once`() {
    let lines = Mutex<[String]>([])
    let outages = Outages { line in lines.withLock { $0.append(line) } }
    outages.ended()
    for _ in 1...2 {
      outages.began(outage)
      outages.began(outage)
      outages.ended()
      outages.ended()
    }
    let both = ["the database is away: away", "the database is back"]
    #expect(lines.withLock { $0 } == both + both)
  }

  private func store(
    _ memory: MemoryOrders, _ change: (inout Services) -> Void
  ) -> TestStore<Worker> {
    var services = memory.services(nil)
    change(&services)
    return TestStore(initialState: Worker.State(), reducer: Worker(services: services, batch: 32))
  }

  private func takeAndCall(_ store: TestStore<Worker>) async {
    store.send(.news)
    await store.receive(.took([order])) { $0.held = [1: Worker.Held(order: order)] }
    await store.receive(unordered: [.took([]), .next(1, .commit)]) {
      $0.held = [1: Worker.Held(order: order, step: .commit)]
    }
  }
}
