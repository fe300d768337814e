// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// What a failure about work adds: a cancel that matched nothing, if that may be the reason (rule V1).
extension TestStore {
  /// Names the last explicit cancel that matched nothing since the first of these runs was registered, once. Empty
  /// if there is none, or if its id has been used before and does not resemble that of active work.
  @usableFromInline
  func unmatchedHint(_ runs: some Sequence<Token>) -> String {
    // Nearly always there is none.
    guard log.hasUnmatched else { return "" }
    let runs = runs.compactMap { scheduler.tracedSender($0) }
    guard let first = runs.map(\.birth).min(), let event = log.lastUnmatched, event.number > first,
      unmatchedCancels.isNew(event.number)
    else { return "" }
    let active = scheduler.effects(.everything).byID.filter { $0.value.running + $0.value.queued > 0 }
      .keys
    let candidates = Set(active).union(runs.compactMap(\.description.id))
    let near = candidates.filter { id in event.effect.ids.contains { EditDistance.areSimilar($0, id) } }
    let known = log.knownIDs
    let isUnused = known.isWhole && event.effect.ids.contains { !known.ids.contains($0) }
    guard !near.isEmpty || isUnused else { return "" }
    unmatchedCancels.named(event.number)
    return "\n\n"
      + FailureText.unmatched(event.effect, by: event.action, near: near, active: near.isEmpty ? candidates : near)
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

extension TestStore {
  /// A cancel has matched nothing. If work of the same name is active in scopes below, or begins later, it was probably meant:
  /// shows a note, once for each cancel.
  @usableFromInline
  func missed(_ cancel: UnmatchedCancel) {
    let text = FailureText.missed(cancel) ?? cancel.laterWork.map { FailureText.tooEarly(cancel, before: $0) }
    guard let text, unmatchedCancels.shows(cancel) else { return }
    Reporter.note(text, at: location)
  }
}

/// The cancels that matched nothing and were shown to the user. Each is shown once.
struct UnmatchedCancels {
  /// The number of the event of the last one that a failure has named.
  private var last: UInt64 = 0
  /// Those that were shown with a note.
  private var noted: Set<UnmatchedCancel> = []

  /// Whether no failure has named the one of this event, or a later one.
  func isNew(_ number: UInt64) -> Bool { number > last }

  /// A failure names the one of this event.
  mutating func named(_ number: UInt64) { last = number }

  /// Whether a note is to be shown, which counts as shown from now on.
  mutating func shows(_ cancel: UnmatchedCancel) -> Bool { noted.insert(cancel).inserted }
}

extension TestLog {
  /// The last cancel that matched nothing, and the action whose effect it was, if they are still in the log.
  fileprivate var lastUnmatched: (number: UInt64, effect: UnmatchedCancel, action: (any Sendable)?)? {
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
  /// `nil` if no work of this name is active in a scope below.
  static func missed(_ cancel: UnmatchedCancel) -> String? {
    if cancel.idsInside.isEmpty { return nil }
    let inside = cancel.idsInside.sorted { "\($0)" < "\($1)" }
    let example = inside.lazy.compactMap { argument($0) }.first
    return """
      \(matchedNothing(cancel)), although work of this name is active in a scope below: \
      \(inside.prefix(3).map { "`\($0)`" }.joined(separator: ", ")).

      A cancel reaches the work of its own feature, and not that of a child. Cancel the child's work\
      \(example.map { " by its full id: `.cancel(id: \($0))`," } ?? "") by `.cancel(scope:)` with the child's scope, or in the \
      child's reducer.
      """
  }

  /// Work of the id begins later, in a part to come of a `concatenate` or in a tree that is queued.
  static func tooEarly(_ cancel: UnmatchedCancel, before site: String) -> String {
    """
    \(matchedNothing(cancel)), and the work of this id at \(site) begins later: it is in a part to come of a `concatenate`, or in \
    a tree that is queued.

    A cancel by id does not reach what has not arrived at its id. Give the whole effect an id of its own and cancel that:
    `.cancellable(id: "whole", overlap: .concurrent)` and `.cancel(id: "whole")`.
    """
  }

  private static func matchedNothing(_ cancel: UnmatchedCancel) -> String {
    let line = cancel.ids.compactMap(\.site).first.map { " at \($0)" } ?? ""
    return "`cancel(\(cancel.idList))`\(line) matched nothing"
  }

  /// `near` are the active ids that resemble an id of the cancel.
  static func unmatched(
    _ effect: UnmatchedCancel, by action: (any Sendable)?, near: Set<EffectID>, active: Set<EffectID>
  ) -> String {
    let cause = action.map { "After `\(brief($0))`" } ?? "After an event that is no action"
    let ids = effect.ids.map { "`\($0)`" }.sorted().joined(separator: ", ")
    let runs = active.map { "`run(\($0))`" }.sorted().prefix(3).joined(separator: ", ")
    let meant = effect.ids.compactMap { id in EditDistance.nearest(to: id, in: near).flatMap { code($0, beside: id) } }
      .min()
    return """
      \(cause), a cancel of \(ids) matched nothing. Active: \(runs.isEmpty ? "no run with an id" : runs).\
      \(meant.map { " Did you mean `.cancel(id: \($0))`?" } ?? "")
      """
  }
}
