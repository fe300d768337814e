// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The actions that a schedule has reduced, in their order.
struct ReducedActions {
  struct Reduced: Equatable {
    /// As in a failure text.
    var text: String
    /// The same without numbers of runs, which differ in another order, and with a number among equal ones.
    var identity: String
  }

  private(set) var all: [Reduced] = []

  init(_ events: [TraceEvent<any Sendable>]) {
    var counts: [String: Int] = [:]
    var sends: [String: Int] = [:]
    for event in events {
      if case .reduced(let action, .user) = event.kind { sends[TraceText.of(action), default: 0] += 1 }
    }
    for event in events {
      guard case .reduced(let action, let source) = event.kind else { continue }
      let what = "`\(TraceText.of(action))`"
      var reduced = Reduced(text: what, identity: what)
      switch source {
      case .run(let run?):
        reduced.text += " of run \(run.number)"
        reduced.identity += " of \(run.description)"
      case .user(_, let site?) where sends[TraceText.of(action), default: 0] > 1: reduced.text += " sent at \(site)"
      case .user, .run, .followUp: break
      }
      counts[reduced.identity, default: 0] += 1
      reduced.identity += " \(counts[reduced.identity, default: 0])"
      all.append(reduced)
    }
  }

  /// The pairs of actions that the other schedule reduces in the other order. None if the other schedule does not reduce all
  /// of these actions: then it does not differ by their order alone.
  func exchanged(in other: ReducedActions) -> [(first: Reduced, second: Reduced)] {
    var places: [String: Int] = [:]
    for (place, reduced) in other.all.enumerated() { places[reduced.identity] = place }
    var pairs: [(first: Reduced, second: Reduced)] = []
    for (index, second) in all.enumerated() {
      guard let secondPlace = places[second.identity] else { return [] }
      for first in all[..<index] {
        if let firstPlace = places[first.identity], firstPlace > secondPlace { pairs.append((first, second)) }
      }
    }
    return pairs
  }
}
