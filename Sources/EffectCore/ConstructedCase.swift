// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// A case of an enum, identified by the function that makes it, such as `Search.Action.found`.
///
/// An enum has no list of its cases, and functions cannot be compared. So the function is called once with a value, and what
/// it makes is read by reflection: the name of the case, and the form of its payload. From then on only the names are compared,
/// and the payload is cast to the type that the function takes.
///
/// - Isolation: may be used from any thread. Two threads that learn the case at the same time learn the same.
package final class ConstructedCase<Root, Value>: Sendable {
  private let learnt = AtomicLazyReference<CaseShape>()

  package init() {}

  /// Why reflection cannot read such a case, whatever function makes it; `nil` if it can.
  package static var obstacle: CaseFault? {
    if Root.self is any CustomReflectable.Type, !(Root.self is any OptionalType.Type) { return .hasCustomMirror }
    return ReflectedType.obstacle(in: Value.self)
  }

  /// The payload; `nil` if the root is of another case. Calls the function if the case is not known yet, and in a
  /// debug build.
  ///
  /// - Complexity: O(1), but some microseconds and allocations for what is reflected.
  package func payload(of root: Root, madeBy make: (Value) -> Root) throws(CaseFault) -> Value? {
    if learnt.load() == nil, let obstacle = Self.obstacle { throw obstacle }
    guard let content = try Self.content(of: root) else { return nil }
    guard let shape = learnt.load() else {
      // The type decides nothing here: any value will do to learn what the function makes.
      guard let value = Self.value(in: content.value) else { return nil }
      let shape = try learn(from: make(value), madeOf: value)
      return try payload(in: content, of: shape, madeBy: make)
    }
    return try payload(in: content, of: shape, madeBy: make)
  }

  /// Notes what the function has made, if the case is not known yet. In a debug build it checks that each time.
  package func check(_ root: Root, madeOf value: Value) throws(CaseFault) {
    if learnt.load() == nil {
      if let obstacle = Self.obstacle { throw obstacle }
      _ = try learn(from: root, madeOf: value)
    } else if isChecked {
      _ = try learn(from: root, madeOf: value)
    }
  }

  private func payload(
    in content: Mirror.Child, of shape: CaseShape, madeBy make: (Value) -> Root
  ) throws(CaseFault) -> Value? {
    guard content.label == shape.name else { return nil }
    let stored = ReflectedType.stored(content.value)
    guard shape.tuple == nil || shape.tuple == stored else { return nil }
    // A tuple of one element is no value, but a payload with a label: another case of this name.
    guard shape.isLabelled || ReflectedType.count(of: stored) != 1 else { return nil }
    guard let value = shape.isLabelled ? Self.only(in: content.value) : content.value as? Value else { return nil }
    if isChecked { _ = try learn(from: make(value), madeOf: value) }
    return value
  }

  /// What the function makes, of a value. Throws if that is no case, or another one than before.
  private func learn(from root: Root, madeOf value: Value) throws(CaseFault) -> CaseShape {
    let shape = try Self.shape(of: root, madeOf: value)
    let known = learnt.storeIfNil(shape)
    guard known.name == shape.name, known.tuple == shape.tuple, known.isLabelled == shape.isLabelled else {
      throw .makesSeveral(known.name, shape.name)
    }
    return known
  }

  private static func shape(of root: Root, madeOf value: Value) throws(CaseFault) -> CaseShape {
    let made = try content(of: root)
    guard type(of: root as Any) == Root.self else { throw .isNoEnum }
    guard let content = made, let name = content.label else { throw .makesNoPayload }
    // Behind `Any` the types are those of the values, for a class and a protocol as well.
    let (outer, given) = (type(of: content.value), type(of: value as Any))
    let isTuple = ReflectedTuple.elements(of: content.value) != nil
    if outer == given {
      guard !ReflectedTuple.differ(content.value, value) else { throw .changesValue(name) }
      return CaseShape(name: name, tuple: isTuple && outer == Value.self ? outer : nil, isLabelled: false)
    }
    if let only = ReflectedTuple.elements(of: content.value, count: 1)?.first, type(of: only) == given {
      guard !ReflectedTuple.differ(only, value) else { throw .changesValue(name) }
      return CaseShape(name: name, tuple: outer, isLabelled: true)
    }
    // A tuple with other labels than the payload.
    guard ReflectedTuple.haveEqualElements(content.value, value) else { throw .makesOther(name, "\(outer)") }
    guard !ReflectedTuple.differ(content.value, value) else { throw .changesValue(name) }
    return CaseShape(name: name, tuple: outer, isLabelled: false)
  }

  /// The payload as a value of the type that the function takes, if it can be cast to it. A tuple of one element is a labelled
  /// value, and not itself a value, although it can be cast to `Any`.
  private static func value(in payload: Any) -> Value? {
    let stored = ReflectedType.stored(payload)
    // It may be the payload of another case, which must not be touched. If it is a metatype in an `Any`, any value will do.
    guard ReflectedType.obstacle(in: stored) != .isMetatype else { return () as? Value }
    return ReflectedType.count(of: stored) == 1 ? only(in: payload) : payload as? Value
  }

  /// The value of a payload that is one labelled value.
  private static func only(in payload: Any) -> Value? {
    Mirror(reflecting: payload).children.first.flatMap { $0.value as? Value }
  }

  /// The name of the case and its payload; `nil` for a case without payload.
  private static func content(of root: Root) throws(CaseFault) -> Mirror.Child? {
    let mirror = Mirror(reflecting: root)
    guard mirror.displayStyle == .enum || mirror.displayStyle == .optional else { throw .isNoEnum }
    return mirror.children.first
  }

  /// Whether what the function makes is compared each time: in a debug build.
  private var isChecked: Bool {
    var isChecked = false
    assert(
      {
        isChecked = true
        return true
      }())
    return isChecked
  }
}

/// What there is to know about a case. Not inside of the generic class, because its metadata would be looked up each time.
private final class CaseShape: Sendable {
  let name: String
  /// The type of a payload that is a tuple, with its labels. They distinguish `row(id:)` from `row(name:)`. Not known for a
  /// payload of a class or a protocol, because reflection shows the type that the value has.
  let tuple: Any.Type?
  /// Whether the payload is one labelled value, which is reflected as a tuple of one element.
  let isLabelled: Bool

  init(name: String, tuple: Any.Type?, isLabelled: Bool) {
    (self.name, self.tuple, self.isLabelled) = (name, tuple, isLabelled)
  }
}

/// Why a function cannot identify a case.
package enum CaseFault: Error, Equatable, CustomStringConvertible {
  case hasCustomMirror, isFunction, isMetatype, isNoEnum
  case makesNoPayload
  case makesOther(String, String)
  case makesSeveral(String, String)
  case changesValue(String)

  package var description: String {
    switch self {
    case .hasCustomMirror: "reflection does not show the cases of a type with a `customMirror`"
    case .isFunction: "reflection cannot read a function"
    case .isMetatype: "reflection cannot read a metatype such as `Int.Type`"
    case .isNoEnum: "the function does not make an enum"
    case .makesNoPayload: "the function makes a value without payload"
    case .makesOther(let name, let type): "the function makes the case `\(name)`, whose payload is of type \(type)"
    case .makesSeveral(let former, let name) where former == name:
      "the function makes several cases with the name `\(name)`"
    case .makesSeveral(let former, let name): "the function makes the case `\(former)`, and also `\(name)`"
    case .changesValue(let name): "the function makes the case `\(name)` of another value than it is given"
    }
  }
}

/// Tuples, which are only known by reflection.
private enum ReflectedTuple {
  /// The elements of a tuple, if it has this many; `nil` for another value.
  static func elements(of value: Any, count: Int? = nil) -> [Any]? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .tuple, count == nil || mirror.children.count == count else { return nil }
    return mirror.children.map(\.value)
  }

  /// Whether both are tuples whose elements have the same types. Labels do not count.
  static func haveEqualElements(_ left: Any, _ right: Any) -> Bool {
    guard let left = elements(of: left), let right = elements(of: right), left.count == right.count else {
      return false
    }
    return zip(left, right).allSatisfy { type(of: $0) == type(of: $1) || haveEqualElements($0, $1) }
  }

  /// Whether the values are known to differ. Values that cannot be compared are not.
  static func differ(_ left: Any, _ right: Any) -> Bool {
    if let left = elements(of: left), let right = elements(of: right) {
      return left.count != right.count || zip(left, right).contains { differ($0, $1) }
    }
    if let left = left as? any Equatable { return differ(left, right) }
    guard type(of: left) is AnyClass else { return false }
    return left as AnyObject !== right as AnyObject
  }

  private static func differ<Left: Equatable>(_ left: Left, _ right: Any) -> Bool {
    guard let right = right as? Left else { return true }
    return !Sameness.areSame(left, right)
  }
}
