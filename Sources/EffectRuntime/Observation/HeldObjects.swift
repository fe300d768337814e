// This source file is part of swift-effects. License: Apache-2.0.

/// Finds values that may equal themselves although their content has changed: objects, and values of the standard
/// library that hold objects.
enum HeldObjects {
  /// Whether a field with this value may hold an object. A type defined by the user is not examined: its `==` counts.
  static func mayBe<Value>(in value: Value) -> Bool {
    // An `AnyHashable` may hold a value now and an object later. The two are not equal, so only the present value counts.
    if Value.self == AnyHashable.self, let erased = value as? AnyHashable { return areIn(type(of: erased.base)) }
    return areIn(Value.self)
  }

  fileprivate static func areIn(_ type: Any.Type) -> Bool {
    if type is AnyObject.Type || type == AnyHashable.self { return true }
    return (type as? any ObjectHolder.Type)?.holdsObjects ?? false
  }
}

/// A type of the standard library that holds values of other types.
private protocol ObjectHolder {
  static var holdsObjects: Bool { get }
}

extension Optional: ObjectHolder { static var holdsObjects: Bool { HeldObjects.areIn(Wrapped.self) } }
extension Array: ObjectHolder { static var holdsObjects: Bool { HeldObjects.areIn(Element.self) } }
extension ArraySlice: ObjectHolder { static var holdsObjects: Bool { HeldObjects.areIn(Element.self) } }
extension ContiguousArray: ObjectHolder { static var holdsObjects: Bool { HeldObjects.areIn(Element.self) } }
extension CollectionOfOne: ObjectHolder { static var holdsObjects: Bool { HeldObjects.areIn(Element.self) } }
extension Set: ObjectHolder { static var holdsObjects: Bool { HeldObjects.areIn(Element.self) } }
extension Dictionary: ObjectHolder {
  static var holdsObjects: Bool { HeldObjects.areIn(Key.self) || HeldObjects.areIn(Value.self) }
}
extension Result: ObjectHolder {
  static var holdsObjects: Bool { HeldObjects.areIn(Success.self) || HeldObjects.areIn(Failure.self) }
}
