// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

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
