// This source file is part of swift-effects. License: Apache-2.0.

/// Names as they are written in code.
enum SwiftNames {
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
    return text.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// The label of a part of a tuple; `nil` if it has none.
  static func label(_ label: String?) -> String? {
    // The compiler names the elements of a tuple that have no name `.0`, `.1`.
    guard let label, !label.hasPrefix(".") else { return nil }
    return label
  }

  /// Whether a type is private, and the type with a property of it is not. Then this property is private as well.
  static func isHidden(_ type: Any.Type, in container: Any.Type) -> Bool { isPrivate(type) && !isPrivate(container) }

  private static func isPrivate(_ type: Any.Type) -> Bool {
    String(reflecting: type).contains("(unknown context at ")
  }

  /// The case of an action with a payload, as `receive` takes it: `Search.Action.found`. `nil` if that is not known, or if
  /// the case has more values than `receive` takes.
  static func ofCase(_ value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, !(value is any CustomReflectable), let payload = mirror.children.first,
      let name = payload.label, isIdentifier(name)
    else { return nil }
    let parts = Mirror(reflecting: payload.value)
    guard parts.displayStyle != .tuple || parts.children.count <= 3 else { return nil }
    // Without the module. A local or generic type has no such name.
    let type = String(reflecting: type(of: value)).split(separator: ".").dropFirst()
    guard !type.isEmpty, type.allSatisfy({ isIdentifier(String($0)) }) else { return nil }
    return "\(type.joined(separator: ".")).\(name)"
  }
}
