// This source file is part of swift-effects. License: Apache-2.0.

/// A feature, reduced to what its schedules depend on: what an action starts and cancels, and where a run waits. It is no
/// reducer, and the explorer does not know it: its schedules are counted by ``CountedSchedules``.
struct CountedFeature<State, Action> {
  typealias Effects = [CountedEffect<State, Action>]

  /// What the reducer decides by, and what mocks remember.
  var start: State
  var script: [Action]
  /// What may go wrong with a run of an id. One fault strikes in a schedule.
  var faults: [String: [CountedFault]] = [:]
  var isEager = false
  /// The grain: whether one step is a job and all that it makes ready.
  var descends = false
  /// What is counted beside the orders of lines, deliveries, jobs and deadlines.
  var choices = CountedChoices.all
  var reduce: (inout State, Action) -> Effects

  func schedules() -> Int { CountedSchedules(self).rest() }
}

struct CountedChoices: OptionSet {
  let rawValue: Int

  /// Whether a run that is cancelled before its closure is called is called all the same.
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
    /// Asks an actor, and waits for the answer.
    case ask
    /// Goes on with what it finds in the state.
    case look((inout State) -> [Part])
    /// Waits until the state is so, or the run is cancelled, and goes on.
    case wait((State) -> Bool)
    case returnIfCancelled
    case fail
    /// Waits until it is cancelled.
    case hang
  }

  enum Overlap { case concurrent, restart, drop, enqueue, join }

  var id: String?
  /// The id of a tree around it, by which it is cancelled.
  var name: String?
  var overlap = Overlap.concurrent
  var input = ""
  var parts: [Part]
  /// What its `catch` does.
  var failure: [Part]?
  /// How long it may take.
  var limit: Int?
  /// How long after its effect it begins.
  var delay: Int?
  /// Keeps its place until its closure has returned.
  var isExclusive = false
  /// Whether its end is a step wherever it comes: a tree waits for it, it keeps a place, or it has a time limit.
  var endIsStep = false
}
