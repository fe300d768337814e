// This source file is part of swift-effects. License: Apache-2.0.

/// One step of a schedule, as a value and as text: `u d e1 t0 c2`.
struct ScheduleStep: Hashable, Sendable {
  enum Kind: UInt8, Sendable {
    /// The next step of the script is taken.
    case script
    /// The next message of the mailbox is taken, with all of its turn.
    case delivery
    /// A ready job proceeds: the oldest is 0.
    case job
    /// The next deadline fires; of several at one instant the one that was set first is 0.
    case deadline
    /// The script asked for a number.
    case choice
    /// The next step of the script is left out. Nobody chooses that but a replay of what was shortened.
    case omission
    /// The end of a run whose closure has returned is taken; the one that has waited longest is 0.
    case end
  }

  var kind: Kind
  var index: Int32 = 0
}

extension ScheduleStep: CustomStringConvertible {
  var description: String {
    switch kind {
    case .script: "u"
    case .delivery: "d"
    case .job: "e\(index)"
    case .deadline: "t\(index)"
    case .choice: "c\(index)"
    case .omission: "s"
    case .end: "r\(index)"
    }
  }

  /// Reads one step; `nil` if it is none.
  init?(_ text: Substring) {
    guard let letter = text.first else { return nil }
    let digits = text.dropFirst()
    guard let index = digits.isEmpty ? 0 : Int32(digits), index >= 0 else { return nil }
    switch letter {
    case "u": self.init(kind: .script)
    case "d": self.init(kind: .delivery)
    case "e": self.init(kind: .job, index: index)
    case "t": self.init(kind: .deadline, index: index)
    case "c": self.init(kind: .choice, index: index)
    case "s": self.init(kind: .omission)
    case "r": self.init(kind: .end, index: index)
    default: return nil
    }
  }

  static func text(of steps: some Sequence<ScheduleStep>) -> String {
    steps.map(\.description).joined(separator: " ")
  }

  /// As text, headed by the grain at which the steps mean what they do, unless that is the finest.
  static func text(of steps: some Sequence<ScheduleStep>, at grain: Exploration.Grain) -> String {
    (grain == .everyJob ? "" : "\(grain): ") + text(of: steps)
  }

  /// Reads a schedule; no steps and the word that is none, if there is one.
  static func schedule(in text: String) -> (grain: Exploration.Grain, steps: [ScheduleStep]?, stranger: Substring?) {
    var grain = Exploration.Grain.everyJob
    var steps: [ScheduleStep] = []
    for (index, word) in text.split(whereSeparator: \.isWhitespace).enumerated() {
      if index == 0, word.last == ":", let head = Exploration.Grain(rawValue: String(word.dropLast())) {
        grain = head
        continue
      }
      guard let step = ScheduleStep(word) else { return (grain, nil, word) }
      steps.append(step)
    }
    return (grain, steps, nil)
  }
}
