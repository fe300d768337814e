// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Names as they are written in code.
enum SwiftNames {
  /// Whether a name needs no backticks, keywords aside.
  static func isIdentifier(_ text: String) -> Bool {
    // Swift also allows all scalars above the basic plane, which emoji are.
    func isAllowed(_ scalar: Unicode.Scalar, _ isOfUnicode: Bool) -> Bool {
      scalar == "_" || isOfUnicode || scalar.value > 0xFFFF
    }
    guard let first = text.unicodeScalars.first, isAllowed(first, first.properties.isXIDStart) else { return false }
    return text.unicodeScalars.allSatisfy { isAllowed($0, $0.properties.isXIDContinue) }
  }

  /// Whether a test can write the name of a stored property. The compiler names the storage of a wrapper `_name`, and that of
  /// a lazy property `$__lazy_storage_$_name`. Reflection shows a name that is no identifier in its backticks.
  static func isWritable(_ name: String) -> Bool { !name.hasPrefix("_") && (isIdentifier(name) || name.hasPrefix("`")) }

  /// A name behind a dot, in backticks if it means something else there without them. Other keywords need none.
  static func member(_ name: String) -> String {
    ["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : spaced(name)
  }

  /// The label of an argument, in backticks if it needs them. Other keywords need none.
  static func argumentLabel(_ name: String) -> String { name == "inout" ? "`inout`" : spaced(name) }

  /// A name as it is in the source. In the name that reflection shows, the spaces are those that do not break a line.
  private static func spaced(_ name: String) -> String {
    name.hasPrefix("`") ? name.replacing("\u{A0}", with: " ") : name
  }

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
      let name = payload.label, isWritable(name)
    else { return nil }
    // `receive` cannot read it, either.
    guard ReflectedType.obstacle(in: ReflectedType.stored(payload.value)) == nil else { return nil }
    let parts = Mirror(reflecting: payload.value)
    guard parts.displayStyle != .tuple || parts.children.count <= 3 else { return nil }
    // Without the module. A local or generic type has no such name.
    let type = String(reflecting: type(of: value)).split(separator: ".").dropFirst()
    guard !type.isEmpty, type.allSatisfy({ isIdentifier(String($0)) }) else { return nil }
    let labels =
      isOverloaded(name, in: value) ? "(\(labels(of: payload.value).map { "\($0.map(spaced) ?? "_"):" }.joined()))" : ""
    return "\(type.joined(separator: ".")).\(member(name))\(labels)"
  }

  /// The name of the case of a value, with its dot, as a pattern: `.found`. `nil` if it is not known, or if another case has the
  /// same name: a pattern with labels may match that one as well.
  static func pattern(of value: Any) -> String? {
    if let label = Mirror(reflecting: value).children.first?.label, isOverloaded(label, in: value) { return nil }
    return caseName(of: value)
  }

  /// Whether the type of a value has several cases of this name, with different labels.
  private static func isOverloaded(_ name: String, in value: Any) -> Bool {
    (DeclaredField.all(of: type(of: value)) ?? []).count { $0.name == name } > 1
  }

  /// The labels of the values of a case.
  private static func labels(of payload: Any) -> [String?] {
    let parts = Mirror(reflecting: payload)
    return parts.displayStyle == .tuple ? parts.children.map { label($0.label) } : [nil]
  }

  /// The name of the case of a value, with its dot: `.found`. `nil` if that is not known.
  static func caseName(of value: Any) -> String? {
    guard Mirror(reflecting: value).displayStyle == .enum, !(value is any CustomReflectable) else { return nil }
    if let payload = Mirror(reflecting: value).children.first {
      return payload.label.flatMap { isWritable($0) ? ".\(member($0))" : nil }
    }
    // The name of a case without payload is only in the description, if the type does not define its own description.
    if value is any CustomStringConvertible || value is any CustomDebugStringConvertible { return nil }
    let name = "\(value)"
    return isIdentifier(name) ? ".\(member(name))" : nil
  }
}
