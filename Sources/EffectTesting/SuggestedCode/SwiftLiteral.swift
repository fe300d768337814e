// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// Writes values as code that makes an equal value where the type is known: `"swift"`, `[1, 2]`, `.failed(code: 404)`,
/// `.init(id: 1, title: "a")`.
///
/// A struct is written by the initializer that the compiler makes for it, because reflection shows no other. Objects,
/// closures, and types whose parts reflection does not show cannot be written.
struct SwiftLiteral {
  /// The most bytes of the code in UTF-8. Writing stops when the code is longer.
  private let limit: Int
  private var text = ""

  /// How a value is written.
  enum Result: Equatable {
    case code(String)
    /// The code would be longer than the limit.
    case tooLong
    /// There is no such code.
    case none

    var code: String? { if case .code(let text) = self { text } else { nil } }
  }

  private enum Obstacle: Error { case tooLong, unwritable }

  /// Writes a value as code of at most `limit` bytes in UTF-8.
  ///
  /// `isErased`: where the code stands, the type is `any P`. Then the value needs the name of its own type.
  ///
  /// - Complexity: O(limit) for values of which parts are written in order; sets and dictionaries are read as a whole.
  static func of(_ value: Any, limit: Int = 500, isErased: Bool = false) -> Result {
    var writer = SwiftLiteral(limit: limit)
    do throws(Obstacle) { try writer.write(value, depth: 0, isErased: isErased) } catch {
      return error == .tooLong ? .tooLong : .none
    }
    return .code(writer.text)
  }

  private init(limit: Int) {
    self.limit = limit
  }

  private mutating func add(_ part: String) throws(Obstacle) {
    text += part
    if text.utf8.count > limit { throw .tooLong }
  }

  private mutating func write(_ value: Any, depth: Int, isErased: Bool = false) throws(Obstacle) {
    guard depth < 20 else { throw .tooLong }
    if isErased { return try writeErased(value, depth) }
    if let known = try Self.scalar(value, limit: limit) { return try add(known) }
    let mirror = Mirror(reflecting: value)
    // An optional stack is cast to a stack as well.
    if mirror.displayStyle == .struct, let stack = value as? any AnyChildStack {
      // Only the ids of a new stack can be written.
      let first = type(of: stack).firstNumber
      guard stack.ids.map(\.number).elementsEqual(first..<first + stack.ids.count) else { throw .unwritable }
      return try add(
        ".init([\(stack.anyElements.map { element throws(Obstacle) in try part(element, depth) }.joined(separator: ", "))])"
      )
    }
    switch mirror.displayStyle {
    case .optional:
      guard let wrapped = mirror.children.first else { return try add("nil") }
      let code = try part(wrapped.value, depth)
      // Outside of `.some(...)`, `.none` and `.some` are cases of the optional itself, whatever it contains.
      let name = code.prefix { $0 != "(" }
      let isNested = Mirror(reflecting: wrapped.value).displayStyle == .optional
      try add(isNested || name == ".none" || name == ".some" ? ".some(\(code))" : code)
    case .collection:
      guard let type = type(of: value) as? any SwiftArray.Type else { throw .unwritable }
      try writeList(mirror.children.lazy.map { (nil, $0.value, type.hasErasedElements) }, "[", "]", depth)
    case .set where value is any SwiftSet:
      let members = try Array(mirror.children).map { child throws(Obstacle) in try part(child.value, depth) }
      try add("[\(members.sorted().joined(separator: ", "))]")
    case .dictionary:
      guard let type = type(of: value) as? any SwiftDictionary.Type else { throw .unwritable }
      let pairs = try Array(mirror.children).map { child throws(Obstacle) in
        let parts = Array(Mirror(reflecting: child.value).children)
        guard parts.count == 2 else { throw .unwritable }
        return "\(try part(parts[0].value, depth)): \(try part(parts[1].value, depth, isErased: type.hasErasedValues))"
      }
      try add(pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]")
    case .tuple:
      try writeList(mirror.children.map { (SwiftNames.label($0.label), $0.value, false) }, "(", ")", depth)
    case .enum where Self.showsItsParts(value):
      try writeCase(value, mirror, depth)
    case .struct where Self.showsItsParts(value):
      try writeStruct(value, mirror, depth)
    default:
      throw .unwritable
    }
  }

  private func part(_ value: Any, _ depth: Int, isErased: Bool = false) throws(Obstacle) -> String {
    var writer = SwiftLiteral(limit: limit)
    try writer.write(value, depth: depth + 1, isErased: isErased)
    return writer.text
  }

  /// Writes a value where the type is `any P`.
  private mutating func writeErased(_ value: Any, _ depth: Int) throws(Obstacle) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      guard let wrapped = mirror.children.first else { return try add("nil") }
      try write(wrapped.value, depth: depth + 1, isErased: true)
    case .enum, .struct:
      // Their code begins with a dot, unless it is a literal of another kind.
      let code = try part(value, depth)
      guard code.hasPrefix(".") else { fallthrough }
      try add(SwiftNames.ofType(type(of: value)) + code)
    default:
      // These literals have these types where no other type is known.
      guard value is Int || value is String || value is Bool || value is Double else { throw .unwritable }
      if let number = value as? Double, !number.isFinite {
        return try add("\(number < 0 ? "-" : "")Double.\(number.isNaN ? "nan" : "infinity")")
      }
      try write(value, depth: depth + 1)
    }
  }

  private mutating func writeList(
    _ parts: some Sequence<(label: String?, value: Any, isErased: Bool)>, _ opening: String, _ closing: String,
    _ depth: Int
  ) throws(Obstacle) {
    try add(opening)
    var isFirst = true
    for part in parts {
      if !isFirst { try add(", ") }
      isFirst = false
      if let label = part.label { try add("\(SwiftNames.argumentLabel(label)): ") }
      try write(part.value, depth: depth + 1, isErased: part.isErased)
    }
    try add(closing)
  }

  private mutating func writeCase(_ value: Any, _ mirror: Mirror, _ depth: Int) throws(Obstacle) {
    guard let payload = mirror.children.first else {
      guard let name = SwiftNames.caseName(of: value) else { throw .unwritable }
      return try add(name)
    }
    guard let name = SwiftNames.caseName(of: value) else { throw .unwritable }
    let parts = Mirror(reflecting: payload.value)
    try add(name)
    if parts.displayStyle == .tuple, !parts.children.isEmpty {
      try write(payload.value, depth: depth + 1)
    } else {
      try writeList([(nil, payload.value, false)], "(", ")", depth)
    }
  }

  private mutating func writeStruct(_ value: Any, _ mirror: Mirror, _ depth: Int) throws(Obstacle) {
    for child in mirror.children {
      // With a property wrapper, a lazy property or a private property, the test cannot call such an initializer.
      guard let label = child.label, SwiftNames.isWritable(label),
        !SwiftNames.isHidden(type(of: child.value), in: type(of: value))
      else { throw .unwritable }
    }
    let properties = DeclaredField.all(of: type(of: value)) ?? []
    let parts = mirror.children.enumerated().map { index, child in
      (
        label: child.label, value: child.value,
        isErased: properties.indices.contains(index) && properties[index].isErased
      )
    }
    try writeList(parts, ".init(", ")", depth)
  }

  /// Whether code that this type has written calls an initializer.
  static func callsInitializer(_ code: String) -> Bool {
    code.replacing(#/"(?:[^"\\]|\\.)*"/#, with: "\"\"").contains(".init(")
  }

  /// A literal of a type, as an example of its values; `nil` if it is not known to have one.
  static func example(of type: Any.Type) -> String? {
    switch type {
    case is any ExpressibleByNilLiteral.Type: "nil"
    case is any ExpressibleByBooleanLiteral.Type: "false"
    case is any ExpressibleByIntegerLiteral.Type: "0"
    case is any ExpressibleByStringLiteral.Type: "\"\""
    case is any ExpressibleByArrayLiteral.Type: "[]"
    case is any ExpressibleByDictionaryLiteral.Type: "[:]"
    default: nil
    }
  }

  /// Whether the mirror of a struct or enum shows what it is made of.
  static func showsItsParts(_ value: Any) -> Bool {
    let name = String(reflecting: type(of: value))
    return !(value is any CustomReflectable) && !name.hasPrefix("Foundation")
      && (!name.hasPrefix("Swift.") || Mirror(reflecting: value).displayStyle == .enum)
  }

  /// The code of values that are written without reading their parts; `nil` for other values.
  private static func scalar(_ value: Any, limit: Int) throws(Obstacle) -> String? {
    switch value {
    case let value as String:
      // A long text is not copied.
      guard value.utf8.count <= limit else { throw .tooLong }
      return String(reflecting: value)
    case let value as Substring:
      guard value.utf8.count <= limit else { throw .tooLong }
      return String(reflecting: String(value))
    case let value as Character: return String(reflecting: String(value))
    case let value as Bool: return "\(value)"
    case let value as Double: return number(value)
    case let value as Float: return number(value)
    case let value as ChildStackID: return "\(value.number)"
    case let value as Duration: return duration(value)
    case let value as any FixedWidthInteger:
      return String(reflecting: type(of: value)).hasPrefix("Swift.") ? value.description : nil
    default: return nil
    }
  }

  /// A duration as in code: `.milliseconds(300)`.
  static func duration(_ duration: Duration) -> String {
    // More seconds than an `Int64` can hold have no components.
    guard duration.attoseconds.magnitude / 1_000_000_000_000_000_000 <= Int64.max else {
      return "Duration(attoseconds: \(duration.attoseconds))"
    }
    let (seconds, attoseconds) = duration.components
    let scales: [(unit: String, attoseconds: Int64)] = [
      ("seconds", 1_000_000_000_000_000_000), ("milliseconds", 1_000_000_000_000_000),
      ("microseconds", 1_000_000_000_000), ("nanoseconds", 1_000_000_000),
    ]
    // Decades with a fraction of a second may not fit into an `Int64` as nanoseconds.
    guard attoseconds == 0 || seconds.magnitude < 1_000_000_000,
      let scale = scales.first(where: { attoseconds % $0.attoseconds == 0 })
    else { return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))" }
    let whole = attoseconds == 0 ? seconds : seconds * (1_000_000_000_000_000_000 / scale.attoseconds)
    return ".\(scale.unit)(\(whole + attoseconds / scale.attoseconds))"
  }

  private static func number<Number: BinaryFloatingPoint & CustomStringConvertible>(_ value: Number) -> String {
    if value.isFinite { return value.description }
    // Any NaN is the same for a test.
    if value.isNaN { return ".nan" }
    return value < 0 ? "-.infinity" : ".infinity"
  }
}

/// Types of the standard library that are written as literals, and changed by their methods.
protocol SwiftArray {
  /// Whether the elements have the type `any P`.
  static var hasErasedElements: Bool { get }
}
extension Array: SwiftArray {
  // Parts of an array are collected as `[Any]`.
  static var hasErasedElements: Bool { Element.self != Any.self && DeclaredField.isExistential(Element.self) }
}
protocol SwiftSet {}
extension Set: SwiftSet {}
protocol SwiftDictionary {
  /// Whether an absent key and a key with the value `nil` differ.
  static var hasOptionalValues: Bool { get }
  /// Whether the values have the type `any P`.
  static var hasErasedValues: Bool { get }
}
extension Dictionary: SwiftDictionary {
  static var hasOptionalValues: Bool { _isOptional(Value.self) }
  static var hasErasedValues: Bool { DeclaredField.isExistential(Value.self) }
}
