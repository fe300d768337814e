// This source file is part of swift-effects. License: Apache-2.0.

public import Synchronization

/// A listener of a trace.
@usableFromInline
final class TraceListener<Action: Sendable>: Sendable {
  let isTimed: Bool
  @usableFromInline let tell: @Sendable (TraceEvent<Action>) -> Void
  /// Keeps the events of a log or an iteration; `nil` if the closure is called.
  @usableFromInline let ring: TraceRing<Action>?
  /// Set when it is removed. The store may keep it until its next slice, but does not notify it any more.
  @usableFromInline let left = Atomic<Bool>(false)

  /// Called when the store has ended, unless the listener was removed before.
  let storeEnded: @Sendable () -> Void

  init(
    isTimed: Bool, tell: @escaping @Sendable (TraceEvent<Action>) -> Void,
    storeEnded: @escaping @Sendable () -> Void = {}
  ) {
    self.isTimed = isTimed
    self.tell = tell
    self.storeEnded = storeEnded
    ring = nil
  }

  @usableFromInline
  init(_ ring: TraceRing<Action>) {
    isTimed = true
    tell = { _ in }
    storeEnded = {}
    self.ring = ring
  }

  func end() { ring?.end() }

  /// Reports an event to a listener. The caller keeps the listener and the content until this returns.
  ///
  /// - Returns: the content of the event that the listener has removed for this one; `nil` if there is none.
  // Not a closure of the store: each call of such a closure looks up its executor.
  @inlinable @inline(__always)
  static func tell(
    _ listener: Unmanaged<TraceListener>, of content: Unmanaged<TraceContent<Action>>
  ) -> TraceContent<Action>? {
    // SAFETY: the caller keeps both objects.
    unsafe listener._withUnsafeGuaranteedRef { listener in
      guard !listener.hasLeft else { return nil }
      return unsafe content._withUnsafeGuaranteedRef { content in
        if let ring = listener.ring { return ring.append(TraceEvent(content))?.content }
        listener.tell(TraceEvent(content))
        return nil
      }
    }
  }

  /// Reports the result of an action to a full log, by overwriting its oldest event.
  ///
  /// - Returns: `false`, with nothing done, if the listener is no full log, or its oldest event cannot be overwritten.
  @inlinable @inline(__always)
  static func replaceOldest(
    _ listener: Unmanaged<TraceListener>, _ facts: TraceFacts, _ action: Action, _ origin: borrowing TraceOrigin
  ) -> Bool {
    // SAFETY: the caller keeps the listener.
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
