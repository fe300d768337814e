// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Holds every value that its reader has not read yet, in order. Reports to ``BackPressure`` when there are too many.
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
          // Values that have been read are removed when they are half of the backlog, so reading is amortized O(1).
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
