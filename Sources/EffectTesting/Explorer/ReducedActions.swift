// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The actions that a schedule has reduced, in their order.
struct ReducedActions {
  struct Reduced: Equatable {
    /// As in a failure text.
    var text: String
    /// The same without numbers of runs, which differ in another order, and with a number among equal ones.
    var identity: String
    /// The run that sent it, likewise.
    var run: String?
  }

  private(set) var all: [Reduced] = []
  /// The runs of the schedule.
  private var runs: Set<String> = []

  init(_ events: [TraceEvent<any Sendable>]) {
    var counts: [String: Int] = [:]
    var sends: [String: Int] = [:]
    for event in events {
      if case .reduced(let action, .user) = event.kind { sends[TraceText.of(action), default: 0] += 1 }
    }
    let runs = Self.runs(events)
    self.runs = Set(runs.values)
    for event in events {
      guard case .reduced(let action, let source) = event.kind else { continue }
      let what = "`\(TraceText.of(action))`"
      var reduced = Reduced(text: what, identity: what)
      switch source {
      case .run(let run?):
        reduced.text += " of run \(run.number)"
        reduced.identity += " of \(run.description)"
        reduced.run = runs[run.number]
      case .user(_, let site?) where sends[TraceText.of(action), default: 0] > 1: reduced.text += " sent at \(site)"
      case .user, .run, .followUp: break
      }
      counts[reduced.identity, default: 0] += 1
      reduced.identity += " \(counts[reduced.identity, default: 0])"
      all.append(reduced)
    }
  }

  /// Each run with its number among those of the same description, by its number in the schedule.
  private static func runs(_ events: [TraceEvent<any Sendable>]) -> [UInt64: String] {
    var counts: [String: Int] = [:]
    var runs: [UInt64: String] = [:]
    for event in events {
      guard case .run(let run, .registered) = event.kind else { continue }
      let name = "\(run.description)"
      counts[name, default: 0] += 1
      runs[run.number] = "\(name) \(counts[name, default: 0])"
    }
    return runs
  }

  /// The pairs of actions that the other schedule reduces in the other order.
  ///
  /// None if the other schedule does not reduce one of these actions although it has the run that sends it, for example
  /// because a deadline came at another moment: then it does not differ by an order alone.
  func exchanged(in other: ReducedActions) -> [(first: Reduced, second: Reduced)] {
    var places: [String: Int] = [:]
    for (place, reduced) in other.all.enumerated() { places[reduced.identity] = place }
    var pairs: [(first: Reduced, second: Reduced)] = []
    for (index, second) in all.enumerated() {
      guard let secondPlace = places[second.identity] else {
        // A run that does not start in the other order is a consequence of the order.
        if let run = second.run, !other.runs.contains(run) { continue }
        return []
      }
      for first in all[..<index] {
        if let firstPlace = places[first.identity], firstPlace > secondPlace { pairs.append((first, second)) }
      }
    }
    return pairs
  }
}
