// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// The code that turns one state into another, as the closure of a step contains it: `$0.query = "swift"`.
///
/// Reflection shows neither `private` and `private(set)` nor initializers. So a statement may set a property that the test
/// cannot set, or call an initializer that the type does not have. All other code is written only if it compiles.
struct ChangeCode {
  /// How many statements are written.
  private static let statementLimit = 20
  /// A collection whose literal is at most this long is assigned as a whole, instead of by several statements.
  private static let shortLimit = 60

  /// The statements. What is too long is a comment.
  private(set) var statements: [String] = []
  /// What has changed and cannot be written as code, each with the reason.
  private(set) var unwritten: [String] = []
  /// Where values are that are too long to be written, as code that reads them.
  private(set) var unshown: [String] = []

  init(from old: Any, to new: Any) {
    change(old, to: new, at: "$0", depth: 0)
    if statements.count > Self.statementLimit {
      statements.removeLast(statements.count - Self.statementLimit)
      addComment("… and more changes: `print(store.state)`")
    }
  }

  /// Whether nothing has changed.
  var isUnchanged: Bool { statements.isEmpty && unwritten.isEmpty }

  /// Whether there is no statement, or only comments.
  var isEmpty: Bool { statements.allSatisfy { $0.hasPrefix("//") } }

  /// The closure, on one line if it is one statement: `{ $0.count = 1 }`. Not for code that ``isEmpty``.
  var closure: String {
    if isOneLine { return "{ \(statements[0]) }" }
    return "{\n\(statements.map { "  \($0)" }.joined(separator: "\n"))\n}"
  }

  /// Whether a statement calls an initializer of a struct. It may not exist.
  var callsInitializer: Bool { statements.contains { !$0.hasPrefix("//") && SwiftLiteral.callsInitializer($0) } }

  /// How many characters the statements have.
  var length: Int { statements.reduce(0) { $0 + $1.count } }

  /// Whether the closure is written on one line. Not for code that ``isEmpty``, where the line may be a comment.
  var isOneLine: Bool { statements.count == 1 }

  /// Whether two values are equal. Values without `==` count as equal if reflection shows no difference.
  private static func isSame(_ old: Any, _ new: Any) -> Bool {
    if StateDifference.areEqual(old, new) { return true }
    if new is any Equatable || type(of: old) != type(of: new) { return false }
    return StateDifference(of: old, and: new).isEmpty
  }

  // MARK: - Writing

  private mutating func addComment(_ text: String) {
    // A description of the user's own may have several lines, and only the first one would be a comment.
    statements.append("// \(text.split(whereSeparator: \.isNewline).joined(separator: " "))")
  }

  private mutating func leaveOut(_ place: String, _ reason: String) {
    unwritten.append("`\(place)` (\(reason))")
  }

  /// `isErased`: the place is of the type `any P`.
  private mutating func change(_ old: Any, to new: Any, at place: String, depth: Int, isErased: Bool = false) {
    if Self.isSame(old, new) || statements.count > Self.statementLimit * 2 { return }
    if !isErased, changeParts(old, to: new, at: place, depth: depth) { return }
    assign(new, to: place, isErased: isErased)
  }

  /// `isOptional`: the place is an optional, and the value is not.
  private mutating func assign(_ value: Any, to place: String, isOptional: Bool = false, isErased: Bool = false) {
    switch SwiftLiteral.of(isOptional ? Optional<Any>.some(value) as Any : value, isErased: isErased) {
    case .code(let text): statements.append("\(place) = \(text)")
    case .tooLong: shorten(value, "\(place) = ", place)
    case .none: leaveOut(place, Self.reason(value, at: place))
    }
  }

  /// The part of a value because of which the value cannot be written, and where it is.
  private static func obstacle(in value: Any, at place: String, depth: Int = 0) -> (place: String, value: Any) {
    let mirror = Mirror(reflecting: value)
    for (index, child) in mirror.children.enumerated() where depth < 20 && SwiftLiteral.of(child.value) == .none {
      switch mirror.displayStyle {
      case .struct where SwiftLiteral.showsItsParts(value):
        return obstacle(in: child.value, at: "\(place).\(child.label ?? "?")", depth: depth + 1)
      case .optional: return obstacle(in: child.value, at: "\(place)?", depth: depth + 1)
      case .collection: return obstacle(in: child.value, at: "\(place)[\(index)]", depth: depth + 1)
      default: return (place, value)
      }
    }
    return (place, value)
  }

  /// A statement with a value that is too long, as a comment.
  private mutating func shorten(_ value: Any, _ beginning: String, _ place: String) {
    // `$0` is the state.
    let path = "store.state\(place.dropFirst(2))"
    unshown.append(path)
    addComment("\(beginning)\(ValueText.of(value, limit: 60))  in full: `print(\(path))`")
  }

  private static func reason(_ value: Any, at place: String) -> String {
    let (part, value) = obstacle(in: value, at: place)
    let reason = reason(value)
    return part == place ? reason : "`\(part)` is \(reason)"
  }

  private static func reason(_ value: Any) -> String {
    if type(of: value) is AnyClass { return "an object of the class \(ValueText.name(of: value))" }
    return "of the type \(ValueText.name(of: value))"
  }

  /// Writes the change of a value as changes of its parts. Returns `false`, with nothing written, if the value must be
  /// assigned as a whole.
  private mutating func changeParts(_ old: Any, to new: Any, at place: String, depth: Int) -> Bool {
    guard depth < 20, type(of: old) == type(of: new) else { return false }
    let left = Mirror(reflecting: old)
    let right = Mirror(reflecting: new)
    // The cast alone would also unwrap an optional.
    if right.displayStyle == .struct, let before = old as? any AnyChildStack, let after = new as? any AnyChildStack {
      changeStack(before, to: after, place, depth)
      return true
    }
    switch right.displayStyle {
    case .struct where SwiftLiteral.showsItsParts(new):
      return changeProperties(old, to: new, left, right, place, depth)
    case .tuple:
      for (index, (before, after)) in zip(left.children, right.children).enumerated() {
        change(before.value, to: after.value, at: "\(place).\(index)", depth: depth + 1)
      }
      return true
    case .optional:
      guard let before = left.children.first, let after = right.children.first else { return false }
      return changeParts(before.value, to: after.value, at: "\(place)?", depth: depth + 1)
    case .collection:
      guard let type = type(of: new) as? any SwiftArray.Type, !type.hasErasedElements else { return false }
      return changeElements(left.children.map(\.value), to: right.children.map(\.value), of: new, place, depth)
    case .dictionary:
      guard let type = type(of: new) as? any SwiftDictionary.Type, !type.hasOptionalValues, !type.hasErasedValues
      else { return false }
      return changeValues(left, to: right, of: new, place, depth)
    case .set where new is any SwiftSet:
      return changeMembers(left, to: right, of: new, place)
    default:
      return false
    }
  }

  private mutating func changeProperties(
    _ old: Any, to new: Any, _ left: Mirror, _ right: Mirror, _ place: String, _ depth: Int
  ) -> Bool {
    // A value with another id is another row: it is assigned as a whole.
    if let old = old as? any Identifiable, let new = new as? any Identifiable, !Self.haveSameID(old, new) {
      return false
    }
    let properties = DeclaredField.all(of: type(of: new)).flatMap { $0.count == right.children.count ? $0 : nil }
    var changed: [(label: String, old: Any, new: Any, isErased: Bool)] = []
    for (index, (before, after)) in zip(left.children, right.children).enumerated() {
      if Self.isSame(before.value, after.value) { continue }
      guard let label = after.label else { return false }
      if let properties, !properties[index].isVariable { return false }
      changed.append((label, before.value, after.value, properties?[index].isErased ?? false))
    }
    // All parts are equal, but the values are not: `==` compares something else.
    guard !changed.isEmpty else { return false }
    for part in changed {
      let inner = "\(place).\(SwiftNames.member(part.label))"
      if !SwiftNames.isWritable(part.label) {
        leaveOut(inner, "the storage of a property wrapper, or private")
      } else if SwiftNames.isHidden(type(of: part.new), in: type(of: new)) {
        leaveOut(inner, "of the private type \(ValueText.name(of: part.new))")
      } else {
        change(part.old, to: part.new, at: inner, depth: depth + 1, isErased: part.isErased)
      }
    }
    return true
  }

  private static func haveSameID<Row: Identifiable>(_ old: Row, _ new: any Identifiable) -> Bool {
    Sameness.areSame((new as? Row)?.id, old.id)
  }

  // MARK: - Collections

  /// Writes the change of a stack by its own functions, which give the elements their ids.
  private mutating func changeStack(
    _ old: any AnyChildStack, to new: any AnyChildStack, _ place: String, _ depth: Int
  ) {
    let kept = zip(old.ids, new.ids).prefix { $0 == $1 }.count
    let pushed = new.ids[kept...].map(\.number)
    let first = old.nextNumber
    guard pushed.elementsEqual(first..<first + pushed.count) else {
      // An element was pushed and removed again, or the stack is another one.
      if case .code(let text) = SwiftLiteral.of(new) { return statements.append("\(place) = \(text)") }
      return leaveOut(place, "call the functions of `ChildStack` that the reducer has called")
    }
    let (before, after) = (old.anyElements, new.anyElements)
    for index in 0..<kept {
      change(before[index], to: after[index], at: "\(place).elements[\(index)]", depth: depth + 1)
    }
    if kept < old.ids.count { statements.append("\(place).dismiss(\(old.ids[kept].number))") }
    for element in after[kept...] { insert(element, place, "push(", ")") }
  }

  private mutating func changeElements(
    _ old: [Any], to new: [Any], of array: Any, _ place: String, _ depth: Int
  ) -> Bool {
    guard old.count != new.count else {
      let differing = new.indices.filter { !Self.isSame(old[$0], new[$0]) }
      if differing.count > 1, isShort(array) { return false }
      var each = self
      for index in differing { each.change(old[index], to: new[index], at: "\(place)[\(index)]", depth: depth + 1) }
      // Rows that have moved differ at every index between.
      let moved = differing.count > 2 ? changedByRows(old, to: new, 0, isAtEnd: true, place, depth) : nil
      self = Self.simplest([each] + [moved].compactMap(\.self))
      return true
    }
    if old.isEmpty || new.isEmpty || isShort(array) { return false }
    var (head, tail) = (0, 0)
    let shorter = min(old.count, new.count)
    while head < shorter, Self.isSame(old[head], new[head]) { head += 1 }
    while tail < shorter - head, Self.isSame(old[old.count - 1 - tail], new[new.count - 1 - tail]) {
      tail += 1
    }
    let removed = head..<(old.count - tail)
    let inserted = new[head..<(new.count - tail)]
    let isAtEnd = removed.upperBound == old.count
    switch (removed.count, inserted.count) {
    case (1, 0): statements.append("\(place).remove(at: \(head))")
    case (_, 0): statements.append("\(place).removeSubrange(\(removed))")
    case (0, 1): insert(inserted[head], place, isAtEnd ? "append(" : "insert(", isAtEnd ? ")" : ", at: \(head))")
    case (0, _):
      let method = isAtEnd ? "append(contentsOf: " : "insert(contentsOf: "
      insert(Array(inserted), place, method, isAtEnd ? ")" : ", at: \(head))")
    default:
      var whole = self
      whole.insert(Array(inserted), place, "replaceSubrange(\(removed), with: ", ")")
      var others: [ChangeCode] = []
      if max(removed.count, inserted.count) <= Self.comparedLimit {
        let (before, after) = (Array(old[removed]), Array(inserted))
        others.append(changedFromFront(before, to: after, head, isAtEnd: isAtEnd, place, depth))
        others += [changedByRows(before, to: after, head, isAtEnd: isAtEnd, place, depth)].compactMap(\.self)
      }
      self = Self.simplest([whole] + others)
    }
    return true
  }

  /// How many elements between the first and the last change are compared with one another.
  private static let comparedLimit = 200

  /// The code that leaves out least; of those the shortest.
  private static func simplest(_ codes: [ChangeCode]) -> ChangeCode {
    func isSimpler(_ one: ChangeCode, _ other: ChangeCode) -> Bool {
      (one.unwritten.count + one.unshown.count, one.statements.count > statementLimit ? 1 : 0, one.length)
        < (other.unwritten.count + other.unshown.count, other.statements.count > statementLimit ? 1 : 0, other.length)
    }
    return codes.dropFirst().reduce(codes[0]) { isSimpler($1, $0) ? $1 : $0 }
  }

  /// Changes the elements from `start` on, one by one, and then the number of elements behind them.
  private func changedFromFront(
    _ old: [Any], to new: [Any], _ start: Int, isAtEnd: Bool, _ place: String, _ depth: Int
  ) -> ChangeCode {
    var code = self
    let common = min(old.count, new.count)
    for index in 0..<common {
      code.change(old[index], to: new[index], at: "\(place)[\(start + index)]", depth: depth + 1)
    }
    if old.count > common {
      code.statements.append("\(place).removeSubrange(\(start + common)..<\(start + old.count))")
    }
    if new.count > common {
      let method = isAtEnd ? "append(contentsOf: " : "insert(contentsOf: "
      code.insert(Array(new[common...]), place, method, isAtEnd ? ")" : ", at: \(start + common))")
    }
    return code
  }

  /// Removes and inserts the elements that only one side has, and changes the others in place. An element with an id is the same
  /// one if the id is. `nil` for other elements that are too many to be compared.
  private func changedByRows(
    _ old: [Any], to new: [Any], _ start: Int, isAtEnd: Bool, _ place: String, _ depth: Int
  ) -> ChangeCode? {
    guard max(old.count, new.count) <= Self.comparedLimit else { return nil }
    let difference = new.difference(from: old) { before, after in
      if let before = before as? any Identifiable, let after = after as? any Identifiable {
        return Self.haveSameID(before, after)
      }
      return Self.isSame(before, after)
    }
    var code = self
    var kept = old
    for case .remove(let index, _, _) in difference.removals.reversed() {
      kept.remove(at: index)
      code.statements.append("\(place).remove(at: \(start + index))")
    }
    for case .insert(let index, let element, _) in difference.insertions {
      let isLast = isAtEnd && index == kept.count
      kept.insert(element, at: index)
      code.insert(element, place, isLast ? "append(" : "insert(", isLast ? ")" : ", at: \(start + index))")
    }
    for index in kept.indices {
      code.change(kept[index], to: new[index], at: "\(place)[\(start + index)]", depth: depth + 1)
    }
    return code
  }

  private mutating func insert(_ value: Any, _ place: String, _ method: String, _ end: String) {
    switch SwiftLiteral.of(value) {
    case .code(let text): statements.append("\(place).\(method)\(text)\(end)")
    case .tooLong: shorten(value, "\(place).\(method)", place)
    case .none: leaveOut(place, "with new elements \(Self.reason(value))")
    }
  }

  private func isShort(_ value: Any) -> Bool { SwiftLiteral.of(value, limit: Self.shortLimit).code != nil }

  private mutating func changeValues(
    _ left: Mirror, to right: Mirror, of dictionary: Any, _ place: String, _ depth: Int
  ) -> Bool {
    guard let old = Self.pairs(left), let new = Self.pairs(right) else { return false }
    let keys = Set(old.keys).union(new.keys).filter { key in
      guard let before = old[key], let after = new[key] else { return true }
      return !Self.isSame(before, after)
    }
    if keys.count > 1, isShort(dictionary) { return false }
    var codes: [(code: String, key: AnyHashable)] = []
    for key in keys {
      guard let code = SwiftLiteral.of(key.base).code else {
        leaveOut(place, "a key \(Self.reason(key.base))")
        return true
      }
      codes.append((code, key))
    }
    for (code, key) in codes.sorted(by: { $0.code < $1.code }) {
      let inner = "\(place)[\(code)]"
      guard let after = new[key] else {
        statements.append("\(inner) = nil")
        continue
      }
      if let before = old[key], changeParts(before, to: after, at: "\(inner)?", depth: depth + 1) { continue }
      assign(after, to: inner, isOptional: true)
    }
    return true
  }

  private static func pairs(_ mirror: Mirror) -> [AnyHashable: Any]? {
    var pairs: [AnyHashable: Any] = [:]
    for child in mirror.children {
      let parts = Array(Mirror(reflecting: child.value).children)
      guard parts.count == 2, let key = parts[0].value as? AnyHashable else { return nil }
      pairs[key] = parts[1].value
    }
    return pairs
  }

  private mutating func changeMembers(_ left: Mirror, to right: Mirror, of set: Any, _ place: String) -> Bool {
    let old = Set(left.children.compactMap { $0.value as? AnyHashable })
    let new = Set(right.children.compactMap { $0.value as? AnyHashable })
    let (removed, inserted) = (old.subtracting(new), new.subtracting(old))
    if new.isEmpty || removed.count + inserted.count > 1, isShort(set) { return false }
    var calls: [String] = []
    for (members, method) in [(removed, "remove"), (inserted, "insert")] {
      let codes = members.compactMap { SwiftLiteral.of($0.base).code }
      guard codes.count == members.count else {
        leaveOut(place, "with members that cannot be written")
        return true
      }
      calls += codes.sorted().map { "\(place).\(method)(\($0))" }
    }
    statements += calls
    return true
  }
}
