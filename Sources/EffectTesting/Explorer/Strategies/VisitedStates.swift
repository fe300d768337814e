// This source file is part of swift-effects. License: Apache-2.0.

/// Goes through all states that can be reached: as ``DepthFirst``, but a schedule ends where it comes to a state that was reached
/// before. What can happen from there is known.
///
/// What a state is, and why two schedules that reach the same one go on alike, is said in
/// [0041](../../../../Docs/Decisions/0041-a-search-of-states.md).
struct VisitedStates: Strategy {
  private var all = DepthFirst()
  /// The states that were reached, as hashes.
  private(set) var states: Set<Int> = []
  /// Likewise with the origins of closures: of those that had not been compared, and of all.
  private var distinguished: Set<Int> = []

  /// The states of this schedule, with the numbers of choices before them.
  private var path: [(depth: Int, state: Int)] = []
  /// Whether this schedule ends at one of its own states.
  private(set) var closesCycle = false

  var finding: StrategyFinding { all.finding }

  mutating func begin() -> Bool {
    guard all.begin() else { return false }
    closesCycle = false
    while let last = path.last, last.depth > all.lastChoice { path.removeLast() }
    return true
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int {
    all.choose(among: options, last: last)
  }

  mutating func isKnown(_ state: () -> StateKey?) -> Bool {
    guard all.isBehindKnown, let key = state() else { return false }
    var isNew = states.insert(key.state).inserted
    if key.origins != 0 {
      let whole = RunHistories.mixed(key.state, key.origins)
      if key.difference != 0 {
        isNew =
          !distinguished.contains(whole)
          && distinguished.insert(RunHistories.mixed(key.state, key.difference)).inserted
      }
      if isNew { distinguished.insert(whole) }
    }
    if isNew {
      path.append((all.depth, key.state))
    } else {
      closesCycle = path.contains { $0.state == key.state }
    }
    return !isNew
  }
}

/// Random schedules after a search of states: they must come only to states that the search has reached.
struct StateWalk: Strategy {
  private var numbers: SeededNumbers
  private let states: Set<Int>
  private var hasBegun = false
  /// Whether a schedule came to another state.
  private(set) var hasLeft = false

  init(seed: UInt64, among states: Set<Int>) {
    numbers = SeededNumbers(seed: seed)
    self.states = states
  }

  mutating func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int {
    options.count == 1 ? 0 : numbers.next(below: options.count)
  }

  mutating func isKnown(_ state: () -> StateKey?) -> Bool {
    if !hasLeft, let state = state(), !states.contains(state.state) { hasLeft = true }
    return false
  }
}
