// This source file is part of swift-effects. License: Apache-2.0.

public import Synchronization

/// The listeners of a store's trace. They are added and removed on any thread, and notified on the store's isolation.
@usableFromInline
final class TraceHub<Action: Sendable>: Sendable {
  private struct Book {
    var listeners: [TraceListener<Action>] = []
    /// The number by which each is removed.
    var numbers: [Int] = []
    /// How many have been added.
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
    if number == nil { listener.end() } else { mailbox.post(.observe) }
    return number ?? 0
  }

  /// Removes a listener, which ends it. Called twice or late it does nothing.
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
    removed.end()
    mailbox.post(.observe)
  }

  /// The store has ended.
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

/// A listener of a trace.
@usableFromInline
final class TraceListener<Action: Sendable>: Sendable {
  let isTimed: Bool
  @usableFromInline let tell: @Sendable (TraceEvent<Action>) -> Void
  /// Where it keeps events, if it does not call the closure.
  @usableFromInline let ring: TraceRing<Action>?
  /// Set when it is removed. A store in the middle of its work releases removed listeners only afterwards.
  @usableFromInline let left = Atomic<Bool>(false)

  init(isTimed: Bool, tell: @escaping @Sendable (TraceEvent<Action>) -> Void) {
    self.isTimed = isTimed
    self.tell = tell
    ring = nil
  }

  @usableFromInline
  init(_ ring: TraceRing<Action>) {
    isTimed = true
    tell = { _ in }
    self.ring = ring
  }

  func end() { ring?.end() }

  /// Reports an event to a listener that is kept elsewhere, and returns the content that the listener does not keep any
  /// more.
  // Not a closure of the store: each call of such a closure looks up its executor.
  @inlinable @inline(__always)
  static func tell(
    _ listener: Unmanaged<TraceListener>, of content: Unmanaged<TraceContent<Action>>
  ) -> TraceContent<Action>? {
    unsafe listener._withUnsafeGuaranteedRef { listener in
      guard !listener.hasLeft else { return nil }
      return unsafe content._withUnsafeGuaranteedRef { content in
        if let ring = listener.ring { return ring.append(TraceEvent(content))?.content }
        listener.tell(TraceEvent(content))
        return nil
      }
    }
  }

  /// Reports the result of an action to a listener that is kept elsewhere, if it is a full log whose oldest event can
  /// be overwritten; otherwise does nothing.
  @inlinable @inline(__always)
  static func replaceOldest(
    _ listener: Unmanaged<TraceListener>, _ facts: TraceFacts, _ action: Action, _ origin: borrowing TraceOrigin
  ) -> Bool {
    unsafe listener._withUnsafeGuaranteedRef { listener in
      guard let ring = listener.ring, !listener.hasLeft else { return false }
      var action = action
      var origin = copy origin
      return ring.replaceOldest(facts, &action, &origin)
    }
  }

  @inlinable var hasLeft: Bool { left.load(ordering: .relaxed) }
  func leave() { left.store(true, ordering: .relaxed) }
}

/// The listeners as the store sees them, on its isolation.
@usableFromInline
@safe
struct TraceOutlet<Action: Sendable> {
  /// The content that was last reported about an action, to be overwritten.
  @usableFromInline var page: TraceOfAction<Action>?
  // SAFETY: the same object, kept by `page`. They are changed together, before an event and never while listeners are
  // notified of one.
  /// The same without reference counting, which would cost as much as writing the whole content.
  @usableFromInline var address: Unmanaged<TraceOfAction<Action>>?
  /// Content that a log has released, to be overwritten instead of content that the log keeps.
  @usableFromInline var spare: TraceContent<Action>?
  @usableFromInline private(set) var listeners: [TraceListener<Action>] = []
  // SAFETY: kept by `listeners`, and changed together with it.
  /// The first listener, nearly always the only one.
  @usableFromInline private(set) var first: Unmanaged<TraceListener<Action>>?
  /// Whether the first listener keeps events and is the only one.
  @usableFromInline private(set) var isLog = false
  /// Whether there are other listeners.
  @usableFromInline private(set) var isShared = false
  /// The version of the hub from which the listeners were taken.
  @usableFromInline var version = 0
  @usableFromInline var isTimed = false
  /// When the present turn began.
  @usableFromInline var now = Duration.zero
  /// The stamps of the messages that were taken out of the mailbox.
  @usableFromInline var stamps = TraceStamps()

  /// Whether there are listeners.
  @usableFromInline var isOn = false

  mutating func set(_ listeners: [TraceListener<Action>]) {
    self.listeners = listeners
    unsafe first = listeners.first.map { unsafe Unmanaged.passUnretained($0) }
    isShared = listeners.count > 1
    isLog = !isShared && listeners.first?.ring != nil
  }

  @inlinable
  mutating func turn(to page: TraceOfAction<Action>) {
    self.page = page
    unsafe address = Unmanaged.passUnretained(page)
  }

  /// Releases the content that was last reported.
  @inlinable
  mutating func wipePage() {
    guard page != nil || spare != nil else { return }
    unsafe address = nil
    page = nil
    spare = nil
  }

  /// Content that may be overwritten; `nil` if all of it is kept elsewhere.
  @inlinable @inline(__always)
  mutating func blankPage() -> Unmanaged<TraceOfAction<Action>>? {
    #if TSAN
      // Only the reference count orders a read in another thread before the release there. The sanitizer does not see
      // that: it would report each page that is overwritten after such a read.
      return nil
    #else
      if isKnownUniquelyReferenced(&page) { return unsafe address }
      guard spare != nil else { return nil }
      page = takeSpare()
      guard isKnownUniquelyReferenced(&page) else { return nil }
      unsafe address = page.map { unsafe Unmanaged.passUnretained($0) }
      return unsafe address
    #endif
  }

  @inlinable @inline(__always)
  mutating func takeSpare() -> TraceOfAction<Action>? {
    let used = spare
    spare = nil
    guard let used, used.facts.shape != .other else { return nil }
    // SAFETY: only content of another shape has another type.
    return unsafe unsafeDowncast(used, to: TraceOfAction<Action>.self)
  }
}
