// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Which parts of a phase are being searched, and which are still needed.
struct PartBoard {
  private let budget: Int
  private var next = 0
  /// The last part that is needed, as far as is known.
  private var last: Int
  private(set) var outcomes: [PartOutcome?]

  init(count: Int, budget: Int) {
    self.budget = budget
    last = count - 1
    outcomes = Array(repeating: nil, count: count)
  }

  /// The next part to search; `nil` if all that are needed have been taken.
  mutating func take() -> Int? {
    guard next <= last else { return nil }
    defer { next += 1 }
    return next
  }

  func isNeeded(_ part: Int) -> Bool { part <= last }

  /// A part was searched. No later part is needed if it ends the phase, or if the budget is spent up to it.
  mutating func end(_ part: Int, _ outcome: PartOutcome) {
    outcomes[part] = outcome
    if outcome.endsPhase { last = min(last, part) }
    var spent = 0
    for (index, outcome) in outcomes.enumerated() {
      guard let outcome else { return }
      spent += outcome.count
      if spent >= budget {
        last = min(last, index)
        return
      }
    }
  }
}

/// A board that the tasks share that search the parts.
final class SharedPartBoard: Sendable {
  let board: Lock<PartBoard>

  init(_ board: PartBoard) { self.board = Lock(board) }
}
