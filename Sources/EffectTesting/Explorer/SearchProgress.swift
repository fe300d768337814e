// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// What is shown of a search that takes long: on a terminal one line, which is rewritten in place. Elsewhere, as in `swift test`, lines
/// below each other, after ten seconds and then each time that the search has taken twice as long.
///
/// A value that is given the time and the counts, and returns what is to be written.
struct SearchProgress: Sendable {
  /// A shorter search shows nothing.
  static let delay = Duration.seconds(2)
  /// How much time is between two texts at least.
  static let interval = Duration.milliseconds(500)

  /// A shorter search shows no lines below each other.
  static let delayOfLines = Duration.seconds(10)

  private let budget: Exploration.Budget
  /// Where the exploration is, for lines below each other; `nil` on a terminal.
  private let place: String?
  /// How much of the budget is spent.
  private var count = 0
  private var level = Exploration.Level.answers
  /// How long the search had taken when the line was written last.
  private var last: Duration?
  /// How many columns the line has that is shown.
  private var width = 0
  /// Whether this search has the line. Of searches that run beside each other one has it, because there is one line.
  private(set) var hasLine = false

  init(_ budget: Exploration.Budget, at place: String? = nil) {
    (self.budget, self.place) = (budget, place)
  }

  /// Further schedules were run. The count is negative if earlier ones do not count any more.
  mutating func add(_ count: Int, at level: Exploration.Level) {
    self.count += count
    self.level = level
  }

  /// Whether the line should be written now, when the search has taken so long.
  func isDue(at elapsed: Duration) -> Bool {
    if place != nil { return elapsed >= (last.map { $0 * 2 } ?? Self.delayOfLines) }
    guard elapsed > Self.delay else { return false }
    return last.map { elapsed - $0 >= Self.interval } ?? true
  }

  /// What is written now, when the search has taken so long; `nil` if nothing is.
  mutating func text(at elapsed: Duration) -> String? {
    guard isDue(at: elapsed) else { return nil }
    last = elapsed
    let line = line(at: elapsed)
    if let place { return "explore at \(place), \(Int(elapsed / .seconds(1))) seconds: \(line)\n" }
    // The rest of a longer line is overwritten with spaces.
    let rest = max(0, width - line.count)
    width = line.count
    return "\r" + line + String(repeating: " ", count: rest)
  }

  /// As ``text(at:)``, for one of several searches: `nil` also if another one has the line.
  ///
  /// - Parameter take: called when the line is due and this search does not have it. Returns whether it has it then.
  mutating func text(at elapsed: Duration, taking take: () -> Bool) -> String? {
    guard isDue(at: elapsed) else { return nil }
    if place != nil { return text(at: elapsed) }
    if !hasLine { hasLine = take() }
    return hasLine ? text(at: elapsed) : nil
  }

  /// Leaves the line to others. Returns whether this search had it.
  mutating func leaveLine() -> Bool {
    defer { hasLine = false }
    return hasLine
  }

  /// What erases the line; `nil` if none is shown.
  mutating func ending() -> String? {
    guard width > 0 else { return nil }
    defer { width = 0 }
    return "\r" + String(repeating: " ", count: width) + "\r"
  }

  private func line(at elapsed: Duration) -> String {
    let rate = Int((Double(count) / (elapsed / .seconds(1))).rounded())
    var line =
      "\(place == nil ? "exploring: " : "")\(Exploration.count(count, "schedule")), \(Exploration.grouped(rate)) per second, level \(level)"
    if let schedules = budget.schedules {
      line += ", \(Exploration.grouped(max(0, schedules - count))) left"
    } else if let duration = budget.duration {
      let seconds = max(0, (duration - elapsed) / .seconds(1)).rounded(.up)
      line += ", \(Exploration.count(Int(seconds), "second")) left"
    }
    return line
  }
}

/// What is written of a search to standard error.
final class ProgressLine: Sendable {
  private static let isTerminal = Platform.isStandardErrorTerminal
  /// Whether a search has the line.
  private static let isTaken = Lock(false)

  private let progress: Lock<SearchProgress>
  private let beginning = ContinuousClock.now

  /// - Parameters:
  ///   - budget: the budget of the search.
  ///   - place: where the exploration is.
  init(_ budget: Exploration.Budget, at place: String) {
    progress = Lock(SearchProgress(budget, at: Self.isTerminal ? nil : place))
  }

  /// Adds schedules that were run, and writes the line if that is due.
  func add(_ count: Int, at level: Exploration.Level) {
    let elapsed = ContinuousClock.now - beginning
    // Written without the lock: a terminal may let its writer wait.
    let text: String? = progress.withLock { progress in
      progress.add(count, at: level)
      return progress.text(at: elapsed) {
        Self.isTaken.withLock { isTaken in
          defer { isTaken = true }
          return !isTaken
        }
      }
    }
    if let text { Platform.writeToStandardError(text) }
  }

  /// Erases the line.
  func end() {
    let (text, hadLine) = progress.withLock { progress in (progress.ending(), progress.leaveLine()) }
    if let text { Platform.writeToStandardError(text) }
    // After that another search may show its line.
    if hadLine { Self.isTaken.withLock { $0 = false } }
  }
}

/// When an explorer tells a line what it has done: at most twice in a second.
struct ProgressPace {
  private var next: ContinuousClock.Instant

  init(from beginning: ContinuousClock.Instant = .now) {
    next = beginning + SearchProgress.interval
  }

  /// Whether a line is due now.
  mutating func isDue(_ now: ContinuousClock.Instant) -> Bool {
    guard now >= next else { return false }
    next = now + SearchProgress.interval
    return true
  }
}

/// Tells a line how many schedules an explorer has run.
struct ProgressReports {
  let line: ProgressLine
  private var pace = ProgressPace()
  private var told = 0

  init(to line: ProgressLine) {
    self.line = line
  }

  /// A schedule is over.
  ///
  /// - Parameters:
  ///   - spent: how much of the budget the explorer has spent.
  ///   - level: the level of the search.
  ///   - now: when the schedule ended. It was measured anyway, so that a schedule costs no more than a comparison.
  mutating func note(_ spent: Int, at level: Exploration.Level, _ now: ContinuousClock.Instant) {
    if pace.isDue(now) { tell(spent, at: level) }
  }

  /// Tells what was not told yet, at the end of a part.
  mutating func tell(_ spent: Int, at level: Exploration.Level) {
    line.add(spent - told, at: level)
    told = spent
  }
}
