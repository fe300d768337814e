// This source file is part of swift-effects. License: Apache-2.0.

/// Keeps the newest events. Any thread may write and read. Beyond the limit the oldest events are removed, and counted.
@usableFromInline
final class TraceRing<Action: Sendable>: Sendable {
  /// What the lock protects.
  @usableFromInline
  struct Book {
    @usableFromInline var events: NewestEvents<Action>
    @usableFromInline var hasEnded = false
    /// The waiters for the next event.
    @usableFromInline var waiting: [Waiter] = []
  }

  @usableFromInline let book: Lock<Book>
  private let limit: Int

  @usableFromInline
  init(limit: Int) {
    self.limit = limit
    book = Lock(Book(events: NewestEvents(limit: limit)))
  }

  /// The result of a read.
  enum Found {
    case event(TraceEvent<Action>)
    /// No event yet: wait for the waiter, then read again.
    case nothing(Waiter)
    case ended
  }

  /// Adds an event.
  @inlinable
  func append(_ event: TraceEvent<Action>) {
    // The removed event is released outside the lock: the release of an action may run user code.
    var event: TraceEvent<Action>? = event
    let waiting: [Waiter] = book.withLock { book in
      book.events.exchange(&event)
      if book.waiting.isEmpty { return [] }
      defer { book.waiting = [] }
      return book.waiting
    }
    for waiter in waiting { waiter.answer(true) }
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
      if let event = book.events.takeFirst() { return .event(event) }
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

  var events: [TraceEvent<Action>] { book.withLock { $0.events.all } }

  func clear() {
    var events = NewestEvents<Action>(limit: limit)
    book.withLock { swap(&$0.events, &events) }
  }
}

/// The newest events, from the oldest to the newest. A value, in memory that grows up to a limit and is then used again.
@usableFromInline
package struct NewestEvents<Action: Sendable> {
  /// As many places as there are events, or all; from `head` on, wrapping around. A place that is not used is `nil`.
  @usableFromInline var places: [TraceEvent<Action>?] = []
  @usableFromInline var head = 0
  @usableFromInline var count = 0
  /// How many events are missing before the first.
  @usableFromInline package var lost = 0
  @usableFromInline let limit: Int

  /// - Parameter limit: how many events are kept; below one it counts as one.
  @inlinable
  package init(limit: Int) {
    self.limit = Swift.max(1, limit)
  }

  /// Adds an event. If there is no room, the oldest one is removed for it, and counted as lost.
  ///
  /// - Parameter event: the newest event; then the event that was removed, to be released by the caller.
  /// - Complexity: O(1), amortised.
  @inlinable
  package mutating func exchange(_ event: inout TraceEvent<Action>?) {
    if count == places.count, count < limit { grow() }
    let isFull = count == places.count
    let end = head + count
    swap(&event, &places[end < places.count ? end : end - places.count])
    guard isFull else {
      count += 1
      return
    }
    lost += 1
    head = head + 1 == places.count ? 0 : head + 1
  }

  /// Doubles the places.
  @usableFromInline
  mutating func grow() {
    let size = min(limit, max(16, 2 * places.count))
    places = Array(places[head...] + places[..<head])
    places += Array(repeating: nil, count: size - places.count)
    head = 0
  }

  /// Removes the oldest event, and returns it. Before that it returns once how many events are missing before the first.
  package mutating func takeFirst() -> TraceEvent<Action>? {
    if let note = noteOfLost {
      lost = 0
      return note
    }
    guard count > 0 else { return nil }
    var event: TraceEvent<Action>?
    swap(&event, &places[head])
    head = head + 1 == places.count ? 0 : head + 1
    count -= 1
    return event
  }

  /// The events in order. If older ones were removed, the first event is `lost`, with their number.
  ///
  /// - Complexity: O(number of events).
  package var all: [TraceEvent<Action>] {
    let kept = (places[head...] + places[..<head]).compactMap(\.self)
    return (noteOfLost.map { [$0] } ?? []) + kept
  }

  private var noteOfLost: TraceEvent<Action>? {
    guard lost > 0, count > 0, let first = places[head] else { return nil }
    return TraceEvent(number: first.number - 1, time: first.time, cause: nil, kind: .lost(lost))
  }
}
