// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// How a store comes to its end; see ``Store/shutdown(_:)``.
public struct Shutdown: Sendable {
  enum Mode: Sendable {
    case cancelling
    case draining
  }

  let mode: Mode
  let ids: Set<EffectID>
  let limit: Duration?

  /// Reduces what was accepted before, then cancels every run.
  public static let cancelling = Shutdown(mode: .cancelling, ids: [], limit: nil)

  /// Lets everything that was accepted come to its own end: runs, queued runs, their actions and what those start.
  public static let draining = draining(within: nil)

  /// Lets everything come to its own end that does so within some time, by the store's clock and from the call on.
  public static func draining(within limit: Duration?) -> Shutdown {
    Shutdown(mode: .draining, ids: [], limit: limit)
  }

  /// Lets everything that was accepted come to its own end, but for some ids.
  ///
  /// - Parameters:
  ///   - ids: work that has no end of its own (tickers, subscriptions) and is cancelled when its turn comes; with its
  ///     queues. What is started under these ids later is not.
  ///   - limit: how long, by the store's clock and from the call on, that may take. What lives then is cancelled.
  public static func draining(
    cancelling ids: some Sequence<some Hashable & Sendable>, within limit: Duration? = nil
  ) -> Shutdown {
    Shutdown(mode: .draining, ids: Set(ids.compactMap { EffectID.unwrapping($0) }), limit: limit)
  }
}

/// How far a store is on its way to the end.
struct Ending {
  /// Who waits for it.
  var waiting: [Waiter] = []
  /// All runs have been cancelled.
  var isCut = false
}
