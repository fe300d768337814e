// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import XCTest

/// The same steps under XCTest.
final class MockXCTests: XCTestCase {
  func testAnswers() async {
    let find = Mock<String, [String]>()
    let store = TestStore(initialState: .init(), reducer: Finder(find: find.callAsFunction)).patient
    store.send(.typed("s")) { $0.query = "s" }
    store.send(.typed("sw")) { $0.query = "sw" }
    XCTAssertEqual(find.pending, ["s", "sw"])
    find.answer(["SW"], at: 1)
    await store.receive(.found(["SW"])) { $0.results = ["SW"] }
    find.answer(throwing: Offline())
    await store.receive(.failed("Offline()")) { $0.error = "Offline()" }
    await store.finish()
  }

  @MainActor func testAnswersOnTheMainActor() async {
    let load = Mock<Void, Int>()
    let store = counterStore(work { send in send(.set(try await load())) })
    store.send(.start)
    load.answer(5)
    await store.receive(.set(5)) { $0.count = 5 }
    await store.finish()
  }

  func testEveryOrder() async {
    let result = await explore(
      initialState: .init(), reducer: Finder(overlap: .restart, find: Mock(answering: { [$0] }).callAsFunction)
    ) { run in
      run.send(.typed("s"))
      run.send(.typed("sw"))
    } always: { state in
      state.isFresh
    }
    XCTAssertEqual(result.completeLevel, .steps)
  }
}
