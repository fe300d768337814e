// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// How a store is shut down; see ``Store/shutdown(_:)``.
///
/// - Isolation: a value; usable from any thread.
public struct Shutdown: Sendable {
  /// Whether work is cancelled at once.
  enum Mode: Sendable {
    /// All work is cancelled.
    case cancelling
    /// Work ends by itself.
    case draining
  }

  let mode: Mode
  /// The ids whose work a draining shutdown cancels.
  let ids: Set<EffectID>
  /// After which time everything is cancelled and the call returns; `nil` for never.
  package let limit: Duration?

  /// Reduces what was accepted before, then cancels every run.
  public static let cancelling = cancelling(within: nil)

  /// Reduces what was accepted before, then cancels every run, and waits for closures that ignore it only for a time.
  ///
  /// - Parameter limit: how long to wait, by the store's clock and from the call on; `nil` for as long as it takes.
  /// - Returns: the way to shut down.
  public static func cancelling(within limit: Duration?) -> Shutdown {
    Shutdown(mode: .cancelling, ids: [], limit: limit)
  }

  /// Lets everything that was accepted end by itself: runs, queued runs, their actions, and what those start.
  public static let draining = draining(within: nil)

  /// Lets work end by itself if it does so within a time limit, by the store's clock and from the call on.
  ///
  /// - Parameter limit: how long to wait before everything is cancelled and the call returns; `nil` for as long as it takes.
  /// - Returns: the way to shut down.
  public static func draining(within limit: Duration?) -> Shutdown {
    Shutdown(mode: .draining, ids: [], limit: limit)
  }

  /// Lets everything that was accepted end by itself, except the work of some ids.
  ///
  /// - Parameters:
  ///   - ids: work that does not end by itself (tickers, subscriptions). It is cancelled once, with its queues, after
  ///     what was accepted before the call has been reduced. Work that is started under these ids later is not
  ///     cancelled.
  ///   - limit: how long this may take, by the store's clock and from the call on. Work that is active or waits then is
  ///     cancelled, and the call returns.
  /// - Returns: the way to shut down.
  public static func draining(
    cancelling ids: some Sequence<some Hashable & Sendable>, within limit: Duration? = nil
  ) -> Shutdown {
    Shutdown(mode: .draining, ids: Set(ids.compactMap { EffectID.unwrapping($0) }), limit: limit)
  }
}

/// The progress of a shutdown.
@usableFromInline
struct Ending {
  /// The waiters for its end.
  var waiting: [Waiter] = []
  /// The runs that it has cancelled, without those of ids that it names.
  var cut: [(token: Token, run: EffectRun)] = []
}
