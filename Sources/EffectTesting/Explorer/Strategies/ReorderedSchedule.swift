// This source file is part of swift-effects. License: Apache-2.0.

/// Plays the steps of a recorded schedule in another order: at random, but no step before one that it conflicts with. So the
/// schedule is equivalent to the recorded one if independent steps are independent.
struct ReorderedSchedule: Strategy {
  private let steps: [RecordedStep]
  private var prelude: [Int32]
  private var numbers: SeededNumbers
  /// The steps that were not taken yet, in their order.
  private var left: [Int]
  private var current: Int?
  /// What the steps have touched that come before the current one in the recorded schedule, and were not taken yet.
  private var overtaken: Footprint = []
  private var choices: [Int32] = []
  private var jobs = JobOrigins()
  private var hasBegun = false
  /// Whether two steps have another order than in the recorded schedule.
  private(set) var isChanged = false
  /// Whether a step touched more where it was taken now, and so depends on a step that it has overtaken. Then the schedules are
  /// not equivalent.
  private(set) var isOther = false
  /// Whether a step was not possible that must be possible, or more could happen than in the recorded schedule.
  private(set) var isMisfit = false

  init(_ walk: RecordedWalk, seed: UInt64) {
    steps = walk.steps
    prelude = walk.prelude
    numbers = SeededNumbers(seed: seed)
    left = Array(walk.steps.indices)
  }

  var recordsSteps: Bool { true }
  /// Whether all steps were taken, and no other.
  var isComplete: Bool { left.isEmpty && !isMisfit }

  mutating func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int? {
    if options[0].step.kind == .choice { return number(of: options.count) }
    var candidates: [(place: Int, option: Int)] = []
    for place in left.indices where !isMisfit && isFree(place) {
      if let option = options.firstIndex(where: { isSame($0, as: steps[left[place]]) }) {
        candidates.append((place, option))
      }
    }
    // The first step that is left was possible when it was recorded, and only independent steps have been taken since.
    guard candidates.first?.place == 0 else {
      isMisfit = true
      current = nil
      return ReplayedSchedule.ending(among: options)
    }
    let candidate = candidates[numbers.next(below: candidates.count)]
    if candidate.place > 0 { isChanged = true }
    overtaken = left[..<candidate.place].reduce([]) { $0.union(steps[$1].footprint) }
    current = left.remove(at: candidate.place)
    choices = current.map { steps[$0].choices } ?? []
    return candidate.option
  }

  mutating func note(_ record: StepRecord) {
    guard let current else { return }
    jobs.note(record.jobs, of: current)
    if !record.footprint.isIndependent(of: overtaken) { isOther = true }
  }

  private mutating func number(of count: Int) -> Int {
    let number: Int32
    if current == nil, !prelude.isEmpty {
      number = prelude.removeFirst()
    } else if !choices.isEmpty {
      number = choices.removeFirst()
    } else {
      isMisfit = true
      return 0
    }
    guard number < count else {
      isMisfit = true
      return 0
    }
    return Int(number)
  }

  /// Whether no step that is left and comes before this one conflicts with it.
  private func isFree(_ place: Int) -> Bool {
    left[..<place].allSatisfy { steps[$0].footprint.isIndependent(of: steps[left[place]].footprint) }
  }

  private func isSame(_ option: ScheduleOption, as step: RecordedStep) -> Bool {
    guard option.step.kind == step.step.kind else { return false }
    return option.step.isJob ? jobs.origin(of: option) == step.origin : option.step.index == step.step.index
  }
}
