// This source file is part of swift-effects. License: Apache-2.0.

/// The choices of a schedule that is begun once more, until all of them have been made again.
struct RepeatedSteps {
  private let steps: [ScheduleStep]
  private var position = 0
  /// The subsets of generated actions that the strategy has chosen.
  private(set) var subsets: [[Int]?]
  private var subsetCount = 0
  /// The sender whose step was left out last.
  private(set) var omitted: Int32?

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
    guard position < steps.count else {
      omitted = nil
      return nil
    }
    defer { position += 1 }
    omitted = steps[position].kind == .omission ? steps[position].index : nil
    return steps[position]
  }

  /// The subset that was chosen here, or a new one.
  mutating func subset(_ make: () -> [Int]?) -> [Int]? {
    if subsetCount == subsets.count { subsets.append(make()) }
    defer { subsetCount += 1 }
    return subsets[subsetCount]
  }
}
