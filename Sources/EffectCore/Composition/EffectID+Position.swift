// This source file is part of swift-effects. License: Apache-2.0.

/// The position of a child in its parent's state, as a part of an id. The static type of the key path makes no
/// difference.
// SAFETY: a constant; key paths are immutable, and what one captures is `Sendable` where an id is made of it.
struct Position: Hashable, @unchecked Sendable, CustomStringConvertible {
  private let path: AnyKeyPath

  init(_ path: AnyKeyPath) {
    self.path = path
  }

  /// `\State.rows`.
  var description: String { "\(path)" }
}

extension EffectID {
  /// The scope of the child at a position in its parent's state.
  package init(position: AnyKeyPath) {
    self.init(head: TypedComponent(Position(position), inner: nil))
  }
}
