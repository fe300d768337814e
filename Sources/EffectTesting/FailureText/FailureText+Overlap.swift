// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension FailureText {
  /// What to write if the last action of a run is an older answer: a newer run of its id, or of its line, had begun before.
  /// Nothing orders the answers of runs that are `.concurrent`. Empty for other overlaps.
  static func olderAnswer(_ events: [TraceEvent<any Sendable>]) -> String {
    guard let last = events.lastIndex(where: { sender($0) != nil }), let older = sender(events[last]),
      let newer = newerRun(than: older, in: events[..<last]), case .reduced(let action, _) = events[last].kind
    else { return "" }
    let (one, other) = (older.description, newer.description)
    let lines = "\(one.site)" == "\(other.site)" ? "at \(one.site)" : "at \(one.site) and \(other.site)"
    let (runs, reason, code) =
      one.id.map { ("runs of \($0)", "their overlap is `.concurrent`", "overlap: .restart") }
      ?? ("runs", "they have no id", "id: \"search\", overlap: .restart")
    return """


      Two \(runs) \(lines) were active at the same time, because \(reason): \(brief(action)) came from the older one, after the \
      newer one had begun. If only the newest may answer, write `\(code)` there.
      """
  }

  /// The run that has sent the action of an event; `nil` for other events, and for a tree.
  private static func sender(_ event: TraceEvent<any Sendable>) -> TraceRun? {
    guard case .reduced(_, .run(let run?)) = event.kind, !run.isTree else { return nil }
    return run
  }

  /// The newest run that was requested behind this one and competes with it: both are `.concurrent`, and have one id, or
  /// without ids one line.
  private static func newerRun(
    than older: TraceRun, in events: ArraySlice<TraceEvent<any Sendable>>
  ) -> TraceRun? {
    let one = older.description
    guard one.overlap == .concurrent else { return nil }
    for event in events.reversed() {
      guard case .run(let run, .registered) = event.kind, !run.isTree else { continue }
      if run == older { return nil }
      let other = run.description
      if other.overlap == .concurrent, other.id == one.id, one.id != nil || "\(other.site)" == "\(one.site)" {
        return run
      }
    }
    return nil
  }
}
