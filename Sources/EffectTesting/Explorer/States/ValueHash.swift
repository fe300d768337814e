// This source file is part of swift-effects. License: Apache-2.0.

/// Adds values of users to a hash by their contents: states and actions, which need not be `Hashable`.
///
/// Equal contents give equal hashes. An object is hashed as the place at which it was met in the schedule, because what is
/// inside may be changed by others; see ``hasMetObjects``.
struct ValueHash {
  /// Whether a value contained an object or a closure: memory that runs may share.
  private(set) var hasMetObjects = false
  /// The objects that were met in this schedule. They are kept, so that no other object gets the address of one.
  private var objects: [ObjectIdentifier: (place: Int, object: AnyObject)] = [:]
  /// How the values of a type are read.
  private var plans: [ObjectIdentifier: Plan] = [:]

  private enum Plan {
    /// By its own hash: the type is of the standard library or Foundation, and contains nothing that a mirror must look for.
    case own
    /// By its parts.
    case parts
    /// By the value inside, of any type.
    case boxed
    /// By the place at which it was met.
    case object
  }

  /// The next schedule begins.
  mutating func reset() {
    hasMetObjects = false
    if !objects.isEmpty { objects.removeAll(keepingCapacity: true) }
  }

  /// Adds a value.
  ///
  /// - Complexity: O(size), by reflection unless the type is a plain one of the standard library or Foundation.
  mutating func add(_ value: Any, to hasher: inout Hasher) {
    switch plan(of: type(of: value)) {
    case .own:
      if let value = value as? any Hashable { value.hash(into: &hasher) }
    case .object:
      add(value as AnyObject, to: &hasher)
    case .boxed:
      if let value = value as? AnyHashable { add(value.base, to: &hasher) }
    case .parts:
      hasher.combine(ObjectIdentifier(type(of: value)))
      addParts(of: value, to: &hasher)
    }
  }

  private mutating func add(_ object: AnyObject, to hasher: inout Hasher) {
    hasMetObjects = true
    let place = objects[ObjectIdentifier(object)]?.place ?? objects.count
    objects[ObjectIdentifier(object)] = (place, object)
    hasher.combine(place)
  }

  private mutating func addParts(of value: Any, to hasher: inout Hasher) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .set, .dictionary:
      guard value is any PlainCollection else { return addChildren(of: mirror, to: &hasher) }
      // Equal ones may have different orders.
      var sum = 0
      for child in mirror.children {
        var own = Hasher()
        add(child.value, to: &own)
        sum &+= own.finalize()
      }
      hasher.combine(sum)
    case .collection, .optional: addChildren(of: mirror, to: &hasher)
    // A mirror that the type makes itself may leave out parts. They are like memory that cannot be seen.
    case _ where value is any CustomReflectable:
      hasMetObjects = true
      addChildren(of: mirror, to: &hasher)
    case .enum where mirror.children.isEmpty:
      // The name of the case, unless the type describes itself in other words.
      if value is any CustomStringConvertible || value is any CustomDebugStringConvertible {
        hasher.combine(Self.hash(ofBytesOf: value))
      } else {
        hasher.combine("\(value)")
      }
    case nil where mirror.children.isEmpty:
      if let value = value as? any Hashable { return value.hash(into: &hasher) }
      // A closure, whose memory cannot be seen.
      hasMetObjects = true
    default: addChildren(of: mirror, to: &hasher)
    }
  }

  private mutating func addChildren(of mirror: Mirror, to hasher: inout Hasher) {
    hasher.combine(mirror.children.count)
    for child in mirror.children {
      if mirror.displayStyle == .enum { hasher.combine(child.label) }
      add(child.value, to: &hasher)
    }
  }

  /// Tells the cases of an enum without a payload apart. A generic one may be hashed in several ways, which makes more states.
  private static func hash(ofBytesOf value: Any) -> Int {
    func hash<Value>(_ value: Value) -> Int {
      var hasher = Hasher()
      // SAFETY: only reads the bytes of the value. Such a case has no reference in them.
      unsafe withUnsafeBytes(of: value) { unsafe hasher.combine(bytes: $0) }
      return hasher.finalize()
    }
    return _openExistential(value, do: hash)
  }

  private mutating func plan(of type: Any.Type) -> Plan {
    if let known = plans[ObjectIdentifier(type)] { return known }
    let plan: Plan =
      type is AnyClass ? .object : type == AnyHashable.self ? .boxed : Self.hasOwnHash(type) ? .own : .parts
    plans[ObjectIdentifier(type)] = plan
    return plan
  }

  /// Whether each value of a type is a plain value with a hash of its own.
  private static func hasOwnHash(_ type: Any.Type) -> Bool {
    guard type is any Hashable.Type, type != AnyHashable.self else { return false }
    if let type = type as? any PlainCollection.Type { return type.parts.allSatisfy(hasOwnHash) }
    let name = String(reflecting: type)
    return !name.contains("<") && modules.contains { name.hasPrefix($0) }
  }

  private static let modules = ["Swift.", "Foundation.", "FoundationEssentials.", "EffectCore."]
}

/// A generic type of the standard library whose values contain values of these types, and nothing else.
private protocol PlainCollection {
  static var parts: [Any.Type] { get }
}

extension Array: PlainCollection { static var parts: [Any.Type] { [Element.self] } }
extension Set: PlainCollection { static var parts: [Any.Type] { [Element.self] } }
extension Dictionary: PlainCollection { static var parts: [Any.Type] { [Key.self, Value.self] } }
extension Range: PlainCollection { static var parts: [Any.Type] { [Bound.self] } }
extension ClosedRange: PlainCollection { static var parts: [Any.Type] { [Bound.self] } }
