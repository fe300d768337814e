// This source file is part of swift-effects. License: Apache-2.0.

/// Compares two values part by part and collects lines about what differs.
///
/// Parts are paired by label, id, key or position, without a search. So each level of nesting takes linear time, and O(*n*
/// log *n*) where elements have moved or keys are sorted.
struct DifferenceWalk {
  /// How many differing parts are described.
  private static let partLimit = 20
  /// How deep values are split into parts. At greater depth a value is described as a whole.
  private static let depthLimit = 50
  /// How many parts are compared.
  static let visitLimit = 500_000

  private var lines: [String] = []
  /// How many parts differ.
  private(set) var count = 0
  /// How many parts were compared.
  private var visits = 0
  /// Whether parts were not compared, because there are too many.
  private var isCut = false
  /// The pairs of objects that have been compared, or are being compared.
  private var pairs: Set<ObjectPair> = []
  /// How often a pair was found again and not compared once more.
  private var repeats = 0

  private struct ObjectPair: Hashable {
    let old: ObjectIdentifier
    let new: ObjectIdentifier
  }

  var allLines: [String] {
    var all = lines
    if count > Self.partLimit { all.append("… and \(count - Self.partLimit) more") }
    if isCut { all.append("… more than \(Self.visitLimit) parts; the rest was not compared") }
    return all
  }

  // MARK: - Comparing

  mutating func compare(_ old: Any, _ new: Any, _ path: String, depth: Int) {
    guard visit(1) else { return }
    if StateDifference.areEqual(old, new) { return }
    let (countBefore, repeatsBefore) = (count, repeats)
    compareParts(old, new, path, depth)
    // No part differs, but the values are not equal: the `==` of the type compares something else.
    if count == countBefore, repeats == repeatsBefore, !isCut, old is any Equatable { note(old, new, path) }
  }

  /// Counts parts that are about to be compared. Returns `false` if these are too many.
  mutating func visit(_ count: Int) -> Bool {
    guard count <= Self.visitLimit - visits else {
      isCut = true
      return false
    }
    visits += count
    return true
  }

  private mutating func compareParts(_ old: Any, _ new: Any, _ path: String, _ depth: Int) {
    guard type(of: old) == type(of: new), depth < Self.depthLimit else { return note(old, new, path) }
    if let old = old as? String, let new = new as? String { return compareStrings(old, new, path) }
    let left = Mirror(reflecting: old)
    let right = Mirror(reflecting: new)
    guard let style = right.displayStyle, style == left.displayStyle else { return note(old, new, path) }
    switch style {
    case .struct, .tuple:
      // A short description, such as that of a date, is easier to read than the parts.
      guard !left.children.isEmpty, !Self.haveShortTexts(old, new) else { return note(old, new, path) }
      if !compareFields(left, right, path, depth) { note(old, new, path) }
    case .class:
      compareObjects(old, new, left, right, path, depth)
    case .collection:
      compareElements(left, right, path, depth)
    case .dictionary:
      compareKeyed(left, right, path, depth)
    case .set:
      compareMembers(left, right, path)
    case .optional:
      guard let old = left.children.first, let new = right.children.first else { return note(old, new, path) }
      compare(old.value, new.value, path, depth: depth + 1)
    case .enum:
      guard let oldPayload = left.children.first, let newPayload = right.children.first,
        oldPayload.label == newPayload.label
      else { return note(old, new, path) }
      compare(oldPayload.value, newPayload.value, Self.join(path, oldPayload.label ?? ""), depth: depth + 1)
    default:
      note(old, new, path)
    }
  }

  /// Compares the children of two values. Returns `false`, with nothing done, if their number or labels differ.
  private mutating func compareFields(_ left: Mirror, _ right: Mirror, _ path: String, _ depth: Int) -> Bool {
    let (old, new) = (Array(left.children), Array(right.children))
    guard old.count == new.count, zip(old, new).allSatisfy({ $0.label == $1.label }) else { return false }
    for (index, (old, new)) in zip(old, new).enumerated() {
      compare(old.value, new.value, Self.join(path, old.label ?? "\(index)"), depth: depth + 1)
    }
    return true
  }

  private mutating func compareObjects(
    _ old: Any, _ new: Any, _ left: Mirror, _ right: Mirror, _ path: String, _ depth: Int
  ) {
    if Self.haveShortTexts(old, new) { return note(old, new, path) }
    let pair = ObjectPair(old: ObjectIdentifier(old as AnyObject), new: ObjectIdentifier(new as AnyObject))
    guard pairs.insert(pair).inserted else { return repeats += 1 }
    let (countBefore, repeatsBefore) = (count, repeats)
    var (left, right): (Mirror?, Mirror?) = (left, right)
    while let former = left, let latter = right {
      guard compareFields(former, latter, path, depth) else { return note(old, new, path) }
      (left, right) = (former.superclassMirror, latter.superclassMirror)
    }
    // No part differs: these are two instances. But if a pair was found again, a difference of it may be written elsewhere.
    if count == countBefore, repeats == repeatsBefore, !isCut { note(old, new, path) }
  }

  private mutating func compareKeyed(_ left: Mirror, _ right: Mirror, _ path: String, _ depth: Int) {
    guard visit(left.children.count), visit(right.children.count) else { return }
    let old = Self.keyed(left)
    let new = Self.keyed(right)
    // Only the keys of values that differ are converted to text and sorted.
    var differing: [(text: String, key: AnyHashable)] = []
    for (key, value) in old {
      if let other = new[key], StateDifference.areEqual(value, other) { continue }
      differing.append((ValueText.of(key.base), key))
    }
    for key in new.keys where old[key] == nil { differing.append((ValueText.of(key.base), key)) }
    for (text, key) in differing.sorted(by: { $0.text < $1.text }) {
      let place = "\(path)[\(Self.short(text))]"
      switch (old[key], new[key]) {
      case (let old?, let new?): compare(old, new, place, depth: depth + 1)
      case (let old?, nil): add(place) { ["- \(ValueText.of(old))"] }
      case (nil, let new?): add(place) { ["+ \(ValueText.of(new))"] }
      case (nil, nil): break
      }
    }
  }

  private static func keyed(_ mirror: Mirror) -> [AnyHashable: Any] {
    var pairs: [AnyHashable: Any] = [:]
    for child in mirror.children {
      // The child is a pair of unknown types. Its mirror gives the key and the value.
      let parts = Array(Mirror(reflecting: child.value).children)
      if parts.count == 2, let key = parts[0].value as? AnyHashable { pairs[key] = parts[1].value }
    }
    return pairs
  }

  private mutating func compareMembers(_ left: Mirror, _ right: Mirror, _ path: String) {
    guard visit(left.children.count), visit(right.children.count) else { return }
    let old = Set(left.children.compactMap { $0.value as? AnyHashable })
    let new = Set(right.children.compactMap { $0.value as? AnyHashable })
    addEach(
      path,
      old.subtracting(new).map { "- \(ValueText.of($0.base))" }.sorted()
        + new.subtracting(old).map { "+ \(ValueText.of($0.base))" }.sorted())
  }

  // MARK: - Writing

  /// Writes both values of a part.
  mutating func note(_ old: Any, _ new: Any, _ path: String) {
    // Beyond the limit a part is not shown, so it is only counted.
    guard count < Self.partLimit else { return count += 1 }
    var (before, after) = (ValueText.of(old), ValueText.of(new))
    if before == after {
      if type(of: old) != type(of: new) {
        before += " (\(ValueText.name(of: old)))"
        after += " (\(ValueText.name(of: new)))"
      } else if new is any Equatable {
        after += " (prints the same; `==` of \(ValueText.name(of: new)) tells them apart)"
      } else if type(of: new) is AnyClass {
        after += " (another instance)"
      } else {
        return  // For example a closure: it cannot be compared.
      }
    }
    add(path) { ["- \(before)", "+ \(after)"] }
  }

  /// Writes a part that differs: the lines are indented below its path. The outermost value has no path.
  mutating func add(_ path: String, _ texts: () -> [String]) {
    count += 1
    guard count <= Self.partLimit else { return }
    write(path, texts())
  }

  /// Writes lines. Each of them counts as a part.
  mutating func addEach(_ path: String, _ texts: [String]) {
    let room = max(0, Self.partLimit - count)
    count += texts.count
    if room > 0, !texts.isEmpty { write(path, Array(texts.prefix(room))) }
  }

  private mutating func write(_ path: String, _ texts: [String]) {
    if path.isEmpty {
      lines += texts
    } else {
      lines.append("\(path):")
      lines += texts.map { "  \($0)" }
    }
  }

  private static func join(_ path: String, _ label: String) -> String {
    // The compiler names the payload of a case and the elements of a tuple `.0`, `.1`.
    let label = label.hasPrefix(".") ? String(label.dropFirst()) : label
    return path.isEmpty ? label : "\(path).\(label)"
  }

  /// A key or id as a part of a path.
  static func short(_ text: String) -> String { text.count > 80 ? "\(text.prefix(79))…" : text }

  private static func haveShortTexts(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? any CustomStringConvertible, let right = right as? any CustomStringConvertible else {
      return false
    }
    let texts = [left.description, right.description]
    return texts[0] != texts[1] && texts.allSatisfy { $0.count <= 60 && !$0.contains(where: \.isNewline) }
  }
}
