// This source file is part of swift-effects. License: Apache-2.0.

/// Where a child stands in its parent's state, as a part of an id: a key path is one whatever type it is kept as.
// SAFETY: a constant; key paths are immutable, and what one captures is `Sendable` where it is made an id.
struct Position: Hashable, @unchecked Sendable, CustomStringConvertible {
  private let path: AnyKeyPath

  init(_ path: AnyKeyPath) {
    self.path = path
  }

  /// `\State.rows`.
  var description: String { "\(path)" }
}

extension EffectID {
  /// The scope of the child at a place of its parent's state.
  @usableFromInline
  package init(position: AnyKeyPath) {
    self.init(head: TypedComponent(Position(position), inner: nil))
  }
}
