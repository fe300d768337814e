// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Holds every value that its reader has not read yet, in order; reports when there are many.
///
/// As in a `ValueChannel`, values are released and readers resumed outside the lock.
final class ChangeQueue<Value: Sendable>: ValueSource {
  private struct Inbox {
    var backlog: [Value] = []
    var head = 0
    var readers: [CheckedContinuation<Value?, Never>] = []
    var isFull = false
    /// The reader has ended.
    var isFinished = false
    /// No further value will come.
    var hasEnded = false
  }

  private let inbox = Lock(Inbox())
  private let limit: Int
  private let pressure: BackPressure

  init(limit: Int, pressure: BackPressure) {
    self.limit = max(limit, 1)
    self.pressure = pressure
  }

  var isWatched: Bool { inbox.withLock { !$0.isFinished } }

  func next() async -> Value? {
    await withCheckedContinuation { continuation in
      var read: [Value] = []
      var hasRoom = false
      let answer: Value?? = inbox.withLock { inbox in
        guard inbox.head < inbox.backlog.count else {
          if inbox.isFinished || inbox.hasEnded { return .some(nil) }
          inbox.readers.append(continuation)
          return nil
        }
        let value = inbox.backlog[inbox.head]
        inbox.head += 1
        if inbox.isFull, inbox.backlog.count - inbox.head <= limit {
          inbox.isFull = false
          hasRoom = true
        }
        if inbox.head * 2 >= inbox.backlog.count {
          // Values that have been read are removed a half at a time, so that reading stays O(1).
          read = Array(inbox.backlog[..<inbox.head])
          inbox.backlog.removeSubrange(..<inbox.head)
          inbox.head = 0
        }
        return value
      }
      withExtendedLifetime(read) {}
      if hasRoom { pressure.falls() }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  func offer(_ value: Value) -> Bool {
    var reader: CheckedContinuation<Value?, Never>?
    var isNowFull = false
    let isRead = inbox.withLock { inbox in
      if inbox.isFinished { return false }
      if !inbox.readers.isEmpty {
        reader = inbox.readers.removeFirst()
        return true
      }
      inbox.backlog.append(value)
      if !inbox.isFull, inbox.backlog.count - inbox.head > limit {
        inbox.isFull = true
        isNowFull = true
      }
      return true
    }
    if isNowFull { pressure.rises() }
    reader?.resume(returning: value)
    return isRead
  }

  func end() {
    let readers = inbox.withLock { inbox in
      inbox.hasEnded = true
      defer { inbox.readers = [] }
      return inbox.readers
    }
    for reader in readers { reader.resume(returning: nil) }
  }

  func finish() {
    let former = inbox.withLock { inbox in
      defer { inbox = Inbox(isFinished: true) }
      return inbox
    }
    if former.isFull { pressure.falls() }
    for reader in former.readers { reader.resume(returning: nil) }
  }
}

/// Holds back runs that wait for delivery as long as a reader has too many values left to read.
final class BackPressure: Sendable {
  private struct Book {
    /// How many queues are full. Below zero for a moment, if a queue was read before its store could report that it is
    /// full.
    var full = 0
    /// By the runs to which they belong, each with its arrival number.
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

  func rises() { book.withLock { $0.full += 1 } }

  func falls() {
    let free = book.withLock { book in
      book.full -= 1
      return book.full <= 0 ? book.takeAll() : []
    }
    for waiter in free { waiter.answer(true) }
  }

  /// Whether a waiter whose action has been reduced must wait longer; then it is answered later.
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
