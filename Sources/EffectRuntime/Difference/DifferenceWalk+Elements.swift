// This source file is part of swift-effects. License: Apache-2.0.

// The elements of ordered collections.
extension DifferenceWalk {
  /// If more elements than this were added, removed or moved, they are counted, and only the first ones are shown.
  private static let rowLimit = 5
  private static let rowsShown = 3

  mutating func compareElements(_ left: Mirror, _ right: Mirror, _ path: String, _ depth: Int) {
    guard visit(left.children.count), visit(right.children.count) else { return }
    let (old, new) = (left.children.map(\.value), right.children.map(\.value))
    if let oldIDs = Self.ids(old), let newIDs = Self.ids(new) {
      compareRows(Rows(ids: oldIDs, values: old), Rows(ids: newIDs, values: new), path, depth)
    } else {
      comparePositions(old, new, path, depth)
    }
  }

  // MARK: - By position

  private mutating func comparePositions(_ old: [Any], _ new: [Any], _ path: String, _ depth: Int) {
    var head = 0
    var tail = 0
    // The equal elements at both ends are left out, so that one insertion is shown as one.
    if old.count != new.count {
      let shorter = min(old.count, new.count)
      while head < shorter, StateDifference.areEqual(old[head], new[head]) { head += 1 }
      while tail < shorter - head,
        StateDifference.areEqual(old[old.count - 1 - tail], new[new.count - 1 - tail])
      {
        tail += 1
      }
    }
    let (oldEnd, newEnd) = (old.count - tail, new.count - tail)
    let both = min(oldEnd, newEnd)
    for index in head..<both { compare(old[index], new[index], "\(path)[\(index)]", depth: depth + 1) }
    addNeighbours("-", old[both..<oldEnd], path)
    addNeighbours("+", new[both..<newEnd], path)
  }

  /// Writes elements that only one of the two collections has; they are neighbours.
  private mutating func addNeighbours(_ sign: String, _ elements: ArraySlice<Any>, _ path: String) {
    guard elements.count > Self.rowLimit else {
      for index in elements.indices { add("\(path)[\(index)]") { ["\(sign) \(ValueText.of(elements[index]))"] } }
      return
    }
    add("\(path)[\(elements.startIndex)..<\(elements.endIndex)]") {
      ["\(sign) \(Self.summary(elements.count, elements.prefix(Self.rowsShown)))"]
    }
  }

  private static func summary(_ count: Int, _ first: some Sequence<Any>) -> String {
    "\(count) elements: \(first.map { ValueText.of($0, limit: 60) }.joined(separator: ", ")), …"
  }

  // MARK: - By id

  private struct Rows {
    let ids: [AnyHashable]
    let values: [Any]
    let indices: [AnyHashable: Int]

    init(ids: [AnyHashable], values: [Any]) {
      self.ids = ids
      self.values = values
      indices = Dictionary(zip(ids, ids.indices)) { first, _ in first }
    }
  }

  /// The ids of elements; `nil` if an element has no id, or if two have the same.
  private static func ids(_ elements: [Any]) -> [AnyHashable]? {
    var ids: [AnyHashable] = []
    ids.reserveCapacity(elements.count)
    for element in elements {
      guard let row = element as? any Identifiable else { return nil }
      ids.append(id(of: row))
    }
    return Set(ids).count == ids.count ? ids : nil
  }

  private static func id(of row: some Identifiable) -> AnyHashable { AnyHashable(row.id) }

  private mutating func compareRows(_ old: Rows, _ new: Rows, _ path: String, _ depth: Int) {
    addRows("-", old, old.ids.indices.filter { new.indices[old.ids[$0]] == nil }, path)
    addRows("+", new, new.ids.indices.filter { old.indices[new.ids[$0]] == nil }, path)
    let kept = new.ids.indices.compactMap { index in old.indices[new.ids[index]].map { (old: $0, new: index) } }
    let moved = Self.outsideOfLongestRise(kept.map(\.old)).map { kept[$0] }
    if moved.count > Self.rowLimit {
      add(path) {
        let first = moved.prefix(Self.rowsShown).map { ValueText.of(new.ids[$0.new].base, limit: 60) }
        return ["\(moved.count) elements moved: id \(first.joined(separator: ", ")), …"]
      }
    } else {
      for row in moved {
        add(Self.place(new.ids[row.new], path)) { ["moved from [\(row.old)] to [\(row.new)]"] }
      }
    }
    for row in kept {
      compare(old.values[row.old], new.values[row.new], Self.place(new.ids[row.new], path), depth: depth + 1)
    }
  }

  /// Writes rows that only one of the two collections has.
  private mutating func addRows(_ sign: String, _ rows: Rows, _ places: [Int], _ path: String) {
    guard places.count > Self.rowLimit else {
      for index in places { add(Self.place(rows.ids[index], path)) { ["\(sign) \(ValueText.of(rows.values[index]))"] } }
      return
    }
    add(path) { ["\(sign) \(Self.summary(places.count, places.prefix(Self.rowsShown).map { rows.values[$0] }))"] }
  }

  private static func place(_ id: AnyHashable, _ path: String) -> String {
    "\(path)[id: \(short(ValueText.of(id.base)))]"
  }

  /// The positions of the numbers outside of a longest increasing subsequence. No smaller set of rows can have moved.
  ///
  /// - Complexity: O(*n* log *n*).
  static func outsideOfLongestRise(_ numbers: [Int]) -> [Int] {
    // For each length, the position of the smallest number that ends an increasing subsequence of this length.
    var ends: [Int] = []
    var former: [Int?] = []
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      former.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var isInRise = Array(repeating: false, count: numbers.count)
    var next = ends.last
    while let index = next {
      isInRise[index] = true
      next = former[index]
    }
    return numbers.indices.filter { !isInRise[$0] }
  }
}
