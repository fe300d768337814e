// This source file is part of swift-effects. License: Apache-2.0.

/// A clock without waits: a sleep moves the time to its deadline and returns at once.
///
/// For code whose waits do not matter: previews, and tests of what comes after them. Several sleepers do not wait for
/// one another, so what they do is not ordered by their deadlines; a `TestClock` of EffectTesting orders it.
///
/// ```swift
/// SearchView(search: ObservableStore(initialState: state, reducer: search, clock: ImmediateClock()))
/// ```
///
/// - Ordering: time never goes back: a deadline that has passed does not change it.
/// - Isolation: usable from any thread.
/// - Cancellation: a sleep in a task that is already cancelled throws `CancellationError`, and does not move the time.
///   If the task is cancelled while the sleep yields, it throws as well, but the time has moved.
/// - Origin: the immediate scheduler of ReactiveX; ImmediateClock of swift-clocks.
public final class ImmediateClock: Clock, EndlessClock, Sendable {
  /// A point of this clock's time, counted from its beginning.
  public typealias Instant = VirtualInstant

  private let time: Lock<Instant>

  /// Makes a clock that shows zero, or another instant.
  ///
  /// - Parameter now: what the clock shows until the first sleep with a later deadline.
  public init(now: Instant = Instant()) {
    time = Lock(now)
  }

  /// The latest deadline of all sleeps so far, or the instant at the beginning if that is later.
  public var now: Instant { time.withLock { $0 } }

  /// Zero: any two instants can be distinguished.
  public var minimumResolution: Duration { .zero }

  /// Moves the time to the deadline, yields, and returns.
  ///
  /// - Parameters:
  ///   - deadline: what the clock shows afterwards, unless it shows a later instant already.
  ///   - tolerance: of no effect: the sleep ends at the deadline.
  /// - Throws: `CancellationError` if the task is cancelled.
  /// - Complexity: O(1).
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    // A loop of such sleeps must not block its thread for ever.
    await Task.yield()
    try Task.checkCancellation()
  }
}
