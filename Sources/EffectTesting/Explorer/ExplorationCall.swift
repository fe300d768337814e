// This source file is part of swift-effects. License: Apache-2.0.

/// What a call of `explore` has asked for, and where it is.
struct ExplorationCall: Sendable {
  var budget: Int
  var search: Exploration.Search
  var reduction: Exploration.Reduction
  var seed: UInt64
  var settings: ScheduleRunner.Settings
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
    var hasLog = true
    let makeExplorer = {
      let explorer = self.explorer()
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
    if let text = explorer.failureText { Reporter.report(text, at: location) }
    return explorer.result
  }

  /// An explorer for the whole budget or a part of it, with its log if there is one.
  func explorer(budget: Int? = nil) -> Explorer {
    let explorer = Explorer(
      budget: budget ?? self.budget, search: search, reduction: reduction, seed: seed, settings: settings)
    if let directory = ScheduleLog.directory { explorer.log = ScheduleLog(directory, location, settings) }
    return explorer
  }
}
