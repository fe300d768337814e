// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The parts of a phase, which may be searched beside each other. One after another, they are the whole phase: what was
/// found does not depend on where and when each part was searched.
struct SearchParts: Sendable {
  let count: Int
  /// Makes the part with a number: a large budget has more parts than there is memory for.
  let part: @Sendable (Int) -> Exploration.Search.Phase

  /// How many schedules a part of a random search has.
  static let length = 500
  /// How many parts a depth-first search has at least, if there are as many schedules.
  static let leastCount = 32

  /// The parts of a random phase; `nil` if the phase is not random.
  static func random(_ phase: Exploration.Search.Phase, budget: Int) -> SearchParts? {
    let make: @Sendable (Int) -> any Strategy
    switch phase.strategy {
    case let walk as RandomWalk: make = { walk.part($0) }
    case let walk as PriorityWalk: make = { walk.part($0) }
    default: return nil
    }
    let (whole, rest) = budget.quotientAndRemainder(dividingBy: length)
    return SearchParts(count: rest > 0 ? whole + 1 : whole) { number in
      Exploration.Search.Phase(
        level: phase.level, strategy: make(number), share: number < whole ? length : rest)
    }
  }
}

/// What was found in a part.
struct PartOutcome: Sendable {
  var result: Exploration
  var failureText: String?
  var broken: Explorer.Broken?
  var evidence: SearchEvidence
  var knowledge: SearchKnowledge

  /// How much of the budget it has used.
  var count: Int { result.spent }
  var hasFailed: Bool { broken != nil || failureText != nil }
  /// Whether no part after this one is needed.
  var endsPhase: Bool { hasFailed || mustRestart }
  /// Whether the phase begins again, because more can happen in its schedules than was known.
  var mustRestart: Bool { knowledge.hasReachedMore && !hasFailed && !isRandom }
  /// Whether its schedules were chosen at random. Then none was left out because of what was not known.
  var isRandom: Bool { result.chances > 0 }
  /// Whether all of its schedules were run.
  var isComplete: Bool { result.completeLevel != nil || result.exhausted != nil }
}

/// Which parts of a phase are being searched, and which are still needed.
struct PartBoard {
  private let budget: Int
  /// The last part that is needed, as far as is known.
  private var last: Int
  /// What was found in each part that was taken; `nil` while it is searched.
  private(set) var outcomes: [PartOutcome?] = []
  /// How many parts have an outcome, and so have all before them; and how much of the budget these have used.
  private var settled = (parts: 0, spent: 0)

  init(count: Int, budget: Int) {
    self.budget = budget
    last = count - 1
  }

  /// The next part to search; `nil` if all that are needed have been taken.
  mutating func take() -> Int? {
    guard outcomes.count <= last else { return nil }
    outcomes.append(nil)
    return outcomes.count - 1
  }

  func isNeeded(_ part: Int) -> Bool { part <= last }

  /// A part was searched. No later part is needed if it ends the phase, or if the budget is spent up to it.
  mutating func end(_ part: Int, _ outcome: PartOutcome) {
    outcomes[part] = outcome
    if outcome.endsPhase { last = min(last, part) }
    while settled.parts < outcomes.count, let outcome = outcomes[settled.parts] {
      settled.spent += outcome.count
      if settled.spent >= budget { last = min(last, settled.parts) }
      settled.parts += 1
    }
  }
}

/// A board that the tasks share that search the parts.
final class SharedPartBoard: Sendable {
  let board: Lock<PartBoard>

  init(_ board: PartBoard) { self.board = Lock(board) }
}
