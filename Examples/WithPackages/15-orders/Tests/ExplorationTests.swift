// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import orders

/// Every order of news, answers of the database and lost leases.
@Suite struct `Explorations of a worker` {
  /// A worker, and what happens elsewhere at the moment of an action.
  private struct Elsewhere: Reducer, Sendable {
    let worker: Worker
    /// Returns what the worker notices of it. `cut` stands for what happens elsewhere.
    let happens: @Sendable (Worker.Action) -> Worker.Action

    func reduce(into state: inout Worker.State, action: Worker.Action) -> Effect<Worker.Action> {
      worker.reduce(into: &state, action: happens(action))
    }
  }

  @Test func `An order that arrives while others are taken is not forgotten (O1)`() async {
    let all = await newsDuringTakes(100_000, .depthFirst(.descend), .eager)
    #expect("\(all)" == "complete at grain descend: 28 schedules")
    // With actions that wait in the mailbox there are tens of thousands of schedules.
    #expect(await newsDuringTakes(1_000, .random(), .anyTime).schedules == 1_000)
  }

  private func newsDuringTakes(
    _ schedules: Int, _ search: Exploration.Search, _ delivery: Exploration.Delivery
  ) async -> Exploration {
    await explore(schedules: schedules, search: search, delivery: delivery) { schedule in
      let memory = MemoryOrders(1)
      let run = schedule.store(
        initialState: Worker.State(),
        reducer: Elsewhere(
          worker: Worker(services: memory.services(nil), limit: 2, batch: 1),
          happens: { action in
            guard action == .cut else { return action }
            memory.add(2)
            return .news
          }),
        requiring: [.nothingRunsAtTheEnd], finally: { $0.held.isEmpty && $0.finished == 2 && memory.isExactlyOnce })
      run.send(.news)
      run.send(.cut)
    }
  }

  @Test func `An order that another process has taken is finished once, at any moment (E1, E3)`() async {
    let result = await explore(schedules: 100_000, search: .depthFirst(.descend)) { schedule in
      let memory = MemoryOrders(1)
      let run = schedule.store(
        initialState: Worker.State(),
        reducer: Elsewhere(
          worker: Worker(services: memory.services(schedule.clock), limit: 1, batch: 1),
          happens: { action in
            guard action == .cut else { return action }
            memory.stealAll()
            return .kept([], of: [])
          }),
        requiring: [.nothingRunsAtTheEnd],
        sometimes: ["it is lost": { $0.held.isEmpty && $0.finished == 0 }, "it is finished": { $0.finished == 1 }],
        finally: { $0.held.isEmpty && memory.isExactlyOnce })
      run.send(.news)
      run.send(.cut)
    }
    #expect("\(result)" == "complete at grain descend: 711 schedules")
  }
}
