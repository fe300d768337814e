// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Holds back runs that wait for delivery, while a reader has too many unread values.
final class BackPressure: Sendable {
  private struct Book {
    /// How many queues are full. Below zero for a moment, if a full queue is read before it is reported as full.
    var full = 0
    /// The waiters by the runs to which they belong, each with its arrival number.
    private var waiting: [Token: [(number: Int, waiter: Waiter)]] = [:]
    private var count = 0
    var hasEnded = false

    mutating func append(_ waiter: Waiter, of run: Token) {
      count += 1
      waiting[run, default: []].append((count, waiter))
    }

    mutating func takeAll(of run: Token) -> [Waiter] {
      waiting.removeValue(forKey: run)?.map(\.waiter) ?? []
    }

    mutating func takeAll() -> [Waiter] {
      defer { waiting = [:] }
      return waiting.values.joined().sorted { $0.number < $1.number }.map(\.waiter)
    }
  }

  private let book = Lock(Book())

  /// A queue is full.
  func rises() { book.withLock { $0.full += 1 } }

  /// A full queue has room again, or its reader has ended. If no queue is full, all waiters continue, in the order in
  /// which they arrived.
  func falls() {
    let free = book.withLock { book in
      book.full -= 1
      return book.full <= 0 ? book.takeAll() : []
    }
    for waiter in free { waiter.answer(true) }
  }

  /// Whether a waiter whose action has been reduced must wait longer. If `true`, the waiter is kept and answered later.
  func holds(_ waiter: Waiter, of run: Token) -> Bool {
    book.withLock { book in
      guard book.full > 0, !book.hasEnded else { return false }
      book.append(waiter, of: run)
      return true
    }
  }

  /// A run is cancelled: its waiters continue, also in a task that is not cancelled with it.
  func letGo(of run: Token) {
    for waiter in book.withLock({ $0.takeAll(of: run) }) { waiter.answer(false) }
  }

  /// The store has ended or has been released.
  func end() {
    let free = book.withLock { book in
      book.hasEnded = true
      return book.takeAll()
    }
    for waiter in free { waiter.answer(true) }
  }
}
