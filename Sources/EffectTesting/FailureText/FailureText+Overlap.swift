// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension FailureText {
  /// What to write if the last action of a run is an older answer: a newer run of its id, or of its line, had begun before.
  /// Nothing orders the answers of runs that are `.concurrent`, and nothing but a cancel ends a `catch` that has begun. Empty for
  /// others.
  static func olderAnswer(_ events: [TraceEvent<any Sendable>]) -> String {
    guard let last = events.lastIndex(where: { sender($0) != nil }), let older = sender(events[last]),
      case .reduced(let action, _) = events[last].kind
    else { return "" }
    let before = events[..<last]
    if let late = answerOfCatch(older, action, in: before) { return "\n\n\(late)" }
    guard let newer = newerRun(than: older, in: before) else { return "" }
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

  /// What to write if a `catch` has sent the action, and a newer run of the id has begun behind the beginning of this `catch`.
  private static func answerOfCatch(
    _ older: TraceRun, _ action: any Sendable, in events: ArraySlice<TraceEvent<any Sendable>>
  ) -> String? {
    guard let id = older.description.id,
      let beginning = events.lastIndex(where: { isCatch(of: older, begunBy: $0) }),
      let newer = events[beginning...].lazy.compactMap({ run(of: id, registeredBy: $0) }).first
    else { return nil }
    let name = code(id) ?? "\(id)"
    return """
      \(brief(action)) came from the `catch` of run \(older.number) of \(id), which had begun before run \(newer.number) of this id \
      began: no overlap cancels a `catch` that has begun. If only the newest may answer, merge `.cancel(id: \(name))` with the new \
      run, or send the input with the error and compare it. A cancel where this action is reduced would cancel the new run.
      """
  }

  private static func isCatch(of run: TraceRun, begunBy event: TraceEvent<any Sendable>) -> Bool {
    if case .run(run, .attemptFailed(_, .recovery)) = event.kind { true } else { false }
  }

  private static func run(of id: EffectID, registeredBy event: TraceEvent<any Sendable>) -> TraceRun? {
    guard case .run(let run, .registered) = event.kind, !run.isTree, run.description.id == id else { return nil }
    return run
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
