// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import XCTest

/// The same steps under XCTest. `ReportingTests` shows that no failure is lost there.
final class XCTestCaseTests: XCTestCase {
  private func store() -> TestStore<Reduce<Counter, CounterAction>> {
    counterStore(
      work { send in
        try await send.sleep(for: .seconds(1))
        send(.set(await Task.detached { 5 }.value))
      })
  }

  func testSteps() async {
    let store = store()
    store.send(.start)
    store.advance(by: .seconds(1))
    await store.receive(.set(5)) { $0.count = 5 }
    await store.finish()
  }

  @MainActor func testStepsOnTheMainActor() async {
    let store = store()
    store.send(.start)
    store.advance(by: .seconds(1))
    await store.receive(.set(5)) { $0.count = 5 }
    MainActor.assertIsolated()
    await store.finish()
  }

  @MainActor func testFurtherSteps() async {
    let store = store()
    let set = CasePath(embed: CounterAction.set, extract: { if case .set(let count) = $0 { count } else { nil } })
    let start = store.send(.start)
    store.advanceToNext()
    await store.settle(until: "work")
    let count = await store.receive(set) { $0.count = 5 }
    XCTAssertEqual(count, 5)
    await start.finish()
    let fork = store.fork()
    fork.send(.start)
    fork.runUntilIdle()
    await fork.receive(where: { $0 == .set(5) })
    await fork.finish()
    store.send(.start)
    store.cancelInFlight()
    store.assert { $0.count = 5 }
    await store.finish()
  }
}
