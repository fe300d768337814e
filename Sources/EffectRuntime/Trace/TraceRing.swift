// This source file is part of swift-effects. License: Apache-2.0.

/// Keeps the newest events, from one thread to another; of more than the limit the oldest go, and are counted.
@usableFromInline
final class TraceRing<Action: Sendable>: Sendable {
  @usableFromInline let book = Lock(TraceBook<Action>())
  @usableFromInline let limit: Int

  @usableFromInline
  init(limit: Int) {
    self.limit = Swift.max(1, limit)
  }

  /// What a reader finds.
  enum Found {
    case event(TraceEvent<Action>)
    /// Nothing yet: to be waited for, and then to be asked again.
    case nothing(Waiter)
    case ended
  }

  /// Adds an event, and hands out the one that had to go.
  @inlinable
  @discardableResult
  func append(_ event: TraceEvent<Action>) -> TraceEvent<Action>? {
    // What has to go is let go of outside the lock: the release of an action may run user code.
    var evicted: TraceEvent<Action>?
    var waiting: [Waiter] = []
    book.withLock { book in
      evicted = book.append(event, limit)
      if !book.waiting.isEmpty { swap(&waiting, &book.waiting) }
    }
    for waiter in waiting { waiter.answer(true) }
    return evicted
  }

  /// Adds what became of an action in place of the oldest event; `false`, with nothing done, unless the ring is full and
  /// nobody else keeps that one. What was there before is handed out in the action and its origin.
  ///
  /// A full log that is only written to so costs no count of references.
  @inlinable @inline(__always)
  func replaceOldest(
    _ shape: TraceContent<Action>.Shape, _ action: inout Action, _ origin: inout TraceOrigin, _ number: UInt64,
    after cause: UInt64?, at time: Duration
  ) -> Bool {
    #if TSAN
      // See `TraceOutlet.blankPage`.
      return false
    #else
      return book.withLock { book in
        // Who waits is to be told; a full ring has nobody who waits.
        guard book.count == limit, book.waiting.isEmpty, let oldest = unsafe book.blankOldest() else { return false }
        unsafe TraceOfAction.swap(oldest, shape, &action, &origin, number, after: cause, at: time)
        book.oldestIsNewest()
        return true
      }
    #endif
  }

  /// No event will follow.
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

  /// Nobody waits by this any more.
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

/// The events of a ring, from the oldest to the newest, in memory that grows up to a limit and is then written over.
// Not an array of optionals: to tell whether an event is there would cost more than to write it.
@usableFromInline
@safe
// SAFETY: of `capacity` places the `count` from `head` on, wrapping around, are initialised, no others. Whoever has one
// owns the memory alone and calls `free()` last.
package struct TraceBook<Action: Sendable>: @unchecked Sendable {
  @usableFromInline var places: UnsafeMutablePointer<TraceEvent<Action>>
  @usableFromInline var capacity = 0
  @usableFromInline var head = 0
  @usableFromInline var count = 0
  /// How many are missing in front of the first.
  @usableFromInline var lost = 0
  @usableFromInline var hasEnded = false
  /// Who waits for the next event.
  @usableFromInline var waiting: [Waiter] = []

  package init() {
    unsafe places = .allocate(capacity: 0)
  }

  /// Answers with the one that had to go.
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
    unsafe (places + (index < capacity ? index : index - capacity)).initialize(to: event)
    count += 1
  }

  @inlinable
  mutating func takeFirst() -> TraceEvent<Action> {
    let event = unsafe (places + head).move()
    head += 1
    if head == capacity { head = 0 }
    count -= 1
    return event
  }

  /// The oldest, if it tells of an action and nobody else keeps it.
  @inlinable @inline(__always)
  mutating func blankOldest() -> Unmanaged<TraceOfAction<Action>>? {
    guard unsafe isKnownUniquelyReferenced(&places[head].content) else { return nil }
    return unsafe TraceOfAction.asAction(Unmanaged.passUnretained(places[head].content))
  }

  /// Where a full ring begins it also ends.
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
    unsafe moved.moveInitialize(from: places + head, count: first)
    unsafe (moved + first).moveInitialize(from: places, count: count - first)
    unsafe places.deallocate()
    unsafe places = moved
    capacity = larger
    head = 0
  }

  /// All of them, oldest first.
  package var events: [TraceEvent<Action>] {
    (0..<count).map { unsafe places[(head + $0) % capacity] }
  }

  /// Tells of those that are missing in front of the first.
  package var noteOfLost: TraceEvent<Action>? {
    guard lost > 0, count > 0 else { return nil }
    let first = unsafe places[head]
    return TraceEvent(number: first.number - 1, time: first.time, cause: nil, kind: .lost(lost))
  }

  mutating func takeLost() -> TraceEvent<Action>? {
    defer { lost = 0 }
    return noteOfLost
  }

  package func free() {
    for index in 0..<count { unsafe (places + (head + index) % capacity).deinitialize(count: 1) }
    unsafe places.deallocate()
  }
}
