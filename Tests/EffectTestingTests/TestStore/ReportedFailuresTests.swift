// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

@Suite struct `Reported failures` {
  @Test func `are returned in order, and do not fail the test`() async {
    let texts = await reportedFailures {
      let store = counterStore()
      store.send(.increment) { $0.count = 2 }
      store.send(.increment) { $0.count = 7 }
      await store.finish()
    }
    #expect(texts.count == 2)
    #expect(texts.allSatisfy { $0.hasPrefix("The state after sending .increment is not what the test expects") })
  }

  @Test func `are those of explorations as well`() async {
    let texts = await reportedFailures {
      let result = await explore(
        initialState: 0,
        reducer: Reduce<Int, Int> {
          $0 += $1; return .none
        }
      ) { script in
        script.send(1)
      } always: {
        $0 == 0
      }
      #expect(result.failure != nil)
    }
    #expect(texts.count == 1)
  }

  @Test func `are empty if nothing fails, and what the body throws is thrown`() async {
    struct Broken: Error {}
    #expect(await reportedFailures {}.isEmpty)
    await #expect(throws: Broken.self) { _ = try await reportedFailures { throw Broken() } }
  }

  @Test func `belong to the innermost call`() async {
    let store = counterStore()
    var inner: [String] = []
    let outer = await reportedFailures {
      inner = await reportedFailures { store.send(.increment) { $0.count = 5 } }
      store.send(.increment) { $0.count = 9 }
      await store.finish()
    }
    #expect(inner.count == 1 && inner[0].contains("5"))
    #expect(outer.count == 1 && outer[0].contains("9"))
  }

  @Test func `of a task that the body starts are among them, those of a detached task are not`() async {
    let texts = await reportedFailures {
      await Task { counterStore().send(.increment) { $0.count = 5 } }.value
    }
    #expect(texts.contains { $0.hasPrefix("The state after sending .increment") })
    let isDiverted = await reportedFailuresOfDetachedTask()
    #expect(!isDiverted)
  }

  private func reportedFailuresOfDetachedTask() async -> Bool {
    var isDiverted = false
    _ = await reportedFailures {
      isDiverted = await Task.detached { Reporter.diversion != nil }.value
    }
    return isDiverted
  }
}
