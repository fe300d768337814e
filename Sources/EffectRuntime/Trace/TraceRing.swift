// This source file is part of swift-effects. License: Apache-2.0.

/// Keeps the newest events, from one thread to another; of more than the limit the oldest go, and are counted.
final class TraceRing<Action: Sendable>: Sendable {
  private let book = Lock(TraceBook<Action>())
  private let limit: Int

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

  func append(_ event: TraceEvent<Action>) {
    // What has to go is let go of outside the lock: the release of an action may run user code.
    let (evicted, waiting) = book.withLock { book in
      let evicted = book.append(event, limit)
      defer { book.waiting = [] }
      return (evicted, book.waiting)
    }
    withExtendedLifetime(evicted) {}
    for waiter in waiting { waiter.answer(true) }
  }

  /// No event will follow.
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
        if let event = book.takeFirst() { return .event(event) }
      }
      if book.hasEnded { return .ended }
      let waiter = Waiter()
      book.waiting.append(waiter)
      return .nothing(waiter)
    }
  }

  var events: [TraceEvent<Action>] {
    book.withLock { book in
      var events = (0..<book.count).compactMap { book.events[(book.head + $0) % book.events.count] }
      if let lost = book.noteOfLost { events.insert(lost, at: 0) }
      return events
    }
  }

  func clear() {
    let former = book.withLock { book in
      let former = book.events
      book.events = []
      book.head = 0
      book.count = 0
      book.lost = 0
      return former
    }
    withExtendedLifetime(former) {}
  }
}

private struct TraceBook<Action: Sendable> {
  /// Grows up to the limit, and from then on is written over from `head` on.
  var events: [TraceEvent<Action>?] = []
  var head = 0
  var count = 0
  /// How many are missing in front of the first.
  var lost = 0
  var hasEnded = false
  /// Who waits for the next event.
  var waiting: [Waiter] = []

  /// Answers with the one that had to go.
  mutating func append(_ event: TraceEvent<Action>, _ limit: Int) -> TraceEvent<Action>? {
    if count < events.count {
      events[(head + count) % events.count] = event
      count += 1
      return nil
    }
    if events.count < limit {
      straighten()
      events.append(event)
      count += 1
      return nil
    }
    let evicted = events[head]
    events[head] = event
    head = (head + 1) % events.count
    lost += 1
    return evicted
  }

  /// Full and about to grow: the oldest comes first in memory.
  private mutating func straighten() {
    guard head > 0 else { return }
    events = Array(events[head...] + events[..<head])
    head = 0
  }

  mutating func takeFirst() -> TraceEvent<Action>? {
    let event = events[head]
    events[head] = nil
    head = (head + 1) % events.count
    count -= 1
    return event
  }

  /// Tells of those that are missing in front of the first.
  var noteOfLost: TraceEvent<Action>? {
    guard lost > 0, count > 0, let first = events[head] else { return nil }
    return TraceEvent(number: first.number - 1, time: first.time, cause: nil, kind: .lost(lost))
  }

  mutating func takeLost() -> TraceEvent<Action>? {
    defer { lost = 0 }
    return noteOfLost
  }
}
