// This source file is part of swift-effects. License: Apache-2.0.

/// Which run passes a window; the decisions of `throttle` under one id, as arithmetic on instants.
///
/// It exists as long as the window is open: a run that finds none opens one and starts.
struct Throttle: Equatable, Sendable {
  /// How long the window stays open.
  private(set) var length: Duration
  /// When the window ends.
  private(set) var end: Duration
  /// Whether a run waits for the end.
  private(set) var isAwaited = false

  /// The decision about a run that finds the window open.
  enum Admission: Equatable {
    /// It waits for the end, and replaces the run that waited.
    case wait
    /// It is dropped.
    case drop
  }

  /// A run starts, and so opens the window.
  init(at now: Duration, for duration: Duration) {
    length = duration
    end = now.end(ofWaiting: duration)
  }

  /// One more run has come while the window is open.
  mutating func arrived(for duration: Duration, trailing: Bool) -> Admission {
    guard trailing else { return .drop }
    isAwaited = true
    // When it starts, it opens a window with its own duration.
    length = duration
    return .wait
  }

  /// The run that waited has left.
  mutating func waiterLeft() {
    isAwaited = false
  }

  /// The end has come, and the run that has waited for it starts: the next window opens.
  mutating func ended(at now: Duration) {
    isAwaited = false
    end = now.end(ofWaiting: length)
  }
}
