// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// What a failure about work adds: a cancel or flush that matched nothing, if that may be the reason (rule V1).
extension TestStore {
  /// Names the last explicit cancel or flush that matched nothing since the first of these runs was registered, once. Empty
  /// if there is none, or if its id has been used before and does not resemble that of active work.
  @usableFromInline
  func unmatchedHint(_ runs: some Sequence<Token>) -> String {
    // Nearly always there is none.
    guard log.hasUnmatched else { return "" }
    let runs = runs.compactMap { interpreter.tracedSender($0) }
    guard let first = runs.map(\.birth).min(), let event = log.lastUnmatched, event.number > first,
      event.number > toldUnmatched
    else { return "" }
    let active = interpreter.effects(.everything).byID.filter { $0.value.status.running + $0.value.status.queued > 0 }
      .keys
    let candidates = Set(active).union(runs.compactMap(\.description.id))
    let near = candidates.filter { id in event.effect.ids.contains { EditDistance.between($0, id) <= 2 } }
    let known = log.knownIDs
    let isUnused = known.isWhole && event.effect.ids.contains { !known.ids.contains($0) }
    guard !near.isEmpty || isUnused else { return "" }
    toldUnmatched = event.number
    return "\n\n" + FailureText.unmatched(event.effect, by: event.action, active: near.isEmpty ? candidates : near)
  }

  /// The same for what is in flight.
  func unmatchedHint(_ inFlight: InFlight) -> String {
    log.hasUnmatched ? unmatchedHint(inFlight.runs.map(\.token)) : ""
  }

  /// The same for the run of an action that is held.
  @usableFromInline
  func unmatchedHint(_ held: Held<R.Action>?) -> String {
    guard log.hasUnmatched, case .run(let task)? = held?.source else { return "" }
    return unmatchedHint(CollectionOfOne(task.token))
  }
}

extension TestLog {
  /// The last cancel or flush that matched nothing, and the action whose effect it was, if they are still in the log.
  fileprivate var lastUnmatched: (number: UInt64, effect: UnmatchedEffect, action: (any Sendable)?)? {
    let events = events
    for event in events.reversed() {
      guard case .unmatched(let effect) = event.kind else { continue }
      let cause = events.last { $0.number == event.cause }
      if case .reduced(let action, _)? = cause?.kind { return (event.number, effect, action) }
      return (event.number, effect, nil)
    }
    return nil
  }
}

extension FailureText {
  static func unmatched(_ effect: UnmatchedEffect, by action: (any Sendable)?, active: Set<EffectID>) -> String {
    let cause = action.map { "After `\(brief($0))`" } ?? "After an event that is no action"
    let ids = effect.ids.map { "`\($0)`" }.sorted().joined(separator: ", ")
    let runs = active.map { "`run(\($0))`" }.sorted().prefix(3).joined(separator: ", ")
    let verb =
      switch effect.operation {
      case .cancel: "a cancel of"
      case .cancelQueued: "a cancel of what waits under"
      case .flush: "a flush of"
      }
    return """
      \(cause), \(verb) \(ids) matched nothing. Active: \(runs.isEmpty ? "no run with an id" : runs).
      """
  }
}
