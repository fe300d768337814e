// This source file is part of swift-effects. License: Apache-2.0.

public import Synchronization

/// A listener of a trace.
@usableFromInline
final class TraceListener<Action: Sendable>: Sendable {
  let isTimed: Bool
  @usableFromInline let tell: @Sendable (TraceEvent<Action>) -> Void
  /// Called when the store has ended, unless the listener was removed before.
  let storeEnded: @Sendable () -> Void
  /// Set when it is removed. The store may keep it until its next slice, but does not notify it any more.
  @usableFromInline let left = Atomic<Bool>(false)

  @usableFromInline
  init(
    isTimed: Bool, tell: @escaping @Sendable (TraceEvent<Action>) -> Void,
    storeEnded: @escaping @Sendable () -> Void = {}
  ) {
    self.isTimed = isTimed
    self.tell = tell
    self.storeEnded = storeEnded
  }

  /// Keeps the events of a log or an iteration.
  @inlinable
  convenience init(_ ring: TraceRing<Action>) {
    self.init(isTimed: true, tell: { ring.append($0) }, storeEnded: { ring.end() })
  }

  @inlinable var hasLeft: Bool { left.load(ordering: .relaxed) }
  func leave() { left.store(true, ordering: .relaxed) }
}
