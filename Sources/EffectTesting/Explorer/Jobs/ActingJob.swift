// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Decides where the job stops that is being executed.
struct ActingJob {
  /// Whether it stops at all.
  private(set) var stops = false
  /// Whether it stops behind its first message as well.
  let isPart: Bool
  private var hasPosted = false
  /// How many jobs had become ready in the schedule when it began.
  private let count: Int32
  /// The run of the first message before or behind which it should have stopped and could not.
  private var missed: Token?
  private var missedCount = 0

  /// - Parameters:
  ///   - stops: whether it stops at all.
  ///   - isPart: whether it stops behind its first message as well.
  ///   - hasPosted: whether it is the rest of a job that has stopped behind a message. It may go on at once, so it stops before the
  ///     next one.
  ///   - count: how many jobs have become ready in the schedule.
  init(stops: Bool = false, isPart: Bool = false, hasPosted: Bool = false, count: Int32 = 0) {
    self.stops = stops
    self.isPart = isPart
    self.hasPosted = hasPosted
    self.count = count
  }

  /// It is about to post a message. Returns whether it stops first, because others could already react to what it has done: to
  /// a message, or to a job that it has made ready.
  ///
  /// - Parameter count: how many jobs have become ready in the schedule.
  mutating func willPost(_ count: Int32) -> Bool {
    defer { hasPosted = true }
    return hasPosted || count != self.count
  }

  /// It should stop and cannot. Returns whether it is to be cancelled: it may go on until then, and its schedule will be repeated
  /// in any case.
  mutating func miss(_ run: Token) -> Bool {
    if missed == nil { missed = run }
    missedCount += 1
    return missedCount == 10_000
  }

  /// The run of the first message where it should have stopped and could not, since the last call.
  mutating func takeMissed() -> Token? {
    defer { missed = nil }
    return missed
  }

  /// It is over, or has stopped.
  mutating func end() { stops = false }
}
