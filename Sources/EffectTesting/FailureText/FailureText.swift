// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// The texts of all failures and notes: what was expected, what happened, where, and what to write next.
///
/// Here is what texts have in common. The texts about test stores and explorations are in their folders.
enum FailureText {
  /// An action inside a sentence: enough to recognise it.
  static func brief(_ action: any Sendable) -> String { ValueText.of(action, limit: 120) }

  /// A value as it can be written into the test, if it is short.
  static func code(_ value: any Sendable) -> String? { SwiftLiteral.of(value, limit: 100).code }

  /// The predicate of a step, as code, that accepts actions of the same case; `nil` if the name of the case is not known.
  static func predicate(_ action: any Sendable) -> String? {
    SwiftNames.pattern(of: action).map { "where: { if case \($0) = $0 { true } else { false } }" }
  }

  /// The step that receives an action; `nil` if it cannot be written.
  static func receive(_ action: any Sendable, _ change: ChangeCode) -> StepCode? {
    guard
      let argument = (action is any Equatable ? code(action) : nil) ?? SwiftNames.ofCase(action) ?? predicate(action)
    else { return nil }
    return StepCode("await store.receive(\(argument))", change)
  }

  static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
  }

  /// A run and the line that built it. Values are printed as everywhere in these texts.
  static func place(_ run: EffectRun) -> String {
    var parts: [String] = []
    if let id = run.id { parts.append("\(id)") }
    if let input = run.input { parts.append("input: \(ValueText.of(input))") }
    if let name = run.name { parts.append("name: \(ValueText.of(name))") }
    if run.overlap != .concurrent { parts.append("overlap: \(run.overlap)") }
    return "run(\(parts.joined(separator: ", ")))\(run.timing?.description ?? "") at \(run.site)"
  }

  /// Lines below one another, at most twenty. Equal lines in succession are shown once, with their count.
  static func shown(_ lines: [String], others: Int = 0) -> String {
    var folded: [(line: String, count: Int)] = []
    for line in lines {
      if folded.last?.line == line { folded[folded.count - 1].count += 1 } else { folded.append((line, 1)) }
    }
    let shown = folded.prefix(20).map { $0.count == 1 ? "  \($0.line)" : "  \($0.line) (\($0.count) times)" }
    let rest = folded.dropFirst(20).reduce(others) { $0 + $1.count }
    return (shown + (rest > 0 ? ["  … and \(rest) more"] : [])).joined(separator: "\n")
  }

  /// An id as it is written into the test, if it is made of strings, values of `Int` and cases of enums.
  static func code(_ id: EffectID) -> String? {
    guard var names = codes(ofNamesIn: id), let name = names.popLast() else { return nil }
    if names.isEmpty { return name }
    var text = "EffectID(\(name))"
    for scope in names.reversed() { text += ".scoped(by: EffectID(\(scope)))" }
    return text
  }

  /// Likewise as it is written beside `other`: in the same scope without the scope.
  static func code(_ id: EffectID, beside other: EffectID) -> String? {
    guard let names = codes(ofNamesIn: id), let others = codes(ofNamesIn: other) else { return nil }
    return names.dropLast() == others.dropLast() ? names.last : code(id)
  }

  /// The names of an id and of its scopes, from the outermost one on.
  private static func codes(ofNamesIn id: EffectID) -> [String]? {
    var names: [String] = []
    var next: EffectID.Component? = id.head
    while let component = next {
      guard let name = code(ofName: component.erased) else { return nil }
      names.append(name)
      next = component.inner
    }
    return names
  }

  /// The value of a name. As an argument of any type, a number would be an `Int`, and a case needs its type.
  private static func code(ofName value: Any) -> String? {
    guard let code = SwiftLiteral.of(value, limit: value is String ? .max : 60).code else { return nil }
    if value is String || value is Int { return code }
    return Mirror(reflecting: value).displayStyle == .enum ? SwiftNames.ofType(type(of: value)) + code : nil
  }

  /// Likewise where an `EffectID` is needed, which a number or a case alone is not.
  static func argument(_ id: EffectID) -> String? {
    code(id).map { $0.hasPrefix("\"") || $0.hasPrefix("EffectID(") ? $0 : "EffectID(\($0))" }
  }
}
