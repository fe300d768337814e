// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import orders

/// What a worker does, step by step.
@Suite struct WorkerTests {
  @Test func `Orders are taken as long as there is room, and each that is finished makes room`() async {
    let memory = MemoryOrders(3)
    let store = TestStore(initialState: Worker.State(), reducer: Worker(services: memory.services(TestClock())))
    store.reducer = Worker(services: memory.services(store.clock), limit: 2, batch: 1)
    let orders = (1...3).map { Order(id: $0, attempt: 1) }
    store.send(.news)
    await store.receive(.took([orders[0]])) {
      $0.mayHaveMore = false
      $0.held = [1: Worker.Held(order: orders[0])]
    }
    await store.receive(.took([orders[1]])) {
      $0.mayHaveMore = true
      $0.held[2] = Worker.Held(order: orders[1])
    }
    store.advance(by: .milliseconds(10))
    await store.receive(.finished(1)) {
      $0.mayHaveMore = false
      $0.held[1] = nil
      $0.finished = 1
    }
    await store.receive(.took([orders[2]])) {
      $0.mayHaveMore = true
      $0.held[3] = Worker.Held(order: orders[2])
    }
    await store.receive(.finished(2)) {
      $0.mayHaveMore = false
      $0.held[2] = nil
      $0.finished = 2
    }
    await store.receive(.took([]))
    store.advance(by: .milliseconds(10))
    await store.receive(.finished(3)) {
      $0.held = [:]
      $0.finished = 3
    }
    await store.finish()
    #expect(memory.isExactlyOnce)
  }

  @Test func `An order whose lease another process has is not worked on any more (E3)`() async {
    let memory = MemoryOrders(1)
    let store = TestStore(initialState: Worker.State(), reducer: Worker(services: memory.services(TestClock())))
    store.reducer = Worker(services: memory.services(store.clock))
    let order = Order(id: 1, attempt: 1)
    store.send(.news)
    await store.receive(.took([order])) {
      $0.held = [1: Worker.Held(order: order)]
    }
    await store.receive(.took([]))
    store.send(.leaseTick)
    await store.receive(.kept([order], of: [order]))
    memory.stealAll()
    store.send(.leaseTick)
    await store.receive(.kept([], of: [order])) { $0.held = [:] }
    await store.finish()
    #expect(memory.isExactlyOnce)
    #expect(memory.calls == [1, 1])
  }

  @Test func `A worker that leaves finishes what it has, and takes nothing more`() async {
    let memory = MemoryOrders(2)
    let store = TestStore(initialState: Worker.State(), reducer: Worker(services: memory.services(TestClock())))
    store.reducer = Worker(services: memory.services(store.clock), limit: 1, batch: 1)
    let order = Order(id: 1, attempt: 1)
    store.send(.news)
    await store.receive(.took([order])) {
      $0.mayHaveMore = true
      $0.held = [1: Worker.Held(order: order)]
    }
    store.send(.leave) { $0.isLeaving = true }
    let shutdown = store.shutdown(.draining(cancelling: Worker.Work.endless, within: .seconds(1)))
    store.advance(by: .milliseconds(10))
    await store.receive(.finished(1)) {
      $0.held = [:]
      $0.finished = 1
    }
    #expect(await shutdown.finish().isEmpty)
    await store.finish()
  }
}
