// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// The listeners of a store's trace. They are added and removed on any thread, and notified on the store's isolation.
@usableFromInline
final class TraceHub<Action: Sendable>: Sendable {
  private struct Book {
    var listeners: [TraceListener<Action>] = []
    /// For each listener the number by which it is removed.
    var numbers: [Int] = []
    /// How many listeners have been added.
    var arrivals = 0
    /// No further event will be reported.
    var hasEnded = false
  }

  private let book = Lock(Book())
  /// Counts the changes, so that a store need not compare the listeners before each slice.
  private let changes = Atomic<Int>(0)
  private let mailbox: Mailbox<Action>

  init(_ mailbox: Mailbox<Action>) {
    self.mailbox = mailbox
  }

  @usableFromInline var version: Int { changes.load(ordering: .acquiring) }

  /// The listeners, in the order in which they were added.
  var listeners: [TraceListener<Action>] { book.withLock { $0.listeners } }

  /// Adds a listener, and returns the number by which it is removed. It gets every event from the next slice on. If the
  /// trace has ended, the listener is ended at once.
  func add(_ listener: TraceListener<Action>) -> Int {
    let number: Int? = book.withLock { book in
      if book.hasEnded { return nil }
      book.arrivals += 1
      book.numbers.append(book.arrivals)
      book.listeners.append(listener)
      noteChange(book)
      return book.arrivals
    }
    if number == nil { listener.storeEnded() } else { mailbox.post(.observe) }
    return number ?? 0
  }

  /// Removes a listener. Called twice or late it does nothing.
  // By number: a weak reference to a listener would make every retain of it many times as expensive.
  func remove(_ number: Int) {
    // Released outside the lock: the release of what a listener holds may run user code.
    let removed: TraceListener<Action>? = book.withLock { book in
      guard let index = book.numbers.firstIndex(of: number) else { return nil }
      book.numbers.remove(at: index)
      let removed = book.listeners.remove(at: index)
      noteChange(book)
      return removed
    }
    guard let removed else { return }
    removed.leave()
    mailbox.post(.observe)
  }

  /// Ends and releases all listeners, because the store has ended.
  func finish() {
    let listeners = book.withLock { book in
      let listeners = book.listeners
      book = Book(hasEnded: true)
      noteChange(book)
      return listeners
    }
    for listener in listeners { listener.storeEnded() }
  }

  private func noteChange(_ book: borrowing Book) {
    changes.add(1, ordering: .acquiringAndReleasing)
    let isTimed = book.listeners.contains(where: \.isTimed)
    mailbox.tracing.store(book.listeners.isEmpty ? .off : isTimed ? .timed : .untimed, ordering: .relaxed)
  }
}
