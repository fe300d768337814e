// This source file is part of swift-effects. License: Apache-2.0.

/// The named states that at least one schedule must reach, and which of them have been reached.
///
/// One for all schedules of an exploration: each schedule has conditions of its own, which are identified by their
/// names.
struct Sometimes {
  private var names: [String] = []
  private var isReached: [Bool] = []
  /// How many have not been reached.
  private var left = 0
  /// For each condition of the current schedule the index of its name.
  private var indices: [Int] = []

  /// A schedule begins, with conditions of these names. Two conditions with the same name are two states.
  mutating func begin(_ conditions: KeyValuePairs<String, some Any>) {
    if indices.count == conditions.count, zip(conditions, indices).allSatisfy({ names[$1] == $0.key }) { return }
    indices = []
    for (name, _) in conditions {
      if let index = names.indices.first(where: { names[$0] == name && !indices.contains($0) }) {
        indices.append(index)
        continue
      }
      indices.append(names.count)
      names.append(name)
      isReached.append(false)
      left += 1
    }
  }

  /// Evaluates the conditions that have not held yet.
  mutating func check<State>(_ conditions: KeyValuePairs<String, (State) -> Bool>, in state: State) {
    guard left > 0 else { return }
    for (condition, index) in zip(conditions, indices) where !isReached[index] && condition.value(state) {
      isReached[index] = true
      left -= 1
    }
  }

  /// The names of those that no schedule has reached.
  var unreached: [String] { names.indices.filter { !isReached[$0] }.map { names[$0] } }
}
