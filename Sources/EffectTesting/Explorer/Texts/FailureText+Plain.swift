// This source file is part of swift-effects. License: Apache-2.0.

// Failures of code that is explored without a store.
extension FailureText {
  static func brokenAlways(behind name: String) -> String { "`always` does not hold after run \"\(name)\"." }

  static func thrown(_ error: any Error, by name: String) -> String {
    "\(name == "finally" ? "`finally`" : "Run \"\(name)\"") has thrown \(error). If it may throw this error, catch it in the closure."
  }

  static func doubleRun(_ name: String) -> String {
    "Two runs have the name \"\(name)\". Give each `schedule.run` a name of its own."
  }

  static let noRuns = """
    The body has no run, so nothing was explored. Write `schedule.run("first") { await load() }` for each piece of code that \
    executes at the same time as the others.
    """

  static let storeAndRuns = """
    The body has a store, and code without one. A schedule plays one of them: write `schedule.store`, or `schedule.run` for each piece \
    of code.
    """

  static let plainLevel = """
    Code without a store is explored at the level `.steps` only: at the others a run would go on to its end, whatever the others do. \
    Remove `upTo:`.
    """

  static func leftTask(_ name: String) -> String {
    """
    Nothing can happen any more, and \(name) has not ended. Cancel it where its owner ends, or, if it may wait for ever, write \
    `schedule.tasksMayWait()`.
    """
  }

  /// Runs that have not returned.
  static func waitingRuns(_ names: [String]) -> String {
    """
    Nothing can happen any more, and \(names.count == 1 ? "this run has" : "these runs have") not returned: \
    \(names.joined(separator: ", ")). If one may wait for ever, add `mayWait: true` to its call of `run`.
    """
  }

  /// Which code was executed, in its order.
  static func trail(_ trail: [ExecutionTrail.Entry]) -> String {
    var rows = trail.map { ($0.name, $0.text) }
    if rows.count > 60 { rows = rows.prefix(30) + [("…", "")] + rows.suffix(29) }
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { "  " + $0.padded(width) + "  " + $1 }
    return "\n\nExecuted in this order, each until it waits:\n\n\(lines.joined(separator: "\n"))"
  }
}
