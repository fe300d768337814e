// This source file is part of swift-effects. License: Apache-2.0.

/// The result of an exploration.
public struct Exploration: Sendable {
  /// How many schedules were run.
  public internal(set) var schedules = 0
  /// How many of them reached a limit of steps or deadlines, so that they prove nothing.
  package internal(set) var cut = 0
  /// The highest level of which everything has been tried; `nil` if none was completed.
  ///
  /// An exploration is never complete if schedules were cut, if work was outside of the explorer's control, or if runs
  /// still waited at the end of a schedule. ``description`` says what it was.
  public var completeLevel: Exploration.Level? { completed.last?.level }
  /// The levels that are complete, from the lowest one on: how many schedules were run to their end, and how many states the
  /// feature can reach; `nil` if states could not be compared.
  public internal(set) var completed: [(level: Exploration.Level, schedules: Int, states: Int?)] = []
  /// Whether closures share memory that only a difference has shown.
  var hasSurprise = false
  /// The shortest schedule found that violates a property, as `replaying:` takes it; `nil` if none does.
  public internal(set) var failure: String?
  /// What the explorer did not choose: runs that left its control, for the main actor or another executor;
  /// and the time, with the runs that read it. Here no time passes while code executes.
  package internal(set) var gaps: [String] = []
  /// Runs that still waited when nothing could happen any more, and that no `.noDeadlock(except:)` allows to wait. They
  /// may wait for a stream that the test holds, or for the outside world, so that more could happen.
  package internal(set) var waiting: [String] = []
  /// How many schedules ended with such runs.
  package internal(set) var waitingCount = 0
  /// How many of the gaps are reads of the time: the time changes from store to store, and not from schedule to
  /// schedule.
  var timeGaps: [String] = []
  /// Which of the gaps are histories of requests that are not decided.
  var historyGaps: [String] = []
  /// Whether work has left the explorer's control, so that it comes back at any time.
  var hasLeft: Bool { gaps.count > timeGaps.count + historyGaps.count }
  /// What would be complete if no schedule had been cut, no run had been waiting, and no run had left.
  var exhausted: Exhausted?
  /// Which limits cut schedules.
  var limits: [String] = []
  /// The runs that slept in schedules that were cut.
  var ongoing: [String] = []
  /// The actions that repeat in a schedule that was cut, with their counts.
  var repeated: [String] = []
  /// Whether the search is known to have left something out.
  var hasMore = false
  /// Where the search has stopped.
  var stopped: Stopped?
  /// By which lines the states multiply where the search has stopped; empty if no line is known.
  var advice = ""
  /// How many schedules were not run to their end, because they came to a state that was reached before. They count
  /// towards the budget.
  var redundant = 0
  /// How much of the budget was spent.
  var spent: Int { schedules + redundant }
  /// How many schedules were chosen at random.
  var chances = 0
  var isReplay = false
  /// Whether code without a store was explored.
  var isPlain = false
  /// How many schedules violated a property; more than one only if the search went on.
  var failures = 0
}

extension Exploration {
  /// What makes a result incomplete.
  enum GapKind {
    /// Work that the explorer does not choose.
    case work
    /// A read of the time.
    case time
    /// A history of requests that is not decided.
    case history
  }

  /// The budget was spent.
  struct Stopped {
    var level: Exploration.Level
    /// How many schedules were run at this level, also those that came to a known state.
    var schedules: Int
    /// How many states were reached; `nil` if states were not compared.
    var states: Int?
  }

  /// All schedules that a search could choose have been run.
  struct Exhausted {
    var level: Exploration.Level
    var count: Int
    /// How many of these were cut.
    var cut: Int
    /// In how many of these a run still waited at the end.
    var waiting: Int
  }
}

extension Exploration: CustomStringConvertible {
  /// `complete: answers (12 states), timers (318 states); stopped at deliveries after 9,670 schedules and 4,120 states`, or why it is not so.
  public var description: String {
    var text: String
    if failure != nil {
      text = "failed after \(Self.count(schedules, "schedule"))"
    } else if !completed.isEmpty {
      text = "complete: " + completed.map(Self.text(of:)).joined(separator: ", ")
      if hasSurprise { text += "; runs share memory that the search cannot see, so fewer states count as the same" }
      if let stopped, hasMore { text += "; " + Self.text(of: stopped) + advice }
    } else if let exhausted {
      let all = exhausted.count == 1 ? "the one schedule" : "all \(Self.count(exhausted.count, "schedule"))"
      // Work that comes back from outside comes at any time: the search does not choose that.
      let chosen = gaps.count == historyGaps.count ? "" : " that it can choose"
      text = "not complete at level \(exhausted.level): \(all)\(chosen) tried"
    } else if isReplay {
      text = "replayed 1 schedule"
    } else if schedules == 0 {
      text = "no schedule was run"
    } else if chances == schedules {
      text = "\(Self.count(schedules, "schedule")), chosen at random"
    } else {
      text = stopped.map(Self.text(of:)) ?? "stopped after \(Self.count(schedules, "schedule"))"
      if hasMore { text += "; there are more" + advice }
    }
    let isExhausted = failure == nil && completeLevel == nil
    // Above a level that is complete, the level that is not is named.
    let cutLevel = failure == nil && !isExhausted ? exhausted.flatMap { $0.cut > 0 ? $0 : nil } : nil
    let cut = (isExhausted ? exhausted : cutLevel)?.cut ?? self.cut
    let waitingCount = isExhausted ? exhausted?.waiting ?? self.waitingCount : self.waitingCount
    if cut > 0, !hasOnlyRandomCuts {
      let place = cutLevel.map { "at \($0.level) " } ?? ""
      text += "; \(place)\(Self.grouped(cut)) cut at \(limits.joined(separator: " or "))"
      if !ongoing.isEmpty { text += ", while \(ongoing.prefix(3).joined(separator: ", ")) slept" }
      if !repeated.isEmpty { text += "; in one of them \(repeated.joined(separator: " and "))" }
    }
    let outside = gaps.filter { !historyGaps.contains($0) }
    if !outside.isEmpty { text += "; outside of its control: \(outside.joined(separator: ", "))" }
    if !historyGaps.isEmpty { text += "; \(historyGaps.joined(separator: ", "))" }
    if waitingCount > 0 {
      text += "; \(Self.count(waitingCount, "schedule")) ended while something still waited: "
      text += waiting.joined(separator: ", ")
      text += "; if that is intended, "
      text += isPlain ? "write `mayWait: true` or `schedule.tasksMayWait()`" : "use `.noDeadlock(except:)`"
    }
    return text
  }

  /// Whether all that was asked for is complete, so that only random schedules were cut.
  var hasOnlyRandomCuts: Bool { exhausted == nil && stopped == nil && !completed.isEmpty }

  private static func text(of stopped: Stopped) -> String {
    let states = stopped.states.map { " and \(count($0, "state"))" } ?? ""
    return "stopped at \(stopped.level) after \(count(stopped.schedules, "schedule"))\(states)"
  }

  private static func text(of complete: (level: Exploration.Level, schedules: Int, states: Int?)) -> String {
    guard let states = complete.states else { return "\(complete.level) (\(grouped(complete.schedules)))" }
    return "\(complete.level) (\(count(states, "state")))"
  }

  static func count(_ number: Int, _ noun: String) -> String { "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")" }

  static func grouped(_ number: Int) -> String {
    var text = ""
    let digits = String(number)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
