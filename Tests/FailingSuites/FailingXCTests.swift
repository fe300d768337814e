// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import XCTest

/// Fails on purpose, in a child process only: `ReportingTests` reads its output.
final class FailingXCTests: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(FailOnPurpose.isAsked, "fails on purpose, in a child process only")
  }

  func testStateDiffers() async {
    let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
    store.send(1) { $0 = 2 }
    await store.finish()
  }

  func testUnhandled() async {
    let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
    store.send(-1)
    await store.finish()
  }

  @MainActor func testInFlight() async {
    let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
    store.send(-2)
    await store.finish()
  }

  func testFinishForgotten() {
    let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
    store.send(-1)
  }

  func testFromDetachedTask() async {
    await Task.detached {
      let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
      store.send(3) { $0 = 4 }
    }.value
  }

  func testExpectationInsideARun() async {
    let store = TestStore(
      initialState: 0, reducer: Reduce<Int, Int> { _, _ in .run { _ in XCTFail("inside a run") } })
    store.send(1)
    await store.finish()
  }
}
