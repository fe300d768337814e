// This source file is part of swift-effects. License: Apache-2.0.

extension EffectID {
  /// One name of a path, linked from the outermost scope inwards.
  ///
  /// The links go inwards. So to wrap an id in one more scope is one allocation at any depth, and a directory of active
  /// work can go from its root to the id. Hashes are computed once, here: a dictionary keyed by `AnyHashable` would
  /// call the user's `hash(into:)` at every look-up.
  // SAFETY: every stored property is a constant of Sendable type, and the only subclass adds a Sendable constant.
  package class Component: @unchecked Sendable {
    /// The hash of this name alone.
    package let nameHash: Int
    /// The hash of this name and all that lie inside it.
    package let pathHash: Int
    package let inner: Component?

    fileprivate init(nameHash: Int, inner: Component?) {
      self.nameHash = nameHash
      self.inner = inner
      guard let inner else {
        pathHash = nameHash
        return
      }
      // Order matters: "a"/"b" and "b"/"a" must differ. So the hash of what lies inside is multiplied, once for each
      // level, before the two are combined. If the outer hash were multiplied instead, names of different levels could
      // be swapped without changing the result.
      pathHash = nameHash ^ (inner.pathHash &* 0x1E37_79B9_7F4A_7C15)
    }

    /// The value itself.
    package var erased: Any { unreachable() }

    /// The line that used the name in a `cancel`.
    package var site: CallSite? { nil }

    /// Whether the name was used by a `cancel` that a higher-order reducer adds.
    package var isImplied: Bool { false }

    /// The component of which this is a copy with a line.
    fileprivate var unsited: Component? { nil }

    fileprivate func sameValue(as other: Component) -> Bool { unreachable() }

    fileprivate func copy(inner: Component?) -> Component { unreachable() }

    private func unreachable(_ function: StaticString = #function) -> Never {
      fatalError("EffectID.Component: \(function) of the base class; bug in EffectCore, please report")
    }

    /// Whether both stand for the same value, whatever lies inside them.
    package func isSameName(as other: Component) -> Bool {
      self === other || (nameHash == other.nameHash && sameValue(as: other))
    }

    /// This path with another one appended at its inner end.
    func prepended(to innermost: Component) -> Component {
      var path = [self]
      var next = inner
      while let node = next {
        path.append(node)
        next = node.inner
      }
      return path.reversed().reduce(innermost) { $1.copy(inner: $0) }
    }

    /// How the value is written in descriptions: strings in quotes, so that a number and its digits differ.
    package var text: String { ValueDescription.brief(erased) }
  }
}

/// A name with the line of the `cancel` that uses it, so that a report can name the line. Without a line, it is a name
/// by which a higher-order reducer cancels work that may or may not be active.
///
/// Only builders of `cancel` make these: an effect has no room for a line beside the id, and other ids stay small. An
/// id with such a name is compared and found like the plain id. It is not stored: a cancel makes no entry in a
/// directory.
// SAFETY: adds two constants of Sendable type to the base class.
final class SitedComponent: EffectID.Component, @unchecked Sendable {
  private let plain: EffectID.Component
  private let ownSite: CallSite?

  init(_ component: EffectID.Component, site: CallSite?) {
    plain = component.unsited ?? component
    ownSite = site
    super.init(nameHash: component.nameHash, inner: component.inner)
  }

  override var erased: Any { plain.erased }
  override var site: CallSite? { ownSite }
  override var isImplied: Bool { ownSite == nil }
  override var unsited: EffectID.Component? { plain }

  override func sameValue(as other: EffectID.Component) -> Bool {
    plain.sameValue(as: other)
  }

  override func copy(inner: EffectID.Component?) -> EffectID.Component {
    plain.copy(inner: inner)
  }
}

/// The value lies in the component itself: an id costs one allocation.
// SAFETY: adds one constant to the base class, and every function that makes an id requires a Sendable value. The type
// does not require it: for the value in an optional, only `Hashable` can be checked at run time.
final class TypedComponent<Value: Hashable>: EffectID.Component, @unchecked Sendable {
  let value: Value

  init(_ value: Value, inner: EffectID.Component?) {
    self.value = value
    var hasher = Hasher()
    // The type is hashed too: ids of different types are different, and their values often have the same hash (1 and
    // UInt8(1)).
    hasher.combine(ObjectIdentifier(Value.self))
    hasher.combine(value)
    super.init(nameHash: hasher.finalize(), inner: inner)
  }

  private init(value: Value, nameHash: Int, inner: EffectID.Component?) {
    self.value = value
    super.init(nameHash: nameHash, inner: inner)
  }

  override var erased: Any { value }

  override func sameValue(as other: EffectID.Component) -> Bool {
    guard let other = other as? TypedComponent<Value> else {
      // The hashes are equal, so this is rare: another type, or a name with the line of a `cancel`.
      return other.unsited.map(sameValue) ?? false
    }
    return Sameness.areSame(value, other.value)
  }

  override func copy(inner: EffectID.Component?) -> EffectID.Component {
    TypedComponent(value: value, nameHash: nameHash, inner: inner)
  }
}
