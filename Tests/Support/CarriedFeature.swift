// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// A feature each of whose actions starts work in another way. The work reports the task-local that it sees.
package struct CarriedFeature: Reducer {
  /// What a store carries in these tests.
  @TaskLocal package static var context = "none"

  package enum Action: Sendable, Equatable {
    case plain, followUp, chain, retried, caught, streamed, concatenated, child, joined, queued, delayed, slow,
      cancelSlow
    case seen(String)
  }

  /// Where runs wait that must not end by themselves.
  package let wait: @Sendable () async throws -> Void

  package init(wait: @escaping @Sendable () async throws -> Void = {}) {
    self.wait = wait
  }

  private struct Broken: Error {}

  private static func look(_ label: String) -> Effect<Action> {
    .run { send in send(.seen("\(label): \(context)")) }
  }

  package func reduce(into state: inout [String], action: Action) -> Effect<Action> {
    switch action {
    case .seen(let text):
      state.append(text)
      return .none
    case .plain: return Self.look("plain")
    case .followUp: return .send(.plain)
    case .chain: return .run { send in send(.plain) }
    case .retried:
      // The second attempt sees the value as well.
      return .run(id: "retried", overlap: .concurrent) { send in
        send(.seen("attempt: \(Self.context)"))
        throw Broken()
      } catch: { _, send in
        send(.seen("catch: \(Self.context)"))
      }
      .retry(attempts: 2)
    case .caught:
      return .run { _ in
        throw Broken()
      } catch: { _, send in
        send(.seen("catch: \(Self.context)"))
      }
    case .streamed:
      return .stream(
        sequence: {
          let context = Self.context
          return AsyncStream { continuation in
            continuation.yield(context)
            continuation.finish()
          }
        },
        transform: { .seen("made: \($0), \(Self.context)") })
    case .concatenated: return .concatenate(Self.look("first"), .send(.plain), Self.look("last"))
    case .child:
      return Effect<String>.run { send in send(Self.context) }.scoped("child") { .seen("child: \($0)") }
    case .joined:
      return .run(id: "joined", overlap: .join) { [wait] send in
        try await wait()
        send(.seen("joined: \(Self.context)"))
      }
    case .queued:
      return .run(id: "queued", overlap: .enqueue) { [wait] send in
        try await wait()
        send(.seen("queued: \(Self.context)"))
      }
    case .delayed: return Self.look("delayed").delay(for: .seconds(1))
    case .slow:
      return .concatenate(
        .run(id: "slow", overlap: .restart) { _ in try await Task.sleep(for: .seconds(1_000_000)) }, .send(.plain))
    case .cancelSlow: return .cancel(id: "slow")
    }
  }

  /// The actions that are sent alone, and what the runs have seen when everything has settled, in some order, if the sender's
  /// value is `a`.
  package static let alone: [(action: Action, seen: [String])] = [
    (.plain, ["plain: a"]), (.followUp, ["plain: a"]), (.chain, ["plain: a"]),
    (.retried, ["attempt: a", "attempt: a", "catch: a"]), (.caught, ["catch: a"]), (.streamed, ["made: a, a"]),
    (.concatenated, ["first: a", "plain: a", "last: a"]), (.child, ["child: a"]),
  ]
}
