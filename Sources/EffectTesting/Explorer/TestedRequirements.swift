// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Which requirements have been tested by any schedule: a requirement that no schedule has tested proves nothing.
struct TestedRequirements {
  /// What must happen in some schedule.
  enum Part: Hashable {
    /// A run is started.
    case start(name: String)
    /// A run is cancelled whose closure has not returned.
    case cancel
    /// A run of an id is started that `.noDeadlock(except:)` names.
    case startOf(EffectID)
    /// The condition of the `.isRunning` requirement with this number holds.
    case condition(Int, of: EffectID, isExact: Bool)
    /// A request is answered, of which a failure has this name.
    case answer(String)
  }

  private var known: Set<Part> = []
  /// What has not happened yet, in the order in which it was required.
  private(set) var left: [Part] = []

  mutating func begin<State>(_ requirements: [Exploration.Requirement<State>]) {
    for (number, requirement) in requirements.enumerated() {
      switch requirement.kind {
      // Holds without any run. A reducer that starts a run by mistake violates it, so it is always tested.
      case .nothingRuns, .tasksEnd: break
      case .nothingDropped: require(.start(name: ".nothingDropped"))
      case .cancellationIsHeeded: require(.cancel)
      case .noDeadlock(let ids):
        if ids.isEmpty { require(.start(name: ".noDeadlock()")) }
        for id in ids { require(.startOf(id)) }
      case .isRunning(let id, let isExact, _): require(.condition(number, of: id, isExact: isExact))
      }
    }
  }

  private mutating func require(_ part: Part) {
    if known.insert(part).inserted { left.append(part) }
  }

  /// A run was started.
  mutating func started(_ id: EffectID?) {
    left.removeAll { part in
      switch part {
      case .start: true
      case .startOf(let required): required == id
      case .cancel, .condition, .answer: false
      }
    }
  }

  /// A run was cancelled whose closure had not returned.
  mutating func cancelled() { left.removeAll { $0 == .cancel } }

  /// A script has a request.
  mutating func requested(_ name: String) { require(.answer(name)) }

  /// A request has been answered.
  mutating func answered(_ name: String) { left.removeAll { $0 == .answer(name) } }

  /// The condition of a requirement has held.
  mutating func held(_ number: Int, of id: EffectID, isExact: Bool) {
    left.removeAll { $0 == .condition(number, of: id, isExact: isExact) }
  }
}
