// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Records events from any thread, and lets a test wait for an event instead of sleeping.
package final class Recorder<Event: Sendable & Equatable>: Sendable {
  private struct Book {
    var events: [Event] = []
    var waiting: [(event: Event, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let book = Lock(Book())

  package init() {}

  /// All events so far.
  package var events: [Event] { book.withLock { $0.events } }

  package func record(_ event: Event) {
    let ready = book.withLock { book in
      book.events.append(event)
      var ready: [CheckedContinuation<Void, Never>] = []
      book.waiting.removeAll { waiting in
        guard waiting.event == event, book.events.count(where: { $0 == event }) >= waiting.count else { return false }
        ready.append(waiting.continuation)
        return true
      }
      return ready
    }
    for continuation in ready { continuation.resume() }
  }

  /// Suspends until an event has been recorded the given number of times.
  package func wait(for event: Event, count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = book.withLock { book in
        if book.events.count(where: { $0 == event }) >= count { return true }
        book.waiting.append((event, count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
