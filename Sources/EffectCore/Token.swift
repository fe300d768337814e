// This source file is part of swift-effects. License: Apache-2.0.

/// Names one piece of work: a slot, and a generation of that slot.
///
/// When all of the work is over, the slot is used again with the next generation. So a token that was kept too long, by a
/// detached task for example, never refers to other work. A cancel does not make a token void: see `Scheduler.isLive`.
@usableFromInline
package struct Token: Hashable, Sendable {
  @usableFromInline package let slot: Int32
  @usableFromInline package let generation: UInt32

  @inlinable
  package init(slot: Int32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  /// No work at all.
  @inlinable
  package static var none: Token { Token(slot: -1, generation: 0) }

  // Written out, so that it is two comparisons wherever it is used.
  @inlinable
  package static func == (left: Token, right: Token) -> Bool {
    left.slot == right.slot && left.generation == right.generation
  }
}
