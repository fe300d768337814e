// This source file is part of swift-effects. License: Apache-2.0.

/// Names one piece of live work: a slot, and which of its tenants.
///
/// A slot is used again when its work is gone, with the next generation; so a token kept too long, say by a detached
/// task, never speaks for somebody else.
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
