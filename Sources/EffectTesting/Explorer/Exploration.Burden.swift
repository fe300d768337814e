// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// What most choices of a schedule are about. A test that has one of them less has far fewer schedules.
  enum Burden: Sendable {
    case script, generated, runs, deadlines

    /// What to do about it, for the text of a result.
    var advice: String {
      switch self {
      case .script: "most choices come from the script: try one action less"
      case .generated: "most choices come from generated actions: try one less"
      case .runs: "most choices come from runs: try one action less, or let a dependency answer at once"
      case .deadlines: "most choices come from deadlines: try one less"
      }
    }
  }
}
