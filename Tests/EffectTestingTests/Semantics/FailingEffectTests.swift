// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// Every modifier on every kind of effect that fails: a `Store`, a `TestStore` and an exploration report the error (E5).
@Suite(.timeLimit(.minutes(5))) struct FailingEffectTests {
  struct Broken: Error {}

  /// An effect whose only work ends with an error that no `catch` handles.
  enum Kind: String, CaseIterable, Sendable {
    case run, runWithInput, runAfterAction, stream, streamWithoutSequence, streamWithInput, streamAfterElement
    case first, last, merged, mapped, scoped

    /// - Parameter overlap: of the id of the run.
    func effect(_ overlap: Overlap = .restart) -> Effect<Int> {
      switch self {
      case .run: .run(id: "work", overlap: overlap) { _ in throw Broken() }
      case .runWithInput: .run(id: "work", overlap: overlap, input: 1) { _, _ in throw Broken() }
      case .runAfterAction:
        .run(id: "work", overlap: overlap) { send in
          send(1)
          throw Broken()
        }
      case .stream: .stream(id: "work", overlap: overlap, sequence: { Self.failing(after: 0) }, transform: { $0 })
      case .streamWithoutSequence:
        .stream(
          id: "work", overlap: overlap,
          sequence: { () async throws -> AsyncThrowingStream<Int, any Error> in throw Broken() },
          transform: { $0 })
      case .streamWithInput:
        .stream(id: "work", overlap: overlap, input: 1, sequence: { _ in Self.failing(after: 0) }, transform: { $0 })
      case .streamAfterElement:
        .stream(id: "work", overlap: overlap, sequence: { Self.failing(after: 1) }, transform: { $0 })
      case .first: .concatenate(Self.run.effect(overlap), .send(1))
      case .last: .concatenate(.send(1), Self.run.effect(overlap))
      case .merged: .merge(.send(1), Self.run.effect(overlap), .run { _ in })
      case .mapped: Self.run.effect(overlap).map { $0 + 1 }
      case .scoped: Self.run.effect(overlap).scoped("child") { $0 }
      }
    }

    private static func failing(after count: Int) -> AsyncThrowingStream<Int, any Error> {
      AsyncThrowingStream { continuation in
        for _ in 0..<count { continuation.yield(1) }
        continuation.finish(throwing: Broken())
      }
    }
  }

  enum Modifier: String, CaseIterable, Sendable {
    case none, delay, debounce, throttle, timeout, retry, retryWithin, retryOfLimited, cancellable, twice

    func modify(_ effect: Effect<Int>) -> Effect<Int> {
      switch self {
      case .none: effect
      case .delay: effect.delay(for: .seconds(1))
      case .debounce: effect.debounce(for: .seconds(1))
      case .throttle: effect.throttle(for: .seconds(1))
      case .timeout: effect.timeout(after: .seconds(1))
      case .retry: effect.retry(attempts: 2, backoff: .constant(.seconds(1)))
      case .retryWithin: effect.retry(attempts: 2, backoff: .constant(.seconds(1))).timeout(after: .seconds(9))
      case .retryOfLimited: effect.timeout(after: .seconds(9)).retry(attempts: 2, backoff: .constant(.seconds(1)))
      case .cancellable: effect.cancellable(id: "whole", overlap: .restart)
      case .twice: effect.delay(for: .seconds(1)).retry(attempts: 2)
      }
    }
  }

  static let overlaps: [Overlap] = [
    .concurrent, .restart, .restart(exclusive: true), .drop, .enqueue, .keepLatest, .join,
  ]

  private struct Feature: Reducer {
    let effect: @Sendable () -> Effect<Int>

    func reduce(into state: inout Int, action: Int) -> Effect<Int> {
      if action != 0 { state = 1 }
      return action == 0 ? effect() : .none
    }
  }

  /// What a store of each kind reports of an effect, as one text each.
  private func reports(_ effect: @escaping @Sendable () -> Effect<Int>) async -> [(shell: String, text: String)] {
    let failures = Shared<[String]>([])
    let store = Store(
      initialState: 0, reducer: Feature(effect: effect), clock: .immediate,
      onFailure: { failures.value.append("\($0.error)") })
    await store.send(0).finish()
    await store.shutdown(.draining)

    let tested = await reportedFailures {
      let store = TestStore(initialState: 0, reducer: Feature(effect: effect))
      store.exhaustivity = .off
      store.send(0)
      store.advance(by: .seconds(20))
      store.skipReceived()
      await store.finish()
    }
    let explored = await reportedFailures {
      await explore(initialState: 0, reducer: Feature(effect: effect), budget: .schedules(200)) { $0.send(0) }
    }
    return [
      ("Store", failures.value.joined(separator: "\n")), ("TestStore", tested.joined(separator: "\n")),
      ("explore", explored.joined(separator: "\n")),
    ]
  }

  @Test(arguments: Kind.allCases, Modifier.allCases)
  func `An error is reported behind each modifier`(kind: Kind, modifier: Modifier) async {
    for (shell, text) in await reports({ modifier.modify(kind.effect()) }) {
      // The time limit may come first; and the `send` of a window that has no id is the first mistake of a test.
      let isOtherError =
        shell == "TestStore"
        ? text.contains("has no id") : text.contains("timed out") || text.contains("has no id")
      #expect(text.contains("Broken") || isOtherError, "\(shell) is silent: \(text)")
    }
  }

  @Test(arguments: Kind.allCases, overlaps)
  func `An error is reported with each overlap`(kind: Kind, overlap: Overlap) async {
    for (shell, text) in await reports({ kind.effect(overlap) }) {
      #expect(text.contains("Broken"), "\(shell) is silent: \(text)")
    }
  }
}
