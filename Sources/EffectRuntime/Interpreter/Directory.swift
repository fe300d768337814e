// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Finds live work by id and by scope.
///
/// A tree of names, as in a file system: a scope is a folder, an id a file. One dictionary holds all steps from a name
/// to the names inside it, and siblings are linked by index, so that a hundred thousand rows with one run each need no
/// dictionary of their own. A place exists as long as work is in it or below it: nothing is remembered for good.
struct Directory {
  private var places: [Place] = [Place()]
  private var steps: [Step: Int32] = [:]
  private var freeHead: Int32 = -1

  /// Where work without id or scope is.
  static let root: Int32 = 0

  struct Place {
    /// Counts for the overlaps of the id.
    var counts = Places()
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
    /// Where it stands among the ids that were asked for, or -1.
    var asked: Int32 = -1
    /// The kind of overlap that work of the id declared last.
    var kind = Overlap.Kind.concurrent
    fileprivate(set) var firstInside: Int32 = -1
    fileprivate(set) var nextBeside: Int32 = -1
    fileprivate var previousBeside: Int32 = -1
    fileprivate var outside: Int32 = -1
    fileprivate(set) var name: EffectID.Component?

    var isEmpty: Bool { counts.isEmpty && anonymous.isEmpty && cancelling.isEmpty && firstInside < 0 && !hasWindow }
  }

  private struct Step: Hashable {
    let outside: Int32
    /// The upper half of the name's hash: most names that differ are told apart without looking at them.
    private let hint: UInt32
    let name: EffectID.Component

    init(outside: Int32, name: EffectID.Component) {
      self.outside = outside
      self.name = name
      hint = UInt32(truncatingIfNeeded: name.nameHash >> 32)
    }

    static func == (left: Step, right: Step) -> Bool {
      left.outside == right.outside && left.hint == right.hint && left.name.isSameName(as: right.name)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(UInt64(UInt32(bitPattern: outside)) << 32 | UInt64(hint))
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
      guard let inside = steps[Step(outside: place, name: name)] else { return nil }
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
      let step = Step(outside: place, name: name)
      if let inside = steps[step] {
        place = inside
      } else {
        place = make(step)
      }
      next = name.inner
    }
    return place
  }

  private mutating func make(_ step: Step) -> Int32 {
    let index: Int32
    if freeHead >= 0 {
      index = freeHead
      freeHead = places[Int(index)].nextBeside
      places[Int(index)] = Place()
    } else {
      index = Int32(places.count)
      places.append(Place())
    }
    let beside = places[Int(step.outside)].firstInside
    places[Int(index)].name = step.name
    places[Int(index)].outside = step.outside
    places[Int(index)].nextBeside = beside
    if beside >= 0 { places[Int(beside)].previousBeside = index }
    places[Int(step.outside)].firstInside = index
    steps[step] = index
    return index
  }

  /// Whether a place is a scope itself, or inside it.
  func isInside(_ index: Int32, _ scope: Int32) -> Bool {
    var index = index
    while index >= 0 {
      if index == scope { return true }
      index = places[Int(index)].outside
    }
    return false
  }

  /// Forgets a place with nothing in it, and the scopes around it that are empty now.
  mutating func forgetIfEmpty(_ index: Int32) {
    var index = index
    while index != Self.root, places[Int(index)].isEmpty, let name = places[Int(index)].name {
      let outside = places[Int(index)].outside
      let (previous, next) = (places[Int(index)].previousBeside, places[Int(index)].nextBeside)
      if previous >= 0 {
        places[Int(previous)].nextBeside = next
      } else {
        places[Int(outside)].firstInside = next
      }
      if next >= 0 { places[Int(next)].previousBeside = previous }
      steps[Step(outside: outside, name: name)] = nil
      places[Int(index)] = Place()
      places[Int(index)].nextBeside = freeHead
      freeHead = index
      index = outside
    }
  }
}
