// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// Those who listen to a store's trace. They come and go on any thread, and are told on the store's isolation.
@usableFromInline
final class TraceHub<Action: Sendable>: Sendable {
  private struct Book {
    var listeners: [TraceListener<Action>] = []
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

  /// Adds one; it is told of everything from the next slice on. One that comes too late is told so.
  func add(_ listener: TraceListener<Action>) {
    let hasEnded = book.withLock { book in
      if book.hasEnded { return true }
      book.listeners.append(listener)
      noteChange(book)
      return false
    }
    if hasEnded { listener.end() } else { mailbox.post(.observe) }
  }

  /// Removes one, which ends with that; twice or late does nothing.
  func remove(_ listener: TraceListener<Action>) {
    // Let go of outside the lock: the release of what a listener holds may run user code.
    let removed = book.withLock { book in
      guard let index = book.listeners.firstIndex(where: { $0 === listener }) else { return false }
      book.listeners.remove(at: index)
      noteChange(book)
      return true
    }
    guard removed else { return }
    listener.end()
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

  init(
    isTimed: Bool, tell: @escaping @Sendable (TraceEvent<Action>) -> Void, whenEnded: (@Sendable () -> Void)? = nil
  ) {
    self.isTimed = isTimed
    self.tell = tell
    self.whenEnded = whenEnded
  }

  func end() { whenEnded?() }
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
  /// How many steps there have been in the slice at hand.
  @usableFromInline var steps = 0
  /// The stamps of what was taken out of the mailbox: as many, or fewer.
  @usableFromInline var stamps: [TraceStamp?] = []

  /// Whether anybody listens.
  @usableFromInline var isOn = false
}
