// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Fails on purpose, in a child process only: `ReportingTests` reads its output.
@Suite(.enabled(if: FailOnPurpose.isAsked))
struct FailingSwiftTests {
  @Test func stateDiffers() async {
    let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
    store.send(1) { $0 = 2 }
    await store.finish()
  }

  @Test func unhandled() async {
    let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
    store.send(-1)
    await store.finish()
  }

  @Test @MainActor func inFlight() async {
    let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
    store.send(-2)
    await store.finish()
  }

  @Test func finishForgotten() {
    let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
    store.send(-1)
  }

  @Test func fromDetachedTask() async {
    await Task.detached {
      let store = TestStore(initialState: 0, reducer: FailOnPurpose.counter)
      store.send(3) { $0 = 4 }
    }.value
  }

  @Test func expectationInsideARun() async {
    let store = TestStore(
      initialState: 0, reducer: Reduce<Int, Int> { _, _ in .run { _ in #expect(Bool(false), "inside a run") } })
    store.send(1)
    await store.finish()
  }
}
