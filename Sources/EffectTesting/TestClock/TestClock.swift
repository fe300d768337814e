// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime
internal import Synchronization

/// A clock that stands still until you move it.
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
  public typealias Instant = VirtualInstant

  /// A sleeping task.
  public struct Sleeper: Sendable, Equatable {
    /// When it wakes.
    public let deadline: Instant
    /// The run it belongs to, if any.
    package let run: Token?
  }

  /// The runs that sleep, each with the earliest deadline of its sleepers.
  ///
  /// - Complexity: O(*n*) in the number of sleepers.
  package var runsAsleep: [Token: Instant] {
    queue.withLock { $0.runsAsleep }
  }

  private let queue = Lock(SleepQueue())
  /// Whether there has been any sleeper since the clock was made or reset.
  private let hasBeenSleptOn = Atomic(false)
  /// The same. Frequent code reads it to skip the check for sleepers.
  @usableFromInline
  var hasSlept: Bool { hasBeenSleptOn.load(ordering: .relaxed) }

  /// How many tasks have called it after they were cancelled, since the clock was made or reset.
  private let cancelledCount = Atomic(0)

  /// Makes a clock that shows zero.
  public init() {}

  /// Who has read the time since the last ``takeReaders()``.
  private let readers = Lock(Readers())
  private let notesReaders = Atomic(false)
  private let hasBeenRead = Atomic(false)

  /// The present virtual time.
  public var now: Instant {
    notesReaders.load(ordering: .relaxed) ? Instant(offset: offset, reading: noteReader()) : Instant(offset: offset)
  }

  /// The present virtual time as a duration since zero. Unlike with ``now``, the reader is not noted.
  @usableFromInline
  package var offset: Duration { queue.withLock { $0.now } }

  /// Zero: any two instants can be distinguished.
  public var minimumResolution: Duration { .zero }

  /// The sleepers with their deadlines, in the order in which they will wake.
  ///
  /// - Complexity: O(*n* log *n*) in the number of sleepers.
  public var sleepers: [Sleeper] {
    queue.withLock { $0.sleepers }
  }

  /// Suspends until at least `count` tasks sleep on this clock, or until the calling task is cancelled.
  ///
  /// For a clock under a real store, which works on other threads:
  ///
  /// ```swift
  /// let clock = TestClock()
  /// let store = Store(initialState: .init(), reducer: Search(find: find), clock: clock)
  /// store.send(.queryChanged("swift"))
  /// await clock.sleepers(atLeast: 1)
  /// clock.advance(by: .milliseconds(300))
  /// ```
  ///
  /// Do not use it with a `TestStore`: there `advance(by:)` lets runs fall asleep first, and time modifiers do not sleep.
  ///
  /// All time modifiers of one store together have one sleeper: the store sleeps until the first of them is due. A later
  /// deadline does not change this sleeper. So if an earlier action has a time modifier that waits, this call may find its
  /// sleeper and return before your action is reduced. Read the store's `state` before the call: this reduces the action.
  ///
  /// - Parameter count: how many must sleep. Each `send.sleep(for:)` of a run is a sleeper. With 0 or less it returns at
  ///   once.
  public func sleepers(atLeast count: Int) async {
    let waiter = Waiter()
    guard queue.withLock({ $0.watch(count, waiter) }) else { return }
    await withTaskCancellationHandler {
      _ = await waiter.wait()
    } onCancel: {
      queue.withLock { $0.removeWatcher(waiter) }
      waiter.answer(false)
    }
  }

  /// Sleeps until the clock shows the deadline. If the deadline is now or has passed, it yields and returns at this instant.
  ///
  /// A run that computes the deadline from ``now`` has read the time, which `explore` reports. For a duration call
  /// `sleep(for:)`.
  ///
  /// - Parameter deadline: when the sleeper wakes.
  /// - Throws: `CancellationError` if the task is cancelled, also if it was cancelled before the call.
  public func sleep(until deadline: Instant) async throws {
    try await suspend(until: deadline)
  }

  /// Sleeps until the clock shows the deadline, as ``sleep(until:)`` does: what `sleep(for:)` and generic code call.
  ///
  /// - Parameters:
  ///   - deadline: when the sleeper wakes.
  ///   - tolerance: of no effect: the sleeper wakes at its deadline.
  /// - Throws: `CancellationError` if the task is cancelled, also if it was cancelled before the call.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    // `sleep(for:)` of the standard library reads the time only to compute its deadline.
    forget(deadline.reading)
    try await suspend(until: deadline)
  }

  private func suspend(until deadline: Instant) async throws {
    guard !Task.isCancelled else {
      // A loop that ignores its cancellation must not block the test for ever. Not each time: where an actor has made the task, a
      // schedule does not control a `Task.yield()`.
      if cancelledCount.add(1, ordering: .relaxed).newValue.isMultiple(of: 8) { await Task.yield() }
      throw CancellationError()
    }
    let waiter = Waiter()
    let run = CurrentRun.identity?.token
    // Before the sleeper is added, so that code that has waited for the sleeper finds this set.
    hasBeenSleptOn.store(true, ordering: .relaxed)
    let (number, watchers) = queue.withLock { queue in
      (queue.add(deadline: deadline.offset, run: run, waiter), queue.takeWatchers())
    }
    for watcher in watchers { watcher.answer(true) }
    // Likewise a loop of sleeps that are over at once.
    guard let number else { return await Task.yield() }
    await withTaskCancellationHandler {
      _ = await waiter.wait()
    } onCancel: {
      // The waiter keeps an answer that comes before the wait, so a cancel before the wait is not lost.
      queue.withLock { $0.remove(number) }?.answer(false)
    }
    try Task.checkCancellation()
  }

  /// Moves time on by a duration, waking one sleeper after another.
  ///
  /// Only those wake that sleep now. The jobs that resume run on their own executors, and the clock cannot know when they
  /// have begun their next sleep, which counts from the time that the clock shows then. So a run of a real store that sleeps
  /// three times for a second wakes once if time moves by three seconds. Move it by one sleep at a time, and wait for each sleeper:
  ///
  /// ```swift
  /// for _ in 1...3 {
  ///   await clock.sleepers(atLeast: 1)
  ///   clock.advance(by: .seconds(1))
  /// }
  /// ```
  ///
  /// With a test store use `TestStore.advance(by:)`, which lets these jobs run before it wakes the next sleeper.
  ///
  /// - Parameter duration: how much time passes. Zero or less moves no time.
  public func advance(by duration: Duration) {
    advance(to: Instant(offset: offset.adding(duration)))
  }

  /// Moves time on to an instant, waking one sleeper after another. An instant that has passed changes nothing.
  ///
  /// - Parameter instant: what the clock shows afterwards, unless it shows a later instant already.
  public func advance(to instant: Instant) {
    while wakeNext(until: instant.offset) {}
    queue.withLock { $0.move(to: instant.offset) }
  }

  /// Moves time on to the next deadline, and wakes all that sleep until then.
  ///
  /// - Returns: `false` if there was no sleeper.
  @discardableResult
  public func advanceToNext() -> Bool {
    guard let next = nextDeadline else { return false }
    advance(to: next)
    return true
  }

  /// Moves time on, waking one sleeper after another, until there is no sleeper.
  ///
  /// The jobs that resume run on their own executors, and the clock does not wait for them. So it misses a task that it has
  /// woken and that has not begun its next sleep yet. Inside a test of a store use
  /// ``TestStore/runUntilIdle(limit:fileID:filePath:line:column:)``, which misses none.
  ///
  /// - Parameter limit: how many sleepers may be woken.
  /// - Returns: `true` if there is no sleeper; `false` if the limit was reached first.
  @discardableResult
  public func runUntilIdle(limit: Int = 100_000) -> Bool {
    var left = limit
    while let next = nextDeadline {
      guard left > 0 else { return false }
      if wakeNext(until: next.offset) { left -= 1 }
    }
    return true
  }

  /// The deadline of the first sleeper; `nil` if there is none.
  package var nextDeadline: Instant? {
    queue.withLock { $0.nextDeadline }.map { Instant(offset: $0) }
  }

  /// Moves time on to the deadline of the first sleeper, and wakes it, unless its deadline is after a limit.
  ///
  /// - Parameters:
  ///   - limit: the latest deadline, as a duration since zero.
  ///   - number: a sleeper whose deadline is equal to the limit wakes only if it fell asleep before this number was issued.
  /// - Returns: `false` if no sleeper was woken.
  @usableFromInline
  package func wakeNext(until limit: Duration, before number: UInt64 = .max) -> Bool {
    let waiter = queue.withLock { $0.popFirst(until: limit, before: number) }
    waiter?.answer(true)
    return waiter != nil
  }

  /// Issues a number for a deadline that is no sleeper. At one instant, such deadlines and sleepers are ordered by number.
  package func nextNumber() -> UInt64 {
    queue.withLock { $0.nextNumber() }
  }

  /// Fills the list with the numbers of the sleepers that are due first. Returns when they are due.
  func due(into numbers: inout [UInt64]) -> Duration? {
    numbers.removeAll(keepingCapacity: true)
    // Nearly always nothing has slept on it, and this is called at every step of a schedule.
    guard hasBeenSleptOn.load(ordering: .relaxed) else { return nil }
    return queue.withLock { $0.due(into: &numbers) }
  }

  /// The sleepers, in the order in which they fell asleep.
  var sleepersInOrder: [(number: UInt64, deadline: Duration, run: Token?)] {
    guard hasBeenSleptOn.load(ordering: .relaxed) else { return [] }
    return queue.withLock { $0.sleepersInOrder }
  }

  /// The number of the sleeper that fell asleep last.
  var lastSleeper: UInt64 { hasBeenSleptOn.load(ordering: .relaxed) ? queue.withLock { $0.lastNumber } : 0 }

  /// Wakes the sleeper with this number, at its deadline.
  func wake(_ number: UInt64) {
    queue.withLock { $0.pop(number) }?.answer(true)
  }

  /// Adds a deadline that a schedule chooses as it chooses a sleeper, although no task wakes at it. Returns its number;
  /// `nil` if the deadline is now or has passed.
  func addDeadline(at offset: Duration) -> UInt64? {
    hasBeenSleptOn.store(true, ordering: .relaxed)
    return queue.withLock { $0.add(deadline: offset, run: nil, Waiter()) }
  }

  /// Removes a deadline that was added.
  func removeDeadline(_ number: UInt64) {
    queue.withLock { _ = $0.remove(number) }
  }

  /// Starts to note each reader of ``now``.
  func noteReaders() { notesReaders.store(true, ordering: .relaxed) }

  /// Reads the time for the library: readers are not noted meanwhile.
  func withoutReaders<Value>(_ body: () -> Value) -> Value {
    notesReaders.store(false, ordering: .relaxed)
    defer { notesReaders.store(true, ordering: .relaxed) }
    return body()
  }

  /// Readings of the time, with the run that read; `nil` for a reader outside of a run.
  private struct Readers {
    var readings: [(number: UInt64, run: Token?)] = []
    /// How many of them are kept.
    var kept = 0
    var last: UInt64 = 0
  }

  /// Notes a reading of the time. Returns its number.
  private func noteReader() -> UInt64 {
    let run = CurrentRun.identity?.token
    let number = readers.withLock { readers in
      readers.last += 1
      readers.readings.append((readers.last, run))
      return readers.last
    }
    hasBeenRead.store(true, ordering: .relaxed)
    return number
  }

  /// Removes a reading that has only made a deadline; zero is none.
  private func forget(_ reading: UInt64) {
    guard reading > 0 else { return }
    readers.withLock { readers in
      guard let place = readers.readings.firstIndex(where: { $0.number == reading }) else { return }
      readers.readings.remove(at: place)
      if place < readers.kept { readers.kept -= 1 }
    }
  }

  /// Whether the time may have been read since the last call of ``keepReaders(_:)``.
  var hasReaders: Bool { hasBeenRead.load(ordering: .relaxed) }

  /// Keeps what was read since the last call, or forgets it. A reading that is kept may still only make a deadline, in a later job.
  func keepReaders(_ isKept: Bool) {
    hasBeenRead.store(false, ordering: .relaxed)
    readers.withLock { readers in
      if !isKept { readers.readings.removeLast(readers.readings.count - readers.kept) }
      readers.kept = readers.readings.count
    }
  }

  /// Returns the runs that have read the time since the last call, not only to make a deadline.
  func takeReaders() -> [Token?] {
    readers.withLock { readers in
      defer { (readers.readings, readers.kept) = ([], 0) }
      return readers.readings.map(\.run)
    }
  }

  /// Sets the time to zero and removes the sleepers.
  func reset() {
    hasBeenSleptOn.store(false, ordering: .relaxed)
    cancelledCount.store(0, ordering: .relaxed)
    if notesReaders.load(ordering: .relaxed) {
      hasBeenRead.store(false, ordering: .relaxed)
      _ = takeReaders()
    }
    queue.withLock { $0.reset() }
  }

  /// Moves time on without waking any sleeper.
  ///
  /// - Parameter offset: what the clock shows afterwards, since zero. An instant that has passed changes nothing.
  @usableFromInline
  package func move(to offset: Duration) {
    queue.withLock { $0.move(to: offset) }
  }
}
