// This source file is part of swift-effects. License: Apache-2.0.

/// Decides what happens next, schedule after schedule.
///
/// A value without access to tasks or stores: it is given what can happen and returns a number.
protocol Strategy: Sendable {
  /// Begins the next schedule; `false` if there is none left.
  mutating func begin() -> Bool
  /// Which option happens next.
  ///
  /// - Parameters:
  ///   - options: all that can happen, at least one, in one fixed order.
  ///   - last: the agent that acted last.
  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int
  /// The step that was chosen last is over. These jobs became ready in it.
  mutating func note(jobs: Range<Int32>)
  /// A state was reached. Returns whether what can happen from there is known. Only called where states are compared.
  ///
  /// - Parameter state: reads the state, which takes time; `nil` if it is not known.
  mutating func isKnown(_ state: () -> StateKey?) -> Bool
  /// The generated actions that this schedule uses, of `count` ones; `nil` for all.
  mutating func subset(of count: Int) -> [Int]?
  /// What was found out about the schedules so far.
  var finding: StrategyFinding { get }
}

/// What a strategy has found out about the schedules it has chosen.
enum StrategyFinding: Equatable {
  case none
  /// What can happen at that step differs from what could happen there before.
  case diverged(at: Int)
}

extension Strategy {
  mutating func note(jobs: Range<Int32>) {}
  mutating func isKnown(_ state: () -> StateKey?) -> Bool { false }
  mutating func subset(of count: Int) -> [Int]? { nil }
  var finding: StrategyFinding { .none }
}

/// Something that can happen next.
struct ScheduleOption: Equatable {
  var step: ScheduleStep
  /// What acts: the script, the mailbox, the clock, ends of runs, or a chain of jobs, each made ready by the one
  /// before.
  var agent: Int32
  /// The number of a job among all jobs of the schedule, in the order in which they became ready.
  var job: Int32 = 0
}

/// The agents that are no chain of jobs, and the number of the first chain.
enum ScheduleAgent {
  static let none: Int32 = -1
  static let script: Int32 = 0
  static let mailbox: Int32 = 1
  static let clock: Int32 = 2
  static let ends: Int32 = 3
  static let firstOfJobs: Int32 = 4

  /// The agent of a sender.
  static func sender(_ number: Int32) -> Int32 { number == 0 ? script : .max - number }
}

/// Random numbers that depend only on a seed, on every machine.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  // SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below a bound. Does not use the standard library's algorithm, because that may change.
  mutating func next(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
