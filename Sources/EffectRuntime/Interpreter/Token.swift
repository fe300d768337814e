// This source file is part of swift-effects. License: Apache-2.0.

/// Names one piece of live work: a slot, and which of its tenants.
///
/// A slot is used again when its work is gone, with the next generation; so a token kept too long, say by a detached
/// task, never speaks for somebody else.
package struct Token: Hashable, Sendable {
  package let slot: Int32
  package let generation: UInt32

  package init(slot: Int32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  /// No work at all.
  package static let none = Token(slot: -1, generation: 0)
}
