// This source file is part of swift-effects. License: Apache-2.0.

/// Which part of the generated actions a random schedule uses.
///
/// Every second schedule uses all. The others use a random part, to which each action belongs with probability one half. A
/// schedule without the actions that undo what others have done reaches states that a schedule with all of them hardly
/// reaches. The schedules with all actions bound the loss for a bug that needs many different actions: at most twice as
/// many schedules until it is found.
///
/// - Origin: Groce, Zhang, Eide, Chen, Regehr, "Swarm Testing", ISSTA 2012.
struct Swarm {
  /// Whether some schedules use a part of the actions.
  var isOn = false
  private var schedules = 0

  init(isOn: Bool) {
    self.isOn = isOn
  }

  mutating func begin() { schedules += 1 }

  /// The actions of this schedule; `nil` for all. With two actions there is nothing to gain that a random search misses.
  func subset(of count: Int, _ numbers: inout SeededNumbers) -> [Int]? {
    guard isOn, count > 2, schedules.isMultiple(of: 2) else { return nil }
    let part = (0..<count).filter { _ in numbers.next(below: 2) == 0 }
    return part.isEmpty ? nil : part
  }
}
