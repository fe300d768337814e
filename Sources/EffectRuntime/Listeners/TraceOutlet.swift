// This source file is part of swift-effects. License: Apache-2.0.

/// The listeners that a store notifies, and content that it can overwrite; used on its isolation only.
@usableFromInline
@safe
struct TraceOutlet<Action: Sendable> {
  /// The content that was last reported about an action, to be overwritten.
  @usableFromInline var page: TraceOfAction<Action>?
  // SAFETY: the object of `page`, which keeps it. They are changed together, before an event and never while listeners
  // are notified of one. If `blankPage()` changes only `page`, it returns `nil`, and its caller calls `turn(to:)`.
  /// The same object without reference counting, which would cost as much as writing the whole content.
  @usableFromInline var address: Unmanaged<TraceOfAction<Action>>?
  /// Content that a log has released, to be overwritten instead of content that the log keeps.
  @usableFromInline var spare: TraceContent<Action>?
  @usableFromInline private(set) var listeners: [TraceListener<Action>] = []
  // SAFETY: kept by `listeners`, and changed together with it.
  /// The first listener, nearly always the only one.
  @usableFromInline private(set) var first: Unmanaged<TraceListener<Action>>?
  /// Whether the first listener keeps events and is the only one.
  @usableFromInline private(set) var isLog = false
  /// Whether there is more than one listener.
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
    // SAFETY: `listeners` keeps the object.
    unsafe first = listeners.first.map { unsafe Unmanaged.passUnretained($0) }
    isShared = listeners.count > 1
    isLog = !isShared && listeners.first?.ring != nil
  }

  @inlinable
  mutating func turn(to page: TraceOfAction<Action>) {
    self.page = page
    // SAFETY: `page` keeps the object.
    unsafe address = Unmanaged.passUnretained(page)
  }

  /// Releases the content that was last reported.
  @inlinable
  mutating func wipePage() {
    guard page != nil || spare != nil else { return }
    // SAFETY: emptied before the object is released.
    unsafe address = nil
    page = nil
    spare = nil
  }

  /// Content that may be overwritten; `nil` if all of it is kept elsewhere.
  @inlinable @inline(__always)
  mutating func blankPage() -> Unmanaged<TraceOfAction<Action>>? {
    #if TSAN
      // Another thread may read a page and then release it. Only the reference count orders that read before the next
      // write here. The sanitizer does not detect this order: it would report each page that is written to after such a
      // read.
      return nil
    #else
      // SAFETY: `page` keeps the object of `address`; see `address`.
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
    // SAFETY: all content that does not have the shape `.other` is a `TraceOfAction`.
    return unsafe unsafeDowncast(used, to: TraceOfAction<Action>.self)
  }
}
