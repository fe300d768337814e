// This source file is part of swift-effects. License: Apache-2.0.

/// One step of a schedule, as a value and as text: `u d e1 t0 c2`.
struct ScheduleStep: Hashable, Sendable {
  enum Kind: UInt8, Sendable {
    /// The next step of a sender is taken. The script itself is the sender 0.
    case script
    /// The next message of the mailbox is taken, with its whole turn.
    case delivery
    /// A ready job proceeds: the oldest is 0.
    case job
    /// As ``job``, but the job stops after the first action that it sends, because a cancel can reach its run there. The rest of it
    /// is then a ready job.
    case jobPart
    /// The next deadline fires. Of several at one instant, the one that was set first is 0.
    case deadline
    /// A number is chosen, for the script, a mock or a fault.
    case choice
    /// The next step of a sender is left out. Only the replay of a shortened schedule chooses this.
    case omission
    /// The end of a run whose closure has returned is taken. The end that has waited longest is 0.
    case end
  }

  var kind: Kind
  var index: Int32 = 0

  /// Whether a job is executed, or a part of it.
  var isJob: Bool { kind == .job || kind == .jobPart }
}

extension ScheduleStep: CustomStringConvertible {
  var description: String {
    switch kind {
    case .script: index == 0 ? "u" : "u\(index)"
    case .delivery: "d"
    case .job: "e\(index)"
    case .jobPart: "h\(index)"
    case .deadline: "t\(index)"
    case .choice: "c\(index)"
    case .omission: index == 0 ? "s" : "s\(index)"
    case .end: "r\(index)"
    }
  }

  /// Reads one step; `nil` if the text is not a step.
  init?(_ text: Substring) {
    guard let letter = text.first else { return nil }
    let digits = text.dropFirst()
    guard let index = digits.isEmpty ? 0 : Int32(digits), index >= 0 else { return nil }
    switch letter {
    case "u": self.init(kind: .script, index: index)
    case "d": self.init(kind: .delivery)
    case "e": self.init(kind: .job, index: index)
    case "h": self.init(kind: .jobPart, index: index)
    case "t": self.init(kind: .deadline, index: index)
    case "c": self.init(kind: .choice, index: index)
    case "s": self.init(kind: .omission, index: index)
    case "r": self.init(kind: .end, index: index)
    default: return nil
    }
  }

  static func text(of steps: some Sequence<ScheduleStep>) -> String {
    steps.map(\.description).joined(separator: " ")
  }

  /// As text, with the level in front, unless it is the highest one.
  static func text(of steps: some Sequence<ScheduleStep>, at level: Exploration.Level) -> String {
    (level == .steps ? "" : "\(level): ") + text(of: steps)
  }

  /// Reads a schedule. If a word is not a step, it returns no steps, and this word as `stranger`.
  static func schedule(in text: String) -> (level: Exploration.Level, steps: [ScheduleStep]?, stranger: Substring?) {
    var level = Exploration.Level.steps
    var steps: [ScheduleStep] = []
    for (index, word) in text.split(whereSeparator: \.isWhitespace).enumerated() {
      if index == 0, word.last == ":",
        let head = Exploration.Level.allCases.first(where: { "\($0)" == word.dropLast() })
      {
        level = head
        continue
      }
      guard let step = ScheduleStep(word) else { return (level, nil, word) }
      steps.append(step)
    }
    return (level, steps, nil)
  }
}

extension ScheduleStep {
  /// Schedules whose generated values may be simpler: a choice is smaller, and choices that only the larger one had are
  /// left out. For example an array that is shorter by one element.
  static func simplerValues(than steps: [ScheduleStep]) -> [[ScheduleStep]] {
    // A script is built before anything happens. Later choices belong to mocks and faults.
    let end = steps.prefix { $0.kind == .choice }.count
    guard end > 1 else { return [] }
    var found: [[ScheduleStep]] = []
    for index in 0..<end {
      // Large numbers first in great steps.
      for smaller in [0, steps[index].index / 2] where smaller < steps[index].index {
        var lower = steps
        lower[index].index = smaller
        found.append(lower)
      }
      let last = min(end, index + 9)
      // An action with its values, and the line of the script that it has become.
      for behind in index + 2..<max(index + 2, last) {
        var fewer = steps
        fewer.removeSubrange(index..<behind)
        if let line = fewer.firstIndex(where: { $0.kind == .omission || $0.kind == .script }) {
          var omitted = fewer
          omitted.remove(at: line)
          found.append(omitted)
        }
        found.append(fewer)
      }
      guard steps[index].index > 0 else { continue }
      for start in index + 1..<max(index + 1, last) {
        for length in 1...2 where start + length <= end {
          var fewer = steps
          fewer[index].index -= 1
          fewer.removeSubrange(start..<start + length)
          found.append(fewer)
        }
      }
      for behind in index + 2..<max(index + 2, last) {
        var none = steps
        none[index].index = 0
        none.removeSubrange(index + 1..<behind)
        found.append(none)
      }
    }
    return found
  }
}
