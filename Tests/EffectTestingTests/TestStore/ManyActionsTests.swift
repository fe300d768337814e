// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Finite work is never called endless, however much it is.
@Suite struct `Many actions` {
  private struct Import: Reducer {
    struct State: Equatable, Sendable { var rows = 0 }
    enum Action: Equatable, Sendable { case begin(Int), turn(Int), row }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .begin(let count): return .run { send in for _ in 0..<count { send(.row) } }
      case .turn(let count): return .merge((0..<count).map { _ in .send(.row) })
      case .row:
        state.rows += 1
        return .none
      }
    }
  }

  private func store() -> TestStore<Import> {
    let store = TestStore(initialState: .init(), reducer: Import())
    store.exhaustivity = .off
    return store
  }

  @Test(arguments: [Import.Action.begin(2_000), .begin(100_000), .turn(2_000)])
  private func `that are skipped are not endless (T5)`(first: Import.Action) async {
    let store = store()
    store.send(first)
    store.skipReceived()
    await store.finish()
    let count = if case .begin(let count) = first { count } else { 2_000 }
    #expect(store.state.rows == count)
  }

  @Test func `that a step finds unexpectedly are not endless (T5)`() async {
    let store = store()
    store.send(.begin(2_000))
    await store.finish()
    #expect(store.state.rows == 2_000)
    let other = self.store()
    other.send(.begin(2_000))
    other.send(.row) { $0.rows = 2_001 }
    other.runUntilIdle()
    await other.finish()
  }

  @Test func `that are no failure by themselves are counted in the failure (T5)`() async {
    let store = TestStore(initialState: .init(), reducer: Import())
    store.send(.begin(2_000))
    let found = await failures { await store.finish() }
    #expect(found.count == 1)
    #expect(found.first?.text.hasPrefix("2000 actions were received before finish(), and the test does not") == true)
    #expect(found.first?.text.contains("Write a `receive` step for each before this step.") == true)
  }

  @Test func `that a receive step skips are not endless (T5)`() async {
    let store = store()
    store.send(.begin(2_000))
    await store.receive(where: { _ in store.state.rows == 1_999 }) { $0.rows = 2_000 }
    await store.finish()
  }

  @Test func `at many instants are not endless, with a low limit for one instant (T5)`() async {
    let reducer = Reduce<Int, Int> { state, action in
      state += action
      return action == 0 ? .run { send in while true { try await send.sleep(for: .seconds(1)); send(1) } } : .none
    }
    let store = TestStore(
      initialState: 0, reducer: reducer, executor: TestExecutor(jobLimit: 100),
      at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
    store.exhaustivity = .off
    store.send(0)
    store.advance(by: .seconds(500))
    store.skipReceived()
    #expect(store.state == 500)
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `in one turn are not endless in an exploration (T5)`() async {
    let found = await explore(initialState: .init(), reducer: Import(), options: .init(search: .full(.steps))) {
      script in
      script.send(.turn(2_000))
    } finally: {
      $0.rows == 2_000
    }
    #expect(found.failure == nil)
  }
}
