// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import orders

/// Every order of news, answers of the database and lost leases.
@Suite struct `Explorations of a worker` {
  /// A worker, and what another process does. `cut` stands for its beginning.
  private struct Elsewhere: Reducer, Sendable {
    let worker: Worker
    /// Returns what the worker notices of it. It changes memory that runs use, so it is called by a run.
    let happens: @Sendable () -> Worker.Action

    func reduce(into state: inout Worker.State, action: Worker.Action) -> Effect<Worker.Action> {
      guard action == .cut else { return worker.reduce(into: &state, action: action) }
      return .run { [happens] send in send(happens()) }
    }
  }

  @Test func `An order that arrives while others are taken is not forgotten (O1)`() async {
    let result = await explore(options: .init(upTo: .timers)) { schedule in
      let memory = MemoryOrders(1)
      let script = schedule.store(
        initialState: Worker.State(),
        reducer: Elsewhere(
          worker: Worker(services: memory.services(nil), limit: 2, batch: 1),
          happens: {
            memory.add(2)
            return .news
          }),
        requiring: [.nothingRunsAtTheEnd], finally: { $0.held.isEmpty && $0.finished == 2 && memory.isExactlyOnce })
      script.send(.news)
      script.send(.cut)
    }
    result.expectComplete(.timers)
  }

  @Test func `An order that another process has taken is finished once, at any moment (E1, E3)`() async {
    let result = await explore(options: .init(upTo: .timers)) { schedule in
      let memory = MemoryOrders(1)
      let script = schedule.store(
        initialState: Worker.State(),
        reducer: Elsewhere(
          worker: Worker(services: memory.services(schedule.clock), limit: 1, batch: 1),
          happens: {
            memory.stealAll()
            return .kept([], of: [])
          }),
        requiring: [.nothingRunsAtTheEnd],
        sometimes: ["it is lost": { $0.held.isEmpty && $0.finished == 0 }, "it is finished": { $0.finished == 1 }],
        finally: { $0.held.isEmpty && memory.isExactlyOnce })
      script.send(.news)
      script.send(.cut)
    }
    result.expectComplete(.timers)
  }
}
