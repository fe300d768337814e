// This source file is part of swift-effects. License: Apache-2.0.

/// The choices of a schedule that is begun once more, until all of them have been made again.
struct RepeatedSteps {
  private let steps: [ScheduleStep]
  private var position = 0
  /// The subsets of generated actions that the strategy has chosen.
  private(set) var subsets: [[Int]?]
  private var subsetCount = 0

  init(_ steps: [ScheduleStep] = [], subsets: [[Int]?] = []) {
    self.steps = steps
    self.subsets = subsets
  }

  var isEmpty: Bool { steps.isEmpty }

  /// Whether further choices are made again.
  var hasMore: Bool { position < steps.count }

  /// The step that was chosen here; `nil` if none was.
  @inline(__always)
  mutating func next() -> ScheduleStep? { steps.isEmpty ? nil : takeNext() }

  private mutating func takeNext() -> ScheduleStep? {
    guard position < steps.count else { return nil }
    defer { position += 1 }
    return steps[position]
  }

  /// The subset that was chosen here, or a new one.
  mutating func subset(_ make: () -> [Int]?) -> [Int]? {
    if subsetCount == subsets.count { subsets.append(make()) }
    defer { subsetCount += 1 }
    return subsets[subsetCount]
  }
}
