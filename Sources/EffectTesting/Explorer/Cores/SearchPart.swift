// This source file is part of swift-effects. License: Apache-2.0.

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
