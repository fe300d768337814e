// This source file is part of swift-effects. License: Apache-2.0.

public import Synchronization

/// Those who listen to a store's trace. They come and go on any thread, and are told on the store's isolation.
@usableFromInline
final class TraceHub<Action: Sendable>: Sendable {
  private struct Book {
    var listeners: [TraceListener<Action>] = []
    /// What each is removed by.
    var numbers: [Int] = []
    /// How many have come.
    var arrivals = 0
    /// Nothing more will be told.
    var hasEnded = false
  }

  private let book = Lock(Book())
  /// Counts the changes, so that a store need not ask who listens before each slice.
  private let changes = Atomic<Int>(0)
  private let mailbox: Mailbox<Action>

  init(_ mailbox: Mailbox<Action>) {
    self.mailbox = mailbox
  }

  @usableFromInline var version: Int { changes.load(ordering: .acquiring) }

  /// Those who listen, in the order they came.
  var listeners: [TraceListener<Action>] { book.withLock { $0.listeners } }

  /// Adds one, and answers with the number it is removed by; it is told of everything from the next slice on. One that comes
  /// too late is told so.
  func add(_ listener: TraceListener<Action>) -> Int {
    let number: Int? = book.withLock { book in
      if book.hasEnded { return nil }
      book.arrivals += 1
      book.numbers.append(book.arrivals)
      book.listeners.append(listener)
      noteChange(book)
      return book.arrivals
    }
    if number == nil { listener.end() } else { mailbox.post(.observe) }
    return number ?? 0
  }

  /// Removes one, which ends with that; twice or late does nothing.
  // By number: a weak reference to a listener would make every retain of it many times as dear.
  func remove(_ number: Int) {
    // Let go of outside the lock: the release of what a listener holds may run user code.
    let removed: TraceListener<Action>? = book.withLock { book in
      guard let index = book.numbers.firstIndex(of: number) else { return nil }
      book.numbers.remove(at: index)
      let removed = book.listeners.remove(at: index)
      noteChange(book)
      return removed
    }
    guard let removed else { return }
    removed.leave()
    removed.end()
    mailbox.post(.observe)
  }

  /// The store has come to its end.
  func finish() {
    let listeners = book.withLock { book in
      let listeners = book.listeners
      book = Book(hasEnded: true)
      noteChange(book)
      return listeners
    }
    for listener in listeners { listener.end() }
  }

  private func noteChange(_ book: borrowing Book) {
    changes.add(1, ordering: .acquiringAndReleasing)
    let isTimed = book.listeners.contains(where: \.isTimed)
    mailbox.tracing.store(book.listeners.isEmpty ? .off : isTimed ? .timed : .untimed, ordering: .relaxed)
  }
}

/// One who listens to a trace.
@usableFromInline
final class TraceListener<Action: Sendable>: Sendable {
  let isTimed: Bool
  @usableFromInline let tell: @Sendable (TraceEvent<Action>) -> Void
  private let whenEnded: (@Sendable () -> Void)?
  /// A store in the middle of its work lets go of those who have left only afterwards.
  @usableFromInline let left = Atomic<Bool>(false)

  @usableFromInline
  init(
    isTimed: Bool, tell: @escaping @Sendable (TraceEvent<Action>) -> Void, whenEnded: (@Sendable () -> Void)? = nil
  ) {
    self.isTimed = isTimed
    self.tell = tell
    self.whenEnded = whenEnded
  }

  func end() { whenEnded?() }

  @inlinable var hasLeft: Bool { left.load(ordering: .relaxed) }
  func leave() { left.store(true, ordering: .relaxed) }
}

/// What a store knows of those who listen, on its isolation.
@usableFromInline
struct TraceOutlet<Action: Sendable> {
  @usableFromInline var listeners: [TraceListener<Action>] = []
  /// The version of the hub these were taken from.
  @usableFromInline var version = 0
  @usableFromInline var isTimed = false
  /// When the turn at hand began.
  @usableFromInline var now = Duration.zero
  /// The event that opened the turn at hand.
  @usableFromInline var turn: UInt64?
  /// The stamps of what was taken out of the mailbox: as many, or fewer.
  @usableFromInline var stamps: [TraceStamp?] = []

  /// Whether anybody listens.
  @usableFromInline var isOn = false
}
