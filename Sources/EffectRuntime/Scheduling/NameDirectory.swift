// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Finds work by id and by scope, and decides what an id's overlap does with it.
///
/// Each id and scope has a **place** in the ``NameTree`` as long as work is in it or inside it, or a window of it is
/// open.
///
/// Work is in one list of one place at a time. What ``OverlapCounts`` decides by counting is applied to the lists here,
/// so that both always agree.
struct NameDirectory: Sendable {
  private var names = NameTree()
  /// What is at each place of `names`.
  private var places: [Place] = [Place()]
  /// The members of all lists of all places.
  private var links = Chain()

  /// Where work without id or scope is.
  static let root = NameTree.root

  private struct Place: Sendable {
    var counts = OverlapCounts()
    var active = Chain.List()
    var queued = Chain.List()
    var waiting = Chain.List()
    var cancelling = Chain.List()
    var unnamed = Chain.List()
    /// Of the active work, the newest up to which all has left its slot; -1 if no such work is known. It is looked for only when
    /// work must make way.
    var passed: Int32 = -1
    /// Whether a debounce or throttle of the id is open.
    var hasWindow = false
    /// Whether work with different overlaps has met. Then ``MisuseLog`` counts the work by its line of source.
    var isMixed = false
    /// The overlap that the id's work has declared, if there is any and all of it has declared the same.
    var overlap = Overlap.Name.concurrent
    /// How many trees of the id are active.
    var openTrees: Int32 = 0

    var isEmpty: Bool {
      counts.isEmpty && unnamed.isEmpty && cancelling.isEmpty && !hasWindow
    }
  }

  /// The lists of a place, each from the oldest to the newest.
  enum List: CaseIterable {
    /// Named work that holds a slot, and runs that have left theirs because their `catch` closures execute.
    case active
    /// Named work that is queued for a slot.
    case queued
    /// Named work that waits for its time.
    case waiting
    /// Named work that was cancelled and whose closures have not returned.
    case cancelling
    /// Work without an id in this scope, and sequences.
    case unnamed
  }

  // MARK: - Names

  /// How many names lead to work.
  var count: Int { names.count }

  /// The place of a path, if there is one.
  func find(_ path: EffectID) -> Int32? { names.find(path) }

  /// The place of a path, made if needed.
  mutating func findOrMake(_ path: EffectID) -> Int32 {
    let place = names.findOrMake(path)
    while places.count < names.capacity { places.appendSparingly(Place()) }
    return place
  }

  /// Where work of these ids is, the place that was made first first. The set itself has another order each time, so cancels
  /// would differ between two runs of one test.
  func find(_ ids: Set<EffectID>) -> [Int32] { names.oldestFirst(ids.compactMap { names.find($0) }) }

  /// The place of a scope, made if needed; the root if there is none.
  mutating func findOrMake(scope: EffectID?) -> Int32 { scope.map { findOrMake($0) } ?? Self.root }

  /// Removes a place if nothing is in it, and then the scopes around it that are empty now.
  mutating func forgetIfEmpty(_ place: Int32) {
    var place = place
    while places[Int(place)].isEmpty, let outside = names.removeLeaf(place) {
      places[Int(place)] = Place()
      place = outside
    }
  }

  /// Releases the memory of a peak.
  ///
  /// - Parameters:
  ///   - count: how many slots remain.
  ///   - minimum: how many places there may be without that any is released.
  mutating func shrink(to count: Int, above minimum: Int) {
    links.shrink(to: count)
    if names.shrink(above: minimum) { places = Array(places[..<names.capacity]) }
  }

  /// The scope around a place.
  func scope(of place: Int32) -> Int32 { names.outside(of: place) }

  /// The scope around an id, if there is work in it.
  func findScope(of path: EffectID) -> Int32? { names.findScope(of: path) }

  /// All places inside a scope.
  func places(inside scope: Int32) -> [Int32] { names.places(inside: scope) }

  /// The first place inside a scope for which a condition holds, in the order of ``places(inside:)``.
  func firstPlace(inside scope: Int32, where isMeant: (Int32) -> Bool) -> Int32? {
    names.firstPlace(inside: scope, where: isMeant)
  }

  // MARK: - Lists

  private func list(_ list: List, _ place: Int32) -> Chain.List {
    switch list {
    case .active: places[Int(place)].active
    case .queued: places[Int(place)].queued
    case .waiting: places[Int(place)].waiting
    case .cancelling: places[Int(place)].cancelling
    case .unnamed: places[Int(place)].unnamed
    }
  }

  /// Whether a list is empty.
  func isEmpty(_ list: List, at place: Int32) -> Bool { self.list(list, place).isEmpty }

  /// The oldest work of a list.
  func first(_ list: List, at place: Int32) -> Int32? {
    let first = self.list(list, place).first
    return first >= 0 ? first : nil
  }

  /// The newest work of a list.
  func last(_ list: List, at place: Int32) -> Int32? {
    let last = self.list(list, place).last
    return last >= 0 ? last : nil
  }

  /// The newest work of a list for which a condition holds.
  func last(_ list: List, at place: Int32, where isMeant: (Int32) -> Bool) -> Int32? {
    var index = self.list(list, place).last
    while index >= 0 {
      if isMeant(index) { return index }
      index = links.previous(before: index)
    }
    return nil
  }

  /// The work of a list.
  func work(_ list: List, at place: Int32) -> [Int32] { links.members(of: self.list(list, place)) }

  private func append(_ list: List, at place: Int32, to found: inout [Int32]) {
    var index = self.list(list, place).first
    while index >= 0 {
      found.append(index)
      index = links.next(after: index)
    }
  }

  /// Whether an id has named work that has not settled.
  func hasPresentWork(at place: Int32) -> Bool {
    !isEmpty(.active, at: place) || !isEmpty(.queued, at: place) || !isEmpty(.waiting, at: place)
  }

  /// The named work of an id that has not settled: what is active, then what is queued, then what waits.
  func presentWork(at place: Int32) -> [Int32] {
    var found: [Int32] = []
    append(.active, at: place, to: &found)
    append(.queued, at: place, to: &found)
    append(.waiting, at: place, to: &found)
    return found
  }

  /// All work inside a scope that has not settled, also work without an id.
  func presentWork(inside scope: Int32) -> [Int32] {
    var found = work(.unnamed, at: scope)
    _ = firstPlace(inside: scope) { place in
      append(.active, at: place, to: &found)
      append(.queued, at: place, to: &found)
      append(.waiting, at: place, to: &found)
      append(.unnamed, at: place, to: &found)
      return false
    }
    return found
  }

  /// Work without an id, or a sequence, arrives in a scope.
  mutating func addUnnamed(_ index: Int32, at place: Int32) { links.append(index, to: &places[Int(place)].unnamed) }

  /// Work without an id leaves a scope, which is removed if nothing remains in it.
  mutating func removeUnnamed(_ index: Int32, at place: Int32) {
    links.remove(index, from: &places[Int(place)].unnamed)
    forgetIfEmpty(place)
  }

}

// MARK: - Overlap

extension NameDirectory {
  /// Work that is cancelled or dropped to make room for work that arrives.
  enum Evicted: Equatable {
    /// It is active, and is cancelled; but if it has left its slot, it is passed over.
    case active(Int32)
    /// It is queued, and is dropped.
    case queued(Int32)
    /// It waits for its time, and is dropped.
    case waiting(Int32)
  }

  /// How much work an id has.
  func counts(at place: Int32) -> OverlapCounts { places[Int(place)].counts }

  /// Work declares its overlap when it arrives.
  ///
  /// - Returns: how much queued work starts because of it; see ``startFirstQueued(at:)``.
  mutating func declare(_ overlap: Overlap, at place: Int32) -> Int { places[Int(place)].counts.declared(overlap) }

  /// What must be cancelled, dropped or passed over next before work that arrives is admitted; `nil` if nothing must be.
  func evicted(for overlap: Overlap, at place: Int32) -> Evicted? {
    let eviction = places[Int(place)].counts.eviction(for: overlap)
    if eviction.running > 0 {
      let passed = places[Int(place)].passed
      return .active(passed < 0 ? places[Int(place)].active.first : links.next(after: passed))
    }
    if eviction.queued > 0 { return .queued(places[Int(place)].queued.first) }
    if eviction.waiting > 0 { return .waiting(places[Int(place)].waiting.first) }
    return nil
  }

  /// The active work that ``evicted(for:at:)`` has named has left its slot: next it names newer work.
  mutating func pass(_ index: Int32, at place: Int32) { places[Int(place)].passed = index }

  /// Work that was passed over may leave its list.
  private mutating func forgetPassed(_ index: Int32, at place: Int32) {
    if places[Int(place)].passed == index { places[Int(place)].passed = links.previous(before: index) }
  }

  /// Decides about work that arrives. It is counted at once, unless it is dropped; ``add(_:isActive:at:)`` must follow.
  mutating func admit(_ overlap: Overlap, at place: Int32) -> OverlapCounts.Admission {
    places[Int(place)].counts.admit(overlap)
  }

  /// Work that was admitted gets its slot, or is queued for one.
  mutating func add(_ index: Int32, isActive: Bool, at place: Int32) {
    if isActive {
      links.append(index, to: &places[Int(place)].active)
    } else {
      links.append(index, to: &places[Int(place)].queued)
    }
  }

  /// A slot may have become free.
  ///
  /// - Returns: how much queued work starts; see ``startFirstQueued(at:)``.
  mutating func refill(_ place: Int32) -> Int { places[Int(place)].counts.startQueued() }

  /// The work that is queued longest, and was counted as started, gets its slot.
  mutating func startFirstQueued(at place: Int32) -> Int32 {
    let index = places[Int(place)].queued.first
    links.remove(index, from: &places[Int(place)].queued)
    links.append(index, to: &places[Int(place)].active)
    return index
  }

  /// The last attempt of a run has failed: it leaves its slot.
  mutating func leaveSlot(at place: Int32) { places[Int(place)].counts.slotLeft() }

  /// Active work has ended by itself.
  mutating func ended(_ index: Int32, at place: Int32, isRecovering: Bool) {
    if isRecovering { forgetPassed(index, at: place) }
    links.remove(index, from: &places[Int(place)].active)
    places[Int(place)].counts.runningEnded(isRecovering: isRecovering)
  }

  /// Queued work is dropped or cancelled.
  mutating func removeQueued(_ index: Int32, at place: Int32) {
    links.remove(index, from: &places[Int(place)].queued)
    places[Int(place)].counts.queuedDropped()
  }

  /// Active work is cancelled.
  ///
  /// - Parameters:
  ///   - started: whether closures of it execute; then it stays until ``returned(_:at:keptSlot:)``.
  ///   - isRecovering: whether it has left its slot.
  ///   - keepsSlot: whether it holds its slot until then.
  mutating func cancelled(_ index: Int32, at place: Int32, started: Bool, isRecovering: Bool, keepsSlot: Bool) {
    if isRecovering { forgetPassed(index, at: place) }
    links.remove(index, from: &places[Int(place)].active)
    places[Int(place)].counts.runningCancelled(started: started, isRecovering: isRecovering, keepsSlot: keepsSlot)
    if started { links.append(index, to: &places[Int(place)].cancelling) }
  }

  /// The closure of cancelled work has returned.
  mutating func returned(_ index: Int32, at place: Int32, keptSlot: Bool) {
    links.remove(index, from: &places[Int(place)].cancelling)
    places[Int(place)].counts.cancelledReturned(keptSlot: keptSlot)
  }

  /// Work arrives that waits for its time.
  mutating func addWaiting(_ index: Int32, at place: Int32) {
    links.append(index, to: &places[Int(place)].waiting)
    places[Int(place)].counts.waitingArrived()
  }

  /// The time of work has come, or it is dropped or cancelled.
  mutating func removeWaiting(_ index: Int32, at place: Int32) {
    links.remove(index, from: &places[Int(place)].waiting)
    places[Int(place)].counts.waitingLeft()
  }

  /// An attempt of active work has run out of time: its closure stays until it has returned.
  mutating func addAbandoned(_ closure: Int32, at place: Int32) {
    links.append(closure, to: &places[Int(place)].cancelling)
    places[Int(place)].counts.attemptAbandoned()
  }

  /// Active work ends, and the closure of an attempt that ran out of time holds its slot from now on.
  mutating func keepSlot(at place: Int32) { places[Int(place)].counts.slotKept() }
}

// MARK: - What is known of an id

extension NameDirectory {
  /// Whether a debounce or throttle of an id is open.
  func hasWindow(at place: Int32) -> Bool { places[Int(place)].hasWindow }

  /// A window of an id has opened, or the last has closed.
  mutating func setWindow(_ isOpen: Bool, at place: Int32) { places[Int(place)].hasWindow = isOpen }

  /// Whether a tree of an id is active.
  func hasOpenTree(at place: Int32) -> Bool { places[Int(place)].openTrees > 0 }

  /// A tree of an id becomes active.
  mutating func treeOpened(at place: Int32) { places[Int(place)].openTrees += 1 }

  /// A tree of an id has ended.
  mutating func treeClosed(at place: Int32) { places[Int(place)].openTrees -= 1 }

  /// Whether the work of an id has declared another overlap, or different ones.
  func hasOtherOverlaps(than overlap: Overlap.Name, at place: Int32) -> Bool {
    places[Int(place)].overlap != overlap || places[Int(place)].isMixed
  }

  /// Whether the work of an id has, or had, different overlaps.
  func isMixed(at place: Int32) -> Bool { places[Int(place)].isMixed }

  /// All work of an id has declared this overlap.
  mutating func setOverlap(_ overlap: Overlap.Name, at place: Int32) { places[Int(place)].overlap = overlap }

  /// From now on the work of an id counts as having different overlaps, or as having one.
  mutating func setMixed(_ isMixed: Bool, at place: Int32) { places[Int(place)].isMixed = isMixed }
}
