// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

extension Scenario {
  static let runs = [
    Scenario(name: "inFlight") {
      let store = feature(sleeper)
      store.send(0)
      await store.finish()  // fails: inFlight
    },
    Scenario(name: "ignoresCancellation") {
      let outside = Outside()
      defer { outside.end() }
      let store = feature(outside.wait)
      store.send(0)
      store.send(-1)
      await store.finish()  // fails: ignoresCancellation
    },
    Scenario(name: "uncaught") {
      let store = feature(work { _ in throw Broken() })
      store.send(0)  // fails: uncaught
      await store.receive(7) { $0 = 7 }
      await store.finish()
    },
    Scenario(name: "neverRests") {
      let store = feature(work { _ in while !Task.isCancelled { await Task.yield() } })
      store.send(0)  // fails: neverRests
      store.send(-1)
      await store.finish()
    },
    Scenario(name: "stillOutside") {
      let outside = Outside()
      defer { outside.end() }
      let store = feature(outside.wait)
      store.send(0)
      await store.settle()  // fails: stillOutside
      await store.finish()
    },
    Scenario(name: "sentInFlight") {
      let store = feature(sleeper)
      await store.send(0).finish()  // fails: sentInFlight
      await store.finish()
    },
    Scenario(name: "strangers") {
      let executor = TestExecutor()
      let reducer = Feature { _, _ in
        .run { send in Task(executorPreference: executor) { try await send.sleep(for: .seconds(1)) } }
      }
      let store = TestStore(
        initialState: 0, reducer: reducer, executor: executor,
        at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
      store.send(0)
      await store.finish()  // fails: strangers
      store.clock.runUntilIdle()
    },
    Scenario(name: "nothingToCancel") {
      let store = feature()
      store.cancelInFlight()  // fails: nothingToCancel
      await store.finish()
    },
    Scenario(name: "forkInFlight") {
      let store = feature(sleeper)
      store.send(0)
      let fork = store.fork()  // fails: forkInFlight
      await fork.finish()
      await store.finish()
    },
  ]

  /// Answers although it was cancelled.
  private static var stubborn: Effect<Int> {
    work { send in
      try? await send.sleep(for: .seconds(1))
      send(7)
    }
  }

  static let drops = [
    Scenario(name: "unexpectedDrop") {
      let store = feature(stubborn)
      store.assertsDrops = true
      store.send(0)
      store.send(-1)
      await store.finish()  // fails: unexpectedDrop
    },
    Scenario(name: "otherDropped") {
      let store = feature(stubborn)
      store.assertsDrops = true
      store.send(0)
      store.send(-1)
      await store.expectDrop(8)  // fails: otherDropped
      await store.finish()
    },
    Scenario(name: "nothingDropped") {
      let store = feature()
      store.assertsDrops = true
      await store.expectDrop(7)  // fails: nothingDropped
      await store.finish()
    },
    Scenario(name: "dropForgotten") {
      let store = feature(stubborn)
      store.assertsDrops = true
      store.send(0)
      store.send(-1)  // fails: dropForgotten
    },
  ]

  static let steps = [
    Scenario(name: "noStep") {
      let store = feature()
      await store.finish()  // fails: noStep
    },
    Scenario(name: "neverUsed") {
      _ = TestStore(initialState: 0, reducer: Feature { _, _ in .none })  // fails: neverUsed
    },
    Scenario(name: "answerNotRead") {
      let store = feature()
      _ = store.request(1) { $0 = 1 }  // fails: answerNotRead
      await store.finish()
    },
    Scenario(name: "receivesNothing") {
      let store = feature()
      await store.receive(unordered: [])  // fails: receivesNothing
      await store.finish()
    },
    Scenario(name: "nothingToSettle") {
      let store = feature()
      await store.settle()  // fails: nothingToSettle
      await store.finish()
    },
    Scenario(name: "neverStarted") {
      let store = feature()
      await store.settle(until: "wrok")  // fails: neverStarted
      await store.finish()
    },
    Scenario(name: "afterFinish") {
      let store = feature()
      store.assert { $0 = 0 }
      await store.finish()
      store.send(1) { $0 = 1 }  // fails: afterFinish
      await store.finish()
    },
    Scenario(name: "finishForgotten") {
      let store = feature(sleeper)
      store.send(0)  // fails: finishForgotten
    },
    Scenario(name: "backwards") {
      let store = feature()
      store.advance(by: .seconds(-1))  // fails: backwards
      await store.finish()
    },
    Scenario(name: "nothingSleeps") {
      let store = feature()
      store.advanceToNext()  // fails: nothingSleeps
      await store.finish()
    },
    Scenario(name: "neverSettles") {
      let store = feature(work { send in while true { try await send.sleep(for: .seconds(1)) } })
      store.send(0)
      store.runUntilIdle(limit: 3)  // fails: neverSettles
      await store.finish()
    },
  ]

  /// Steps that are skipped with `exhaustivity` off, and shown: no failures.
  static func skip() async {
    let store = feature(.merge(sender, .run { send in try await send.sleep(for: .seconds(1)) }))
    store.exhaustivity = .off(showSkipped: true)
    store.send(1) { $0 = 1 }  // shows: skippedChange
    store.send(0)
    store.send(2)  // shows: skipped
    await store.finish()  // shows: skippedInFlight
  }
}
