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
  /// Where it keeps events, instead of calling the closure.
  @usableFromInline let ring: TraceRing<Action>?
  /// A store in the middle of its work lets go of those who have left only afterwards.
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

  /// Tells one that is kept by somebody else of something that is, and hands out what it does not keep any more.
  // Not a closure of the store: each call of one looks up which executor it is on.
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

  /// Tells one that is kept by somebody else of what became of an action, if it is a full log whose oldest event can be
  /// written over; otherwise nothing is done.
  @inlinable @inline(__always)
  static func replaceOldest(
    _ listener: Unmanaged<TraceListener>, _ shape: TraceContent<Action>.Shape, _ action: Action, _ origin: TraceOrigin,
    _ number: UInt64, after cause: UInt64?, at time: Duration
  ) -> Bool {
    unsafe listener._withUnsafeGuaranteedRef { listener in
      guard let ring = listener.ring, !listener.hasLeft else { return false }
      var action = action
      var origin = origin
      return ring.replaceOldest(shape, &action, &origin, number, after: cause, at: time)
    }
  }

  @inlinable var hasLeft: Bool { left.load(ordering: .relaxed) }
  func leave() { left.store(true, ordering: .relaxed) }
}

/// What a store knows of those who listen, on its isolation.
@usableFromInline
@safe
struct TraceOutlet<Action: Sendable> {
  /// What was told last of an action, to be written over.
  @usableFromInline var page: TraceOfAction<Action>?
  // SAFETY: the same object, kept by `page`; they are changed together, before an event and never while listeners are told
  // of one.
  /// The same without a count of references, which costs as much as all that is written on it.
  @usableFromInline var address: Unmanaged<TraceOfAction<Action>>?
  /// What a log has let go of, to be written over in place of one that it keeps.
  @usableFromInline var spare: TraceContent<Action>?
  @usableFromInline private(set) var listeners: [TraceListener<Action>] = []
  // SAFETY: kept by `listeners`, with which it changes.
  /// The first of them, nearly always the only one.
  @usableFromInline private(set) var first: Unmanaged<TraceListener<Action>>?
  // SAFETY: as above.
  /// The first of them if it keeps events and there are no others.
  @usableFromInline private(set) var log: Unmanaged<TraceListener<Action>>?
  /// Whether there are others.
  @usableFromInline private(set) var isShared = false
  /// The version of the hub these were taken from.
  @usableFromInline var version = 0
  @usableFromInline var isTimed = false
  /// When the turn at hand began.
  @usableFromInline var now = Duration.zero
  /// The stamps of what was taken out of the mailbox.
  @usableFromInline var stamps = TraceStamps()

  /// Whether anybody listens.
  @usableFromInline var isOn = false

  mutating func set(_ listeners: [TraceListener<Action>]) {
    self.listeners = listeners
    unsafe first = listeners.first.map { unsafe Unmanaged.passUnretained($0) }
    isShared = listeners.count > 1
    unsafe log = !isShared && listeners.first?.ring != nil ? first : nil
  }

  @inlinable
  mutating func turn(to page: TraceOfAction<Action>) {
    self.page = page
    unsafe address = Unmanaged.passUnretained(page)
  }

  /// Lets go of what was told last.
  @inlinable
  mutating func wipePage() {
    guard page != nil || spare != nil else { return }
    unsafe address = nil
    page = nil
    spare = nil
  }

  /// What may be written over; `nil` if somebody keeps all there is.
  @inlinable @inline(__always)
  mutating func blankPage() -> Unmanaged<TraceOfAction<Action>>? {
    #if TSAN
      // That another thread has read an event before it let go of it, only the count of references orders, which the
      // sanitizer does not see: it would report each page that is written over after that.
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
    guard let used, unsafe used.shape != .other else { return nil }
    // SAFETY: only those of another shape are something else.
    return unsafe unsafeDowncast(used, to: TraceOfAction<Action>.self)
  }
}
