// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Finds live work by id and by scope.
///
/// A tree of names, as in a file system: a scope is a folder, an id a file. One table holds all steps from a name
/// to the names inside it, and siblings are linked by index, so that a hundred thousand rows with one run each need no
/// dictionary of their own. A place exists as long as work is in it or below it: nothing is remembered for good.
struct Directory {
  private var places: [Place] = [Place()]
  private var steps = HashTable()
  private var freeHead: Int32 = -1

  /// Where work without id or scope is.
  static let root: Int32 = 0

  struct Place {
    /// Counts for the overlaps of the id.
    var counts = OverlapCounts()
    /// Named work that lives, the oldest first.
    var live = Chain.List()
    /// Named work that waits, the longest waiting first.
    var queue = Chain.List()
    /// Named work that waits for its time, the longest waiting first.
    var waiting = Chain.List()
    /// Whether a debounce or throttle of the id is under way.
    var hasWindow = false
    /// Named work that was cancelled and whose closures have not returned.
    var cancelling = Chain.List()
    /// Work without an id that this scope contains, and sequences.
    var anonymous = Chain.List()
    /// Runs inside a tree of the id; they hold no slot, and are counted nowhere.
    var members = Chain.List()
    /// How many trees of the id are active.
    var openTrees: Int32 = 0
    /// Where its outcomes are kept in the ``OutcomeLog``, or -1.
    var kept: Int32 = -1
    /// The kind of overlap of the id's work, if there is any and all of it has one kind.
    var kind = Overlap.Kind.concurrent
    /// Whether work with another kind has arrived: then lines of source are counted, apart.
    var isMixed = false
    fileprivate(set) var firstInside: Int32 = -1
    fileprivate(set) var nextBeside: Int32 = -1
    fileprivate var previousBeside: Int32 = -1
    fileprivate var outside: Int32 = -1
    fileprivate(set) var name: EffectID.Component?
    /// The hash of the step that leads here.
    fileprivate var hash: UInt32 = 0

    var isEmpty: Bool {
      counts.isEmpty && anonymous.isEmpty && members.isEmpty && cancelling.isEmpty && firstInside < 0 && !hasWindow
    }
  }

  subscript(index: Int32) -> Place {
    _read { yield places[Int(index)] }
    _modify { yield &places[Int(index)] }
  }

  /// How many names lead to live work.
  var count: Int { steps.count }

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

  /// The place of a path, made if need be.
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
    // The hash of a name is well mixed; what is needed is that the same name in different scopes has different ones.
    let mixed = UInt64(UInt(bitPattern: name.nameHash)) ^ (UInt64(UInt32(bitPattern: outside)) &* 0x9E37_79B9_7F4A_7C15)
    return UInt32(truncatingIfNeeded: (mixed &* 0xD6E8_FEB8_6659_FD93) >> 32)
  }

  private func find(_ name: EffectID.Component, inside outside: Int32, _ hash: UInt32) -> Int32? {
    steps.find(hash) { index in
      places[Int(index)].outside == outside && places[Int(index)].name?.isSameName(as: name) == true
    }
  }

  private mutating func make(_ name: EffectID.Component, inside outside: Int32, _ hash: UInt32) -> Int32 {
    let index: Int32
    if freeHead >= 0 {
      index = freeHead
      freeHead = places[Int(index)].nextBeside
      places[Int(index)] = Place()
    } else {
      index = Int32(places.count)
      places.appendSparingly(Place())
    }
    let beside = places[Int(outside)].firstInside
    places[Int(index)].name = name
    places[Int(index)].outside = outside
    places[Int(index)].nextBeside = beside
    if beside >= 0 { places[Int(beside)].previousBeside = index }
    places[Int(outside)].firstInside = index
    places[Int(index)].hash = hash
    steps.insert(index, hash)
    return index
  }

  /// Forgets a place with nothing in it, and the scopes around it that are empty now.
  mutating func forgetIfEmpty(_ index: Int32) {
    var index = index
    while index != Self.root, places[Int(index)].isEmpty, places[Int(index)].outside >= 0 {
      let outside = places[Int(index)].outside
      let (previous, next) = (places[Int(index)].previousBeside, places[Int(index)].nextBeside)
      if previous >= 0 {
        places[Int(previous)].nextBeside = next
      } else {
        places[Int(outside)].firstInside = next
      }
      if next >= 0 { places[Int(next)].previousBeside = previous }
      steps.remove(index, places[Int(index)].hash)
      places[Int(index)] = Place()
      places[Int(index)].nextBeside = freeHead
      freeHead = index
      index = outside
    }
  }
}
