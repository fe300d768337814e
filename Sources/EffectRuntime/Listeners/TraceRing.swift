// This source file is part of swift-effects. License: Apache-2.0.

/// Keeps the newest events. Any thread may write and read. Beyond the limit the oldest events are removed, and counted.
@usableFromInline
final class TraceRing<Action: Sendable>: Sendable {
  @usableFromInline let book = Lock(TraceBook<Action>())
  @usableFromInline let limit: Int

  @usableFromInline
  init(limit: Int) {
    self.limit = Swift.max(1, limit)
  }

  /// The result of a read.
  enum Found {
    case event(TraceEvent<Action>)
    /// No event yet: wait for the waiter, then read again.
    case nothing(Waiter)
    case ended
  }

  /// Adds an event, and returns the event that was removed for it.
  @inlinable
  @discardableResult
  func append(_ event: TraceEvent<Action>) -> TraceEvent<Action>? {
    // The removed event is released outside the lock: the release of an action may run user code.
    var evicted: TraceEvent<Action>?
    var waiting: [Waiter] = []
    book.withLock { book in
      evicted = book.append(event, limit)
      if !book.waiting.isEmpty { swap(&waiting, &book.waiting) }
    }
    for waiter in waiting { waiter.answer(true) }
    return evicted
  }

  /// Replaces the oldest event by the result of an action. A full log that is only written to needs no reference counting
  /// for that.
  ///
  /// - Parameters:
  ///   - action: the action. Afterwards it is the old one, to be released outside the lock; likewise `origin`.
  /// - Returns: `false`, with nothing done, if the ring is not full, or if its oldest event is not about an action or is
  ///   also kept by other code.
  @inlinable @inline(__always)
  func replaceOldest(
    _ facts: TraceFacts, _ action: inout Action, _ origin: inout TraceOrigin
  ) -> Bool {
    #if TSAN
      // See `TraceOutlet.blankPage`.
      return false
    #else
      return book.withLock { book in
        // A waiter would have to be answered; a full ring has none.
        // SAFETY: only the book keeps the event, so the write under the lock overlaps with no other access.
        guard book.count == limit, book.waiting.isEmpty, let oldest = unsafe book.blankOldest() else { return false }
        unsafe TraceOfAction.swap(oldest, facts, &action, &origin)
        book.oldestIsNewest()
        return true
      }
    #endif
  }

  /// Ends the ring: no event follows. Waiters are answered.
  @usableFromInline
  func end() {
    let waiting = book.withLock { book in
      book.hasEnded = true
      defer { book.waiting = [] }
      return book.waiting
    }
    for waiter in waiting { waiter.answer(true) }
  }

  func takeFirst() -> Found {
    book.withLock { book in
      if book.count > 0 {
        if let lost = book.takeLost() { return .event(lost) }
        return .event(book.takeFirst())
      }
      if book.hasEnded { return .ended }
      let waiter = Waiter()
      book.waiting.append(waiter)
      return .nothing(waiter)
    }
  }

  /// Removes a waiter that does not wait any more.
  func forget(_ arrival: Waiter) {
    book.withLock { book in book.waiting.removeAll { $0 === arrival } }
  }

  var events: [TraceEvent<Action>] {
    book.withLock { book in
      guard let lost = book.noteOfLost else { return book.events }
      return [lost] + book.events
    }
  }

  func clear() {
    let former = book.withLock { book in
      let former = book
      book = TraceBook()
      book.hasEnded = former.hasEnded
      book.waiting = former.waiting
      return former
    }
    former.free()
  }

  deinit {
    book.withLock { $0.free() }
  }
}

/// The events of a ring, from the oldest to the newest, in memory that grows up to a limit and is then overwritten.
// Not an array of optionals: to check whether an event is present would cost more than to write it.
@usableFromInline
@safe
// SAFETY: of `capacity` positions, the `count` positions from `head` on, wrapping around, are initialised, and no
// others. The owner of a value is the only owner of the memory, and calls `free()` last.
package struct TraceBook<Action: Sendable>: @unchecked Sendable {
  @usableFromInline var places: UnsafeMutablePointer<TraceEvent<Action>>
  @usableFromInline var capacity = 0
  @usableFromInline var head = 0
  @usableFromInline var count = 0
  /// How many events are missing before the first.
  @usableFromInline var lost = 0
  @usableFromInline var hasEnded = false
  /// The waiters for the next event.
  @usableFromInline var waiting: [Waiter] = []

  /// Makes an empty book. The first event allocates its memory.
  package init() {
    // SAFETY: no position is initialised.
    unsafe places = .allocate(capacity: 0)
  }

  /// Adds an event. A full book removes its oldest event for it, and counts it as lost.
  ///
  /// - Parameters:
  ///   - event: the newest event.
  ///   - limit: how many events the book keeps; at least one, and the same in each call.
  /// - Returns: the event that was removed; `nil` if there was room.
  /// - Complexity: O(1), amortised.
  @inlinable
  package mutating func append(_ event: TraceEvent<Action>, _ limit: Int) -> TraceEvent<Action>? {
    if count == capacity {
      guard capacity == limit else {
        grow(limit)
        return append(event, limit)
      }
      lost += 1
      let evicted = takeFirst()
      write(event)
      return evicted
    }
    write(event)
    return nil
  }

  @inlinable
  mutating func write(_ event: TraceEvent<Action>) {
    let index = head + count
    // SAFETY: the caller has checked that a position is free.
    unsafe (places + (index < capacity ? index : index - capacity)).initialize(to: event)
    count += 1
  }

  @inlinable
  mutating func takeFirst() -> TraceEvent<Action> {
    // SAFETY: the caller has checked that there is an event.
    let event = unsafe (places + head).move()
    head += 1
    if head == capacity { head = 0 }
    count -= 1
    return event
  }

  /// The oldest event, if it is about an action and no other code keeps it.
  @inlinable @inline(__always)
  mutating func blankOldest() -> Unmanaged<TraceOfAction<Action>>? {
    // SAFETY: the caller has checked that there is an event, and the book keeps it.
    guard unsafe isKnownUniquelyReferenced(&places[head].content) else { return nil }
    return unsafe TraceOfAction.asAction(Unmanaged.passUnretained(places[head].content))
  }

  /// Makes the oldest event of a full ring, which was overwritten, the newest one: the next position is then the oldest.
  @inlinable @inline(__always)
  mutating func oldestIsNewest() {
    lost += 1
    head += 1
    if head == capacity { head = 0 }
  }

  @usableFromInline
  mutating func grow(_ limit: Int) {
    let larger = min(limit, max(16, 2 * capacity))
    let moved = UnsafeMutablePointer<TraceEvent<Action>>.allocate(capacity: larger)
    let first = min(count, capacity - head)
    // SAFETY: the two parts are all initialised positions, and the new memory has room for them.
    unsafe moved.moveInitialize(from: places + head, count: first)
    unsafe (moved + first).moveInitialize(from: places, count: count - first)
    unsafe places.deallocate()
    unsafe places = moved
    capacity = larger
    head = 0
  }

  /// All events, oldest first.
  ///
  /// - Complexity: O(number of events).
  package var events: [TraceEvent<Action>] {
    // SAFETY: these `count` positions are initialised.
    (0..<count).map { unsafe places[(head + $0) % capacity] }
  }

  /// An event that says how many events are missing before the first; `nil` if none are, or if the book is empty.
  package var noteOfLost: TraceEvent<Action>? {
    guard lost > 0, count > 0 else { return nil }
    // SAFETY: `count` is above zero.
    let first = unsafe places[head]
    return TraceEvent(number: first.number - 1, time: first.time, cause: nil, kind: .lost(lost))
  }

  mutating func takeLost() -> TraceEvent<Action>? {
    defer { lost = 0 }
    return noteOfLost
  }

  /// Releases the events and the memory. Call it once; the value cannot be used after that.
  ///
  /// - Complexity: O(number of events).
  package func free() {
    // SAFETY: these `count` positions are initialised, and no code uses the memory after this.
    for index in 0..<count { unsafe (places + (head + index) % capacity).deinitialize(count: 1) }
    unsafe places.deallocate()
  }
}
