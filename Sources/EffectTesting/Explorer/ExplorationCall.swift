// This source file is part of swift-effects. License: Apache-2.0.

/// What a call of `explore` has asked for, and where it is.
struct ExplorationCall: Sendable {
  var budget: Exploration.Budget
  var options: Exploration.Options
  var faults: Exploration.Faults
  var replaying: String?
  var location: TestLocation

  /// Replays a schedule, or searches; reports what has failed.
  ///
  /// - Parameters:
  ///   - body: makes the store of a schedule.
  ///   - search: searches with the explorer that it gets.
  nonisolated(nonsending) func explore(
    _ body: Explorer.Body, _ search: nonisolated(nonsending) (Explorer) async -> Void
  ) async -> Exploration {
    let line = ProgressLine(budget)
    var hasLog = true
    let makeExplorer = {
      let explorer = self.explorer()
      explorer.progress = line.map(ProgressReports.init)
      if explorer.log == nil, let directory = ScheduleLog.directory, hasLog {
        hasLog = false
        Reporter.report(FailureText.noLog(directory), at: location)
      }
      return explorer
    }
    let explorer: Explorer
    if let replaying {
      explorer = makeExplorer()
      await explorer.replay(replaying, body)
    } else if let directory = SavedFailures.directory {
      var saved = SavedSearch(SavedFailures(in: directory, at: location), makeExplorer)
      explorer = await saved.search(body, with: search)
      for note in saved.notes { Reporter.note(note, at: location) }
    } else {
      explorer = makeExplorer()
      await search(explorer)
    }
    line?.end()
    if let text = explorer.failureText { Reporter.report(text, at: location) }
    return explorer.result
  }

  /// An explorer for the whole budget or a part of it, with its log if there is one.
  func explorer(budget part: Int? = nil) -> Explorer {
    let settings = ScheduleRunner.Settings(
      stepLimit: options.steps, deadlineLimit: options.deadlines, faults: faults, carrying: options.carrying)
    let explorer = Explorer(
      budget: part ?? budget.schedules ?? .max, search: options.search ?? .levels(upTo: options.upTo),
      seed: options.seed,
      settings: settings)
    explorer.timeLimit = budget.duration
    if let directory = ScheduleLog.directory { explorer.log = ScheduleLog(directory, location, settings) }
    return explorer
  }
}
