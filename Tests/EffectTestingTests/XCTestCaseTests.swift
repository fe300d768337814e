// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import XCTest

/// The same steps under XCTest; that failures are not lost there is what `ReportingTests` shows.
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
}
