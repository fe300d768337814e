// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Numbers names and scopes of names: each has a **place**, a number, as long as it is not removed. The number is used
/// again after that.
///
/// It is like a file system: a scope is a folder, an id a file. One table holds all steps from a name to the names
/// inside it, and names in one scope are linked by index. So a hundred thousand rows with one run each need no
/// dictionaries of their own.
///
/// - Complexity: O(length of the path) on average to find or make a place; O(1) on average to remove one.
struct NameTree: Sendable {
  private var nodes: [Node] = [Node()]
  private var steps = HashTable()
  private var freeHead: Int32 = -1

  /// The place that contains all others.
  static let root: Int32 = 0

  private struct Node: Sendable {
    var firstInside: Int32 = -1
    var nextBeside: Int32 = -1
    var previousBeside: Int32 = -1
    var outside: Int32 = -1
    var name: EffectID.Component?
    /// The hash of the step that leads here.
    var hash: UInt32 = 0
    /// How many places had been made before this one.
    var age: UInt32 = 0
  }

  /// How many places have been made.
  private var madeCount: UInt32 = 0

  /// How many names have a place.
  var count: Int { steps.count }

  /// One more than the highest place.
  var capacity: Int { nodes.count }

  /// The place of a path, if there is one.
  func find(_ path: EffectID) -> Int32? {
    var place = Self.root
    var next: EffectID.Component? = path.head
    while let name = next {
      guard let inside = find(name, inside: place, hash(of: name, inside: place)) else { return nil }
      place = inside
      next = name.inner
    }
    return place
  }

  /// The place of the scope around a path, if there is one.
  func findScope(of path: EffectID) -> Int32? {
    var place = Self.root
    var next = path.head
    while let name = next.inner {
      guard let inside = find(next, inside: place, hash(of: next, inside: place)) else { return nil }
      place = inside
      next = name
    }
    return place
  }

  /// The place of the scope around a place.
  func outside(of place: Int32) -> Int32 { nodes[Int(place)].outside }

  /// The place of a path, made if needed.
  mutating func findOrMake(_ path: EffectID) -> Int32 {
    var place = Self.root
    var next: EffectID.Component? = path.head
    while let name = next {
      let hash = hash(of: name, inside: place)
      place = find(name, inside: place, hash) ?? make(name, inside: place, hash)
      next = name.inner
    }
    return place
  }

  private func hash(of name: EffectID.Component, inside outside: Int32) -> UInt32 {
    // The hash of a name is well mixed; but the same name needs different hashes in different scopes.
    let mixed = UInt64(UInt(bitPattern: name.nameHash)) ^ (UInt64(UInt32(bitPattern: outside)) &* 0x9E37_79B9_7F4A_7C15)
    return UInt32(truncatingIfNeeded: (mixed &* 0xD6E8_FEB8_6659_FD93) >> 32)
  }

  private func find(_ name: EffectID.Component, inside outside: Int32, _ hash: UInt32) -> Int32? {
    steps.find(hash) { index in
      nodes[Int(index)].outside == outside && nodes[Int(index)].name?.isSameName(as: name) == true
    }
  }

  private mutating func make(_ name: EffectID.Component, inside outside: Int32, _ hash: UInt32) -> Int32 {
    let index: Int32
    if freeHead >= 0 {
      index = freeHead
      freeHead = nodes[Int(index)].nextBeside
      nodes[Int(index)] = Node()
    } else {
      index = Int32(nodes.count)
      nodes.appendSparingly(Node())
    }
    let beside = nodes[Int(outside)].firstInside
    nodes[Int(index)].name = name
    nodes[Int(index)].outside = outside
    nodes[Int(index)].nextBeside = beside
    if beside >= 0 { nodes[Int(beside)].previousBeside = index }
    nodes[Int(outside)].firstInside = index
    nodes[Int(index)].hash = hash
    nodes[Int(index)].age = madeCount
    madeCount &+= 1
    steps.insert(index, hash)
    return index
  }

  /// Places in the order in which they were made. Their numbers do not have this order, because they are used again.
  func oldestFirst(_ places: [Int32]) -> [Int32] {
    places.sorted { nodes[Int($0)].age < nodes[Int($1)].age }
  }

  /// Removes a place, unless names are inside it.
  ///
  /// - Returns: the place of the scope around it; `nil` if the place stays, or is the root, or does not exist.
  mutating func removeLeaf(_ index: Int32) -> Int32? {
    let outside = nodes[Int(index)].outside
    guard index != Self.root, outside >= 0, nodes[Int(index)].firstInside < 0 else { return nil }
    let (previous, next) = (nodes[Int(index)].previousBeside, nodes[Int(index)].nextBeside)
    if previous >= 0 {
      nodes[Int(previous)].nextBeside = next
    } else {
      nodes[Int(outside)].firstInside = next
    }
    if next >= 0 { nodes[Int(next)].previousBeside = previous }
    steps.remove(index, nodes[Int(index)].hash)
    nodes[Int(index)] = Node()
    nodes[Int(index)].nextBeside = freeHead
    freeHead = index
    return outside
  }

  /// Releases the places behind the last one that is taken. It does nothing if many are taken.
  ///
  /// - Parameter minimum: how many places there may be without that any is released.
  /// - Returns: whether places were released.
  /// - Complexity: O(places). The caller releases as many slots of work.
  mutating func shrink(above minimum: Int) -> Bool {
    guard nodes.count > minimum, count <= 64 else { return false }
    let last = nodes.lastIndex { $0.name != nil } ?? Int(Self.root)
    guard last < nodes.count - 1 else { return false }
    nodes = Array(nodes[...last])
    freeHead = -1
    for index in nodes.indices.reversed() where nodes[index].name == nil && index != Self.root {
      nodes[index].nextBeside = freeHead
      freeHead = Int32(index)
    }
    steps.shrink()
    return true
  }

  /// The first place inside a scope for which a condition holds. Each place is visited once, in an order that depends on
  /// when they were made.
  func firstPlace(inside scope: Int32, where isMeant: (Int32) -> Bool) -> Int32? {
    var pending = [nodes[Int(scope)].firstInside]
    while let place = pending.popLast() {
      guard place >= 0 else { continue }
      if isMeant(place) { return place }
      pending.append(nodes[Int(place)].nextBeside)
      pending.append(nodes[Int(place)].firstInside)
    }
    return nil
  }

  /// All places inside a scope, in the order of ``firstPlace(inside:where:)``.
  func places(inside scope: Int32) -> [Int32] {
    var found: [Int32] = []
    _ = firstPlace(inside: scope) { place in
      found.append(place)
      return false
    }
    return found
  }
}
