// This source file is part of swift-effects. License: Apache-2.0.

/// Plays the steps of a recorded schedule, except that one step waits until a later one has been taken. What depends on the
/// step that waits comes later as well, and after the last step that is possible it goes on to the end.
struct ExchangedSchedule: Strategy {
  private let steps: [RecordedStep]
  private let first: Int
  private let second: Int
  private var prelude: [Int32]
  /// The steps that were not taken yet, in their order.
  private var left: [Int]
  private var current: Int?
  private var choices: [Int32] = []
  private var jobs = JobOrigins()
  private var hasBegun = false
  private var hasSteps = false

  /// - Parameters:
  ///   - recorded: the steps and what the body has chosen.
  ///   - first: the number of the step that waits.
  ///   - second: the number of the step that it waits for.
  init(_ recorded: RecordedSchedule, _ first: Int, after second: Int) {
    steps = recorded.steps
    prelude = recorded.prelude
    (self.first, self.second) = (first, second)
    left = Array(recorded.steps.indices)
  }

  mutating func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int {
    if options[0].step.kind == .choice { return number(of: options.count) }
    hasSteps = true
    let waits = left.contains(second)
    for place in left.indices where !waits || left[place] != first {
      let step = steps[left[place]]
      if let option = options.firstIndex(where: { isSame($0, as: step) }) {
        take(place)
        return option
      }
    }
    current = nil
    choices = []
    return ReplayedSchedule.ending(among: options)
  }

  private mutating func take(_ place: Int) {
    let step = left.remove(at: place)
    current = step
    choices = steps[step].choices
  }

  mutating func note(jobs numbers: Range<Int32>) {
    if let current { jobs.note(numbers, of: current) }
  }

  private mutating func number(of count: Int) -> Int {
    var number: Int32 = 0
    if !hasSteps, !prelude.isEmpty {
      number = prelude.removeFirst()
    } else if !choices.isEmpty {
      number = choices.removeFirst()
    }
    return Int(min(number, Int32(count) - 1))
  }

  private func isSame(_ option: ScheduleOption, as step: RecordedStep) -> Bool {
    guard option.step.kind == step.step.kind else { return false }
    return option.step.isJob ? jobs.origin(of: option) == step.origin : option.step.index == step.step.index
  }
}
