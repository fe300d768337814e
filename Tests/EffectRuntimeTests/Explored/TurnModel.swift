// This source file is part of swift-effects. License: Apache-2.0.

/// The order in which a store reduces, implemented a second time: the mailbox, a turn, and two limits.
struct TurnModel {
  /// After so many actions the rest of a turn goes behind the mailbox (rule T5).
  var followUpLimit: Int
  /// A slice ends after so many steps (rule T6).
  var budget: Int
  var followUps: (Int) -> [Int]
  private(set) var reduced: [Int] = []
  private var mailbox: [Entry] = []
  private var turn: [Int] = []
  private var countInTurn = 0
  private var accepted = 0
  private var taken = 0

  private enum Entry { case action(Int), rest([Int]) }

  init(followUpLimit: Int, budget: Int, followUps: @escaping (Int) -> [Int]) {
    self.followUpLimit = followUpLimit
    self.budget = budget
    self.followUps = followUps
  }

  var isIdle: Bool { mailbox.isEmpty && turn.isEmpty }

  mutating func accept(_ action: Int) {
    accepted += 1
    mailbox.append(.action(action))
  }

  mutating func takeSlice() {
    for _ in 0..<budget { takeStep() }
  }

  /// What an inline send and a read do: all that was accepted before, and the turn that is open.
  mutating func catchUp() {
    let goal = accepted
    while taken < goal || !turn.isEmpty { takeStep() }
  }

  private mutating func takeStep() {
    if turn.isEmpty {
      guard !mailbox.isEmpty else { return }
      switch mailbox.removeFirst() {
      case .action(let action):
        taken += 1
        turn = [action]
      case .rest(let rest):
        turn = rest
        return
      }
    }
    let action = turn.removeFirst()
    reduced.append(action)
    turn += followUps(action)
    countInTurn += 1
    if turn.isEmpty {
      countInTurn = 0
    } else if countInTurn == followUpLimit {
      mailbox.append(.rest(turn))
      (turn, countInTurn) = ([], 0)
    }
  }
}
