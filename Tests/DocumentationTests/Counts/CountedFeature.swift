// This source file is part of swift-effects. License: Apache-2.0.

/// A feature, reduced to the parts that determine its schedules: what an action starts and cancels, and where a run
/// waits. It is not a reducer, and it is independent of the explorer: ``CountedSchedules`` counts its schedules.
struct CountedFeature<State, Action> {
  typealias Effects = [CountedEffect<State, Action>]

  /// The values that the reducer uses for its decisions, and that mocks keep.
  var start: State
  var script: [Action]
  /// The faults that can be injected into a run of an id. A schedule has at most one fault.
  var faults: [String: [CountedFault]] = [:]
  var isEager = false
  /// The grain: whether one step is a job and all jobs that it makes ready.
  var descends = false
  /// The ids of runs that a cancel can reach behind an action. Their jobs stop behind each action that they send.
  var reached: Set<String> = []
  /// What is counted in addition to the orders of lines, deliveries, jobs and deadlines.
  var choices = CountedChoices.all
  var reduce: (inout State, Action) -> Effects

  func schedules() -> Int { CountedSchedules(self).rest() }
}

struct CountedChoices: OptionSet {
  let rawValue: Int

  /// Whether a closure that is cancelled before it is called may still be called.
  static let calls = CountedChoices(rawValue: 1)
  /// Whether an end that only deliveries and other ends can observe comes before one of them.
  static let ends = CountedChoices(rawValue: 2)
  static let all: CountedChoices = [calls, ends]
}

enum CountedFault { case fails, hangs, duplicates }

enum CountedEffect<State, Action> {
  case run(CountedRun<State, Action>)
  case cancel([String])
  case cancelEverything
  /// Is reduced in the same turn.
  case send(Action)
}

struct CountedRun<State, Action> {
  enum Part {
    case send(Action)
    /// Waits until the action has been reduced, and returns if it is not.
    case delivered(Action)
    case sleep(Int, goesOnIfCancelled: Bool = false)
    /// Calls an actor, and waits for the answer.
    case ask
    /// Goes on with parts that depend on the state.
    case look((inout State) -> [Part])
    /// Waits until the state fulfils the condition, or the run is cancelled, and goes on.
    case wait((State) -> Bool)
    case returnIfCancelled
    case fail
    /// Waits until it is cancelled.
    case hang
  }

  enum Overlap { case concurrent, restart, drop, enqueue, join }

  var id: String?
  /// The id of a tree around it, which can cancel it.
  var name: String?
  var overlap = Overlap.concurrent
  var input = ""
  var parts: [Part]
  /// The parts of its `catch`.
  var failure: [Part]?
  /// Its time limit.
  var limit: Int?
  /// The time between its effect and its start.
  var delay: Int?
  /// Keeps its slot until its closure has returned.
  var isExclusive = false
  /// Whether its end is always a step: a tree waits for it, it keeps a slot, or it has a time limit.
  var endIsStep = false
}
