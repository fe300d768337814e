// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Synchronization
import Testing

/// The pictures of the pages on overlap and time are drawn from traces. `EFFECTS_WRITE_PICTURES=1` writes them.
@Suite struct `The pictures of overlap and time` {
  @Test func `Each overlap is drawn as it is`() async throws {
    for (name, overlap) in OverlapPictures.all {
      let log = await ThreeTaps.log(overlap)
      // All to one scale, so that they can be compared.
      try check(Picture("Three taps with .\(overlap)", of: log, until: .milliseconds(750)), "overlap-\(name)")
    }
  }

  @Test(arguments: Pressed.Operator.allCases)
  func `Each operator on time is drawn as it is`(operation: Pressed.Operator) async throws {
    let store = TestStore(initialState: 0, reducer: Pressed(operation: operation))
    store.exhaustivity = .off
    for step in 0..<40 {
      for (word, moment) in operation.presses where moment == step { store.send(.pressed(word)) }
      store.advance(by: .milliseconds(50))
      store.skipReceived()
    }
    await store.finish()
    try check(Picture("Presses with .\(operation)", of: store.trace), "time-\(operation)")
  }

  private func check(_ picture: Picture, _ name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/Images/\(name).svg")
    if ProcessInfo.processInfo.environment["EFFECTS_WRITE_PICTURES"] == "1" {
      try picture.svg.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == picture.svg, "set EFFECTS_WRITE_PICTURES=1 to write \(name).svg")
  }
}

/// A press starts a run of 200 milliseconds with an operator on time.
struct Pressed: Reducer {
  enum Operator: CaseIterable {
    case delay, debounce, throttle, timeout, retry

    /// The presses, each with its moment, in steps of 50 milliseconds.
    var presses: KeyValuePairs<String, Int> {
      switch self {
      case .delay, .retry: ["a": 0]
      case .timeout: ["slow": 0, "fast": 0]
      case .debounce, .throttle: ["a": 0, "b": 2, "c": 4]
      }
    }
  }
  enum Action: Equatable, Sendable { case pressed(String), found(String) }
  struct Offline: Error {}

  final class Attempts: Sendable {
    let count = Atomic(0)
  }

  let operation: Operator
  private let attempts = Attempts()

  init(operation: Operator) { self.operation = operation }

  func reduce(into failures: inout Int, action: Action) -> Effect<Action> {
    guard case .pressed(let word) = action else { return .none }
    let overlap = [.timeout, .throttle].contains(operation) ? Overlap.concurrent : .restart
    let run = Effect<Action>.run(id: "search", overlap: overlap, input: word) { [operation, attempts] word, send in
      try await send.sleep(for: .milliseconds(word == "slow" ? 1_000 : 200))
      if operation == .retry, attempts.count.add(1, ordering: .relaxed).newValue < 3 { throw Offline() }
      send(.found(word))
    } catch: { _, _ in
    }
    return switch operation {
    case .delay: run.delay(for: .milliseconds(300))
    case .debounce: run.debounce(for: .milliseconds(300))
    case .throttle: run.throttle(for: .milliseconds(300))
    case .timeout: run.timeout(after: .milliseconds(400))
    case .retry: run.retry(attempts: 3, backoff: .exponential(from: .milliseconds(200)))
    }
  }
}
