// This source file is part of swift-effects. License: Apache-2.0.

/// The name of a piece of work, by which you cancel, replace, join and query it.
///
/// Any `Hashable & Sendable` value can be one: a string literal, a case of your own enum, a model's identifier, or a
/// type (``init(type:)``). Two ids are equal when their values have the same type and are equal, and they lie in the
/// same scopes: `1` and `UInt8(1)` are different ids, and so are the `"search"` of one row and that of another.
///
/// - Isolation: a value; usable from any thread.
/// - Complexity: making an id hashes the value once and allocates once. Hashing an id again is O(1), comparing two
///   different ids almost always O(1), comparing equal ones O(depth of scopes).
/// - Origin: cancellation ids of Combine-based architectures; nesting by scope follows OTP's supervision paths.
public struct EffectID: Sendable {
  package let head: Component

  package init(head: Component) {
    self.head = head
  }

  /// Makes an id of any hashable value. An `EffectID` is used as it is, and an optional by its value.
  ///
  /// A key path can be one as well: it is the scope of the child that ``Scope``, `ifLet` or `forEach` puts there.
  ///
  /// - Parameter value: what ids are compared by, together with its type: `1` and `"1"` are different ids.
  public init<Value: Hashable & Sendable>(_ value: Value) {
    // The comparison of types costs nothing where the type is known; a cast alone would cost time for every id.
    if Value.self == EffectID.self, let id = value as? EffectID {
      self = id
    } else if _isOptional(Value.self), let id = (value as? any OptionalID)?.wrappedID {
      self = id
    } else if Value.self is AnyClass, let path = value as? AnyKeyPath {
      head = TypedComponent(Position(path), inner: nil)
    } else {
      head = TypedComponent(value, inner: nil)
    }
  }

  /// The id of a value, or of the value in an optional; `nil` if the optional is empty.
  @usableFromInline
  package static func unwrapping<Value: Hashable & Sendable>(_ value: Value) -> EffectID? {
    // `_isOptional` is checked first: a cast looks up a conformance, which takes longer than making the id.
    guard _isOptional(Value.self), let optional = value as? any OptionalID else { return EffectID(value) }
    return optional.wrappedID
  }

  /// Makes an id of a type, for features that have one kind of work each: `EffectID(type: Search.self)`.
  ///
  /// - Parameter type: the type. Two types with one name, for example in two functions, make two ids.
  public init(type: any Any.Type) {
    head = TypedComponent(TypeName(type), inner: nil)
  }

  /// The value this id was made of, without its scopes, if it has type `Value`.
  ///
  /// - Complexity: O(depth of scopes).
  /// - Parameter type: the type to ask for; usually inferred.
  /// - Returns: the value, and `nil` if it has another type.
  public func value<Value>(as type: Value.Type = Value.self) -> Value? {
    leaf.erased as? Value
  }

  /// The same name inside a scope: the id that `effect.scoped(scope)` gives to a run named `self`.
  ///
  /// - Complexity: O(depth of `scope`).
  /// - Parameter scope: the outer id: any hashable value, or an `EffectID` that may itself lie in scopes.
  /// - Returns: the id inside of `scope`. The receiver's own scopes stay the inner ones.
  public func scoped(by scope: some Hashable & Sendable) -> EffectID { inside(EffectID(scope)) }

  /// The same for a scope that is an id already.
  func inside(_ scope: EffectID) -> EffectID { EffectID(head: scope.head.prepended(to: head)) }

  /// The same id, with the line that used it in a `cancel`. It is equal to this one, and a look-up treats both alike.
  func at(_ fileID: StaticString, _ line: UInt) -> EffectID {
    EffectID(head: SitedComponent(head, site: CallSite(fileID: fileID, line: line)))
  }

  /// The same id for a `cancel` that a higher-order reducer adds: it is normal that such a `cancel` matches nothing
  /// (rule V1).
  var implied: EffectID {
    EffectID(head: SitedComponent(head, site: nil))
  }

  /// Whether the id is one of a `cancel` that a higher-order reducer has added.
  package var isImplied: Bool {
    var node: Component? = head
    while let next = node {
      if next.isImplied { return true }
      node = next.inner
    }
    return false
  }

  /// The line of the `cancel` that the id was given to.
  package var site: CallSite? {
    var node: Component? = head
    while let next = node {
      if let site = next.site { return site }
      node = next.inner
    }
    return nil
  }

  /// The last component: the name a run was given, without the scopes around it.
  package var leaf: Component {
    var node = head
    while let inner = node.inner { node = inner }
    return node
  }
}

extension EffectID: Hashable {
  /// Compares the values and the scopes around them.
  public static func == (left: EffectID, right: EffectID) -> Bool {
    var (a, b) = (left.head, right.head)
    while a !== b {
      guard a.pathHash == b.pathHash, a.isSameName(as: b) else { return false }
      guard let nextA = a.inner, let nextB = b.inner else { return a.inner == nil && b.inner == nil }
      (a, b) = (nextA, nextB)
    }
    return true
  }

  /// Feeds the hash that was computed when the id was made.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(head.pathHash)
  }
}

extension EffectID: ExpressibleByStringLiteral {
  /// Makes an id of a string literal; the same as `EffectID("...")`.
  ///
  /// - Parameter value: the literal.
  public init(stringLiteral value: String) {
    head = TypedComponent(value, inner: nil)
  }
}

extension EffectID: CustomStringConvertible {
  /// The values from the outermost scope to the name: `"rows"/3/"search"`.
  public var description: String {
    var text = head.text
    var next = head.inner
    while let node = next {
      text += "/" + node.text
      next = node.inner
    }
    return text
  }
}

private protocol OptionalID {
  var wrappedID: EffectID? { get }
}

extension Optional: OptionalID where Wrapped: Hashable {
  fileprivate var wrappedID: EffectID? {
    guard let value = self else { return nil }
    if let optional = value as? any OptionalID { return optional.wrappedID }
    if let id = value as? EffectID { return id }
    if let path = value as? AnyKeyPath { return EffectID(position: path) }
    return EffectID(head: TypedComponent(value, inner: nil))
  }
}

/// A metatype is not `Hashable`; this is, and prints as the type.
private struct TypeName: Hashable, Sendable, CustomStringConvertible {
  let identity: ObjectIdentifier
  let description: String

  init(_ type: any Any.Type) {
    identity = ObjectIdentifier(type)
    description = ValueDescription.of(type)
  }

  static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }
  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
