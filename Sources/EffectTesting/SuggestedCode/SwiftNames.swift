// This source file is part of swift-effects. License: Apache-2.0.

/// Names as they are written in code.
enum SwiftNames {
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
    return text.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// A name behind a dot, in backticks if it means something else there without them. Other keywords need none.
  static func member(_ name: String) -> String {
    ["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : name
  }

  /// The label of an argument, in backticks if it needs them. Other keywords need none.
  static func argumentLabel(_ name: String) -> String { name == "inout" ? "`inout`" : name }

  /// A type with the types around it, without its module: `Search.Action`, `Array<Feed.Item>`.
  static func ofType(_ type: Any.Type) -> String {
    String(reflecting: type)
      // These stand before the name of a private or local type, and of a type that an extension contains.
      .replacing(#/\(unknown context at [^)]*\)\./#, with: "")
      .replacing(#/\(extension in [^)]*\):/#, with: "")
      .replacing(#/(^|[^\w.])[A-Za-z_]\w*\./#) { "\($0.1)" }
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
    return "\(type.joined(separator: ".")).\(member(name))"
  }
  /// The name of the case of a value, with its dot: `.found`. `nil` if that is not known.
  static func caseName(of value: Any) -> String? {
    guard Mirror(reflecting: value).displayStyle == .enum, !(value is any CustomReflectable) else { return nil }
    if let payload = Mirror(reflecting: value).children.first {
      return payload.label.flatMap { isIdentifier($0) ? ".\(member($0))" : nil }
    }
    // The name of a case without payload is only in the description, if the type does not define its own description.
    if value is any CustomStringConvertible || value is any CustomDebugStringConvertible { return nil }
    let name = "\(value)"
    return isIdentifier(name) ? ".\(member(name))" : nil
  }
}
