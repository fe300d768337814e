// This source file is part of swift-effects. License: Apache-2.0.

/// When the last of a burst starts; the decisions of `debounce` under one id, as arithmetic on instants.
///
/// One run waits as long as this exists. The first run of a burst makes it. A newer run of the burst replaces the run
/// that waits. The burst ends when the run that waits passes the window or is cancelled.
struct Debounce: Equatable, Sendable {
  let began: Duration
  /// When the waiting run starts.
  private(set) var deadline: Duration

  /// A burst begins.
  init(at now: Duration, for duration: Duration, maxWait: Duration?) {
    began = now
    deadline = now
    arrived(at: now, for: duration, maxWait: maxWait)
  }

  /// One more run has come and replaces the one that waited.
  mutating func arrived(at now: Duration, for duration: Duration, maxWait: Duration?) {
    deadline = now.end(ofWaiting: duration)
    if let maxWait { deadline = min(deadline, began.end(ofWaiting: maxWait)) }
  }
}
