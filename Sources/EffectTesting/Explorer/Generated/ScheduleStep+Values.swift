// This source file is part of swift-effects. License: Apache-2.0.

extension ScheduleStep {
  /// Schedules whose generated values may be simpler: a choice is smaller, and choices that only the larger one had are
  /// left out. For example an array that is shorter by one element.
  static func simplerValues(than steps: [ScheduleStep]) -> [[ScheduleStep]] {
    // A script is built before anything happens. Later choices belong to mocks and faults.
    let end = steps.prefix { $0.kind == .choice }.count
    guard end > 1 else { return [] }
    var found: [[ScheduleStep]] = []
    for index in 0..<end {
      // Large numbers first in great steps.
      for smaller in [0, steps[index].index / 2] where smaller < steps[index].index {
        var lower = steps
        lower[index].index = smaller
        found.append(lower)
      }
      let last = min(end, index + 9)
      // An action with its values, and the line of the script that it has become.
      for behind in index + 2..<max(index + 2, last) {
        var fewer = steps
        fewer.removeSubrange(index..<behind)
        if let line = fewer.firstIndex(where: { $0.kind == .omission || $0.kind == .script }) {
          var omitted = fewer
          omitted.remove(at: line)
          found.append(omitted)
        }
        found.append(fewer)
      }
      guard steps[index].index > 0 else { continue }
      for start in index + 1..<max(index + 1, last) {
        for length in 1...2 where start + length <= end {
          var fewer = steps
          fewer[index].index -= 1
          fewer.removeSubrange(start..<start + length)
          found.append(fewer)
        }
      }
      for behind in index + 2..<max(index + 2, last) {
        var none = steps
        none[index].index = 0
        none.removeSubrange(index + 1..<behind)
        found.append(none)
      }
    }
    return found
  }
}
