// This source file is part of swift-effects. License: Apache-2.0.

extension Clock where Self == ContinuousClock {
  /// A new clock without waits: a sleep moves its time to the deadline and returns at once.
  ///
  /// For code whose waits do not matter: previews, and tests of what comes after them. Several sleepers do not wait for
  /// one another, so what they do is not ordered by their deadlines; a `TestClock` of EffectTesting orders it.
  ///
  /// ```swift
  /// SearchView(search: ObservableStore(initialState: state, reducer: search, clock: .immediate))
  /// ```
  ///
  /// - Ordering: time begins at zero and never goes back: a deadline that has passed does not change it.
  /// - Isolation: usable from any thread.
  /// - Cancellation: a sleep in a task that is already cancelled throws `CancellationError`, and does not move the time.
  ///   If the task is cancelled while the sleep yields, it throws as well, but the time has moved.
  /// - Origin: the immediate scheduler of ReactiveX; ImmediateClock of swift-clocks.
  public static var immediate: some Clock<Duration> { ImmediateClock() }
}

/// A clock without waits: what ``immediate`` makes.
package final class ImmediateClock: Clock, EndlessClock, Sendable {
  private let time: Lock<VirtualInstant>

  package init(now: VirtualInstant = VirtualInstant()) {
    time = Lock(now)
  }

  /// The latest deadline of all sleeps so far, or the instant at the beginning if that is later.
  package var now: VirtualInstant { time.withLock { $0 } }

  /// Zero: any two instants can be distinguished.
  package var minimumResolution: Duration { .zero }

  /// Moves the time to the deadline, yields, and returns.
  package func sleep(until deadline: VirtualInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    // A loop of such sleeps must not block its thread for ever.
    await Task.yield()
    try Task.checkCancellation()
  }
}
