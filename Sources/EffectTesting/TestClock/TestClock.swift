// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Synchronization

/// A clock that stands still until it is told to move.
///
/// A ``TestStore`` has one and moves it with `TestStore.advance(by:)`; code under test sleeps on it through
/// `send.sleep(for:)` or `send.clock`. Sleepers are woken one at a time, in the order of their deadlines and, at one
/// instant, in the order they fell asleep.
///
/// - Isolation: usable from any thread.
/// - Cancellation: a cancelled sleeper wakes at once and throws `CancellationError`, also when the cancel came before
///   it fell asleep.
/// - Origin: virtual time schedulers of ReactiveX; TestClock of swift-clocks.
public final class TestClock: Clock, EndlessClock, Sendable {
  /// A point of virtual time.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// How much virtual time has passed since the clock was made.
    public let offset: Duration

    /// Makes an instant so long after the clock was made.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant so much later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset.adding(duration))
    }

    /// How long it is from here to the other.
    public func duration(to other: Instant) -> Duration {
      other.offset.subtracting(offset)
    }

    /// Whether the left comes before the right.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  /// One who sleeps.
  public struct Sleeper: Sendable, Equatable {
    /// When it wakes.
    public let deadline: Instant
    /// The run it belongs to, if any.
    package let run: Token?
  }

  /// Until when each run sleeps that does; for one with several sleepers, until the first wakes. O(*n*).
  package var runsAsleep: [Token: Instant] {
    timeline.withLock { $0.runsAsleep }
  }

  private let timeline = Lock(Timeline())
  /// Whether anybody has fallen asleep since the beginning.
  private let hasBeenSleptOn = Atomic(false)

  /// Makes a clock that shows zero.
  public init() {}

  /// Runs that have read the time, while it is of interest which do.
  private let readers = Lock<[Token?]>([])
  private let notesReaders = Atomic(false)
  private let hasBeenRead = Atomic(false)

  /// The present virtual time.
  public var now: Instant {
    if notesReaders.load(ordering: .relaxed) { noteReader() }
    return Instant(offset: offset)
  }

  /// The same, for code that moves it.
  @usableFromInline
  package var offset: Duration { timeline.withLock { $0.now } }

  /// Any instant can be told from any other.
  public var minimumResolution: Duration { .zero }

  /// Who sleeps until when, in the order they will be woken. O(*n* log *n*).
  public var sleepers: [Sleeper] {
    timeline.withLock { $0.sleepers }
  }

  /// Sleeps until the clock shows the deadline. A deadline that has come returns at the same instant, after letting
  /// others go first.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    forgetReader()
    // Where there is nothing to wait for it still yields: a loop of such sleeps must not hold up the test for ever.
    guard !Task.isCancelled else {
      await Task.yield()
      throw CancellationError()
    }
    let waiter = Waiter()
    let run = CurrentRun.identity?.token
    let number = timeline.withLock { $0.add(deadline: deadline.offset, run: run, waiter) }
    hasBeenSleptOn.store(true, ordering: .relaxed)
    guard let number else { return await Task.yield() }
    await withTaskCancellationHandler {
      _ = await waiter.wait()
    } onCancel: {
      // The waiter remembers an answer that came before the wait, so a cancel before it is not lost.
      timeline.withLock { $0.remove(number) }?.answer(false)
    }
    try Task.checkCancellation()
  }

  /// Moves time on by a duration, waking one sleeper after another. Jobs they resume run wherever they belong;
  /// inside a test of a store use `TestStore.advance(by:)`, which lets them run before the next is woken.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves time on to an instant, waking one sleeper after another. An instant that has passed changes nothing.
  public func advance(to instant: Instant) {
    while wakeNext(until: instant.offset) {}
    timeline.withLock { $0.move(to: instant.offset) }
  }

  /// Moves time on to the next instant at which somebody wakes, and wakes all who sleep until then; `false` if nobody
  /// sleeps.
  @discardableResult
  public func advanceToNext() -> Bool {
    guard let next = nextDeadline else { return false }
    advance(to: next)
    return true
  }

  /// Moves time on, waking one sleeper after another, until nobody sleeps.
  ///
  /// Jobs that wake run wherever they belong and are not waited for: one that has yet to fall asleep again is not seen.
  /// Inside a test of a store use ``TestStore/runUntilIdle(limit:fileID:filePath:line:column:)``, which sees them all.
  ///
  /// - Parameter limit: how many sleepers may be woken.
  /// - Returns: whether nobody sleeps; `false` if the limit was reached first.
  @discardableResult
  public func runUntilIdle(limit: Int = 100_000) -> Bool {
    var left = limit
    while let next = nextDeadline {
      guard left > 0 else { return false }
      if wakeNext(until: next.offset) { left -= 1 }
    }
    return true
  }

  /// When the first sleeper wakes.
  package var nextDeadline: Instant? {
    timeline.withLock { $0.nextDeadline }.map { Instant(offset: $0) }
  }

  /// Wakes the first sleeper whose deadline has come by an instant, at its deadline; `false` if there is none. Of those of
  /// that very instant only one who fell asleep before a number was given out.
  @usableFromInline
  package func wakeNext(until limit: Duration, before number: UInt64 = .max) -> Bool {
    let waiter = timeline.withLock { $0.popFirst(until: limit, before: number) }
    waiter?.answer(true)
    return waiter != nil
  }

  /// A number for something else that is waited for, in one order with those who fall asleep.
  package func nextNumber() -> UInt64 {
    timeline.withLock { $0.nextNumber() }
  }

  /// Who is due first, by number, into a list that is emptied; and when that is.
  func due(into numbers: inout [UInt64]) -> Duration? {
    numbers.removeAll(keepingCapacity: true)
    // Nearly always nobody has, and this is asked at every step of a schedule.
    guard hasBeenSleptOn.load(ordering: .relaxed) else { return nil }
    return timeline.withLock { $0.due(into: &numbers) }
  }

  /// Wakes that sleeper, at its deadline.
  func wake(_ number: UInt64) {
    timeline.withLock { $0.pop(number) }?.answer(true)
  }

  /// From now on each reader is noted.
  func noteReaders() { notesReaders.store(true, ordering: .relaxed) }

  private func noteReader() {
    let run = CurrentRun.identity?.token
    readers.withLock { $0.append(run) }
    hasBeenRead.store(true, ordering: .relaxed)
  }

  /// A sleep for a duration reads the time itself, and does nothing else with it.
  private func forgetReader() {
    guard hasBeenRead.load(ordering: .relaxed) else { return }
    readers.withLock { _ = $0.popLast() }
  }

  /// Whether the time has perhaps been read since the last call of ``takeReaders()``.
  var hasReaders: Bool { hasBeenRead.load(ordering: .relaxed) }

  func takeReaders() -> [Token?] {
    hasBeenRead.store(false, ordering: .relaxed)
    return readers.withLock { readers in
      defer { readers = [] }
      return readers
    }
  }

  /// Shows zero again. Nobody sleeps.
  func reset() {
    hasBeenSleptOn.store(false, ordering: .relaxed)
    timeline.withLock { $0.reset() }
  }

  /// Shows a later time without waking anybody.
  @usableFromInline
  package func move(to offset: Duration) {
    timeline.withLock { $0.move(to: offset) }
  }
}
