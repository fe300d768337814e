// This source file is part of swift-effects. License: Apache-2.0.

/// A case of an action, identified by the function that makes it, such as `Search.Action.found`.
///
/// An enum has no list of its cases, and functions cannot be compared. So the payload is read by reflection and cast to the
/// type that the function takes. Then the function makes another action of it. Both actions are of the same case if their
/// labels and the types of their payloads are the same.
struct ActionCase<Action, Payload> {
  private let make: (Payload) -> Action
  private let cast: (Any) -> Payload?
  /// Whether the case has two or three values.
  let hasSeveralValues: Bool

  /// Why reflection cannot read such a case; `nil` if it can.
  static var obstacle: String? {
    if Action.self is any CustomReflectable.Type {
      return "reflection does not show the cases of a type with a `customMirror`"
    }
    // A function in an enum has another calling convention than the same function in an `Any`, and is not converted.
    let name = String(reflecting: Payload.self)
    if name.contains("->"), name.hasPrefix("(") || name.hasPrefix("@") { return "reflection cannot read a function" }
    return nil
  }

  /// The payload; `nil` if the action is of another case. Calls the function if the payload has its type.
  func payload(of action: Action) -> Payload? {
    guard let found = Self.content(of: action), let payload = cast(found.value),
      let rebuilt = Self.content(of: make(payload)), rebuilt.label == found.label,
      type(of: rebuilt.value) == type(of: found.value)
    else { return nil }
    return payload
  }

  /// The label of the case and its payload; `nil` for a case without payload, and for what is no enum.
  private static func content(of action: Action) -> Mirror.Child? {
    let mirror = Mirror(reflecting: action)
    return mirror.displayStyle == .enum ? mirror.children.first : nil
  }

  /// The elements of a tuple, if it has this many.
  private static func elements(of value: Any, count: Int) -> [Any]? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .tuple, mirror.children.count == count else { return nil }
    return mirror.children.map(\.value)
  }
}

extension ActionCase {
  /// A case of one value. A labelled one is reflected as a tuple of one element.
  init(_ make: @escaping (Payload) -> Action) {
    self.make = make
    hasSeveralValues = false
    cast = { value in
      if let only = Self.elements(of: value, count: 1)?.first { return only as? Payload }
      return value as? Payload
    }
  }

  /// A case of two values, with or without labels.
  init<First, Second>(_ make: @escaping (First, Second) -> Action) where Payload == (First, Second) {
    self.make = { make($0.0, $0.1) }
    hasSeveralValues = true
    cast = { value in
      guard let values = Self.elements(of: value, count: 2), let first = values[0] as? First,
        let second = values[1] as? Second
      else { return nil }
      return (first, second)
    }
  }

  /// A case of three values, with or without labels.
  init<First, Second, Third>(_ make: @escaping (First, Second, Third) -> Action)
  where Payload == (First, Second, Third) {
    self.make = { make($0.0, $0.1, $0.2) }
    hasSeveralValues = true
    cast = { value in
      guard let values = Self.elements(of: value, count: 3), let first = values[0] as? First,
        let second = values[1] as? Second, let third = values[2] as? Third
      else { return nil }
      return (first, second, third)
    }
  }
}
