// This source file is part of swift-effects. License: Apache-2.0.

/// What jobs have done, by the names and histories of their closures: whether a closure is a function of these.
struct Deeds {
  private var known: [Int: Int] = [:]
  /// Whether two have done different things.
  private(set) var differ = false
  /// What closures of each name had seen when they ended, and likewise of each place.
  private var ends: [ClosureName: Set<Int>] = [:]
  private var endsOfPlaces: [Int: Set<Int>] = [:]
  /// The places of closures that have done something after they were cancelled.
  private var actingLate: Set<Int> = []

  /// A job has done something, after all that its closure has seen.
  mutating func note(_ deed: Int, after history: Int) {
    if let former = known.updateValue(deed, forKey: history), former != deed { differ = true }
  }

  /// A closure has ended, after all that it has seen.
  mutating func noteEnd(of name: ClosureName, after history: Int, isCancelled: Bool) {
    if name.origin == 0 || isCancelled && !actingLate.contains(name.place) { return }
    ends[name, default: []].insert(history)
    endsOfPlaces[name.place, default: []].insert(history)
  }

  /// A cancelled closure has sent an action, or sleeps.
  mutating func noteLateDeed(of name: ClosureName) { actingLate.insert(name.place) }

  /// Whether closures of this name have ended in all ways in which closures of the same place are known to end, so that they were
  /// compared. What cancelled closures do is of interest only where one does something that can be observed. Sequences and trees
  /// never end, so what they contain is always told apart.
  func haveCompared(_ name: ClosureName) -> Bool {
    if name.origin == 0 { return true }
    guard let own = ends[name] else { return false }
    return own.count == endsOfPlaces[name.place]?.count
  }
}

/// How a closure came to be, as hashes.
struct ClosureName: Hashable {
  /// The action, the place in its effect, and what was chosen meanwhile.
  let place: Int
  /// The same with the state before the reduction, which the closure may capture; 0 if `place` contains it.
  let origin: Int

  static let none = ClosureName(place: 0, origin: 0)
}
