// This source file is part of swift-effects. License: Apache-2.0.

/// The thread on which an exploration runs, and which other tasks of the process need as well.
///
/// A search runs schedule after schedule and may never suspend. The process has as many threads for tasks as it has
/// processors. Without `yield`, a few explorations at once would stop all other tasks: a server in the same test process
/// would not answer for seconds.
struct SharedThread {
  private var next = ContinuousClock.now

  /// Whether the search should yield now, between two schedules: every 10 ms.
  mutating func shouldYield() -> Bool {
    let now = ContinuousClock.now
    guard now >= next else { return false }
    next = now + .milliseconds(10)
    return true
  }
}
