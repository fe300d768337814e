// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

/// Every way in which a test store can fail, once each, for both test libraries. `ReportingTests` reads from this file
/// which line must fail: the line that ends with `// fails:` and the name.
struct Scenario: Sendable, CustomStringConvertible {
  let name: String
  let body: @Sendable () async -> Void

  var description: String { name }

  struct Broken: Error {}

  typealias Feature = Reduce<Int, Int>

  /// Adds up the actions that it is sent; 0 returns an effect, and -1 cancels it.
  static func feature(_ effect: @autoclosure @escaping () -> Effect<Int> = .none) -> TestStore<Feature> {
    let store = limited(
      Feature { state, action in
        if action == 0 { return effect() }
        if action == -1 { return .cancel(id: "work") }
        state += action
        return .none
      })
    store.externalWait = .milliseconds(20)
    return store
  }

  /// A store in which a thousand actions or jobs count as endless, so that no scenario takes long.
  static func limited(_ feature: Feature) -> TestStore<Feature> {
    TestStore(
      initialState: 0, reducer: feature, executor: TestExecutor(jobLimit: 1_000),
      at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
  }

  static func work(_ body: @escaping @concurrent @Sendable (Send<Int>) async throws -> Void) -> Effect<Int> {
    .run(id: "work", overlap: .concurrent, fileID: "App/Feature.swift", line: 12, body)
  }

  static var sleeper: Effect<Int> { work { send in try await send.sleep(for: .seconds(1)) } }
  static var sender: Effect<Int> { work { send in send(7) } }
  /// Something that a run waits for, outside the control of clock and executor. A cancel does not end the wait either.
  struct Outside: Sendable {
    private let signal = AsyncStream.makeStream(of: Never.self)

    var wait: Effect<Int> {
      work { [stream = signal.stream] _ in await Task.detached { for await _ in stream {} }.value }
    }

    func end() { signal.continuation.finish() }
  }

  static let all = states + actions + runs + drops + steps + explorations

  static let states = [
    Scenario(name: "stateDiffers") {
      let store = feature()
      store.send(1) { $0 = 2 }  // fails: stateDiffers
      await store.finish()
    },
    Scenario(name: "unexpectedChange") {
      let store = feature()
      store.send(1)  // fails: unexpectedChange
      await store.finish()
    },
    Scenario(name: "noChange") {
      let store = feature()
      store.send(0) { _ in }  // fails: noChange
      await store.finish()
    },
    Scenario(name: "changedNothing") {
      let store = feature()
      store.send(0) { $0 = 1 }  // fails: changedNothing
      await store.finish()
    },
    Scenario(name: "expectationThrew") {
      let store = feature()
      store.send(1) { _ in throw Broken() }  // fails: expectationThrew
      await store.finish()
    },
    Scenario(name: "differsLoosely") {
      let store = feature()
      store.exhaustivity = .off
      store.send(1) { $0 += 1 }  // fails: differsLoosely
      await store.finish()
    },
    Scenario(name: "assertionFailed") {
      let store = feature()
      store.assert { $0 = 1 }  // fails: assertionFailed
      await store.finish()
    },
    Scenario(name: "assertionThrew") {
      let store = feature()
      store.assert { _ in throw Broken() }  // fails: assertionThrew
      await store.finish()
    },
  ]

  static let actions = [
    Scenario(name: "otherReceived") {
      let store = feature(sender)
      store.send(0)
      await store.receive(8) { $0 = 8 }  // fails: otherReceived
      await store.finish()
    },
    Scenario(name: "tooEarly") {
      let store = feature(sender)
      store.send(0)
      store.send(1) { $0 = 8 }  // fails: tooEarly
      await store.receive(7) { $0 = 7 }
      await store.finish()
    },
    Scenario(name: "neverIdle") {
      let store = feature()
      await store.receive(7) { $0 = 7 }  // fails: neverIdle
      await store.finish()
    },
    Scenario(name: "neverAsleep") {
      let store = feature(sleeper)
      store.send(0)
      await store.receive(7) { $0 = 7 }  // fails: neverAsleep
      await store.finish()
    },
    Scenario(name: "neverOutside") {
      let outside = Outside()
      defer { outside.end() }
      let store = feature(outside.wait)
      store.send(0)
      await store.receive(7) { $0 = 7 }  // fails: neverOutside
      await store.finish()
    },
    Scenario(name: "unhandled") {
      let store = feature(.send(7))
      store.send(0)
      await store.finish()  // fails: unhandled
    },
    Scenario(name: "followUpCycle") {
      let store = limited(Feature { _, action in .send(action) })
      store.send(1)
      for _ in 2...1_000 { await store.receive(1) }
      await store.receive(1)  // fails: followUpCycle
      await store.finish()
    },
    Scenario(name: "endless") {
      let store = feature(work { send in send(0) })
      store.send(0)
      store.skipReceived()  // fails: endless
      await store.finish()
    },
    Scenario(name: "nothingToSkip") {
      let store = feature()
      store.skipReceived()  // fails: nothingToSkip
      await store.finish()
    },
  ]
}
