// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// The texts for an `EffectFailure`: an error without a `catch`, or a mistake in a reducer.
extension FailureText {
  /// The text for a mistake in the reducer; `nil` for an error that a run has thrown.
  static func misuse(_ failure: EffectFailure) -> String? {
    if let conflict = failure.error as? OverlapConflict { return overlaps(conflict) }
    if let misuse = failure.error as? SelfCancellation { return selfCancellation(misuse) }
    if let missing = failure.error as? MissingChild { return missingChild(missing, of: failure.run) }
    if failure.error is SentAfterReturn { return sentAfterReturn(failure.run) }
    if let missing = failure.error as? MissingID { return missingID(missing, of: failure.run) }
    return nil
  }

  static func failure(_ failure: EffectFailure) -> String {
    misuse(failure)
      ?? timeout(failure)
      ?? emptySequence(failure)
        ?? """
        A run threw an error and has no `catch`: \(ValueText.of(failure.error))

          \(place(failure.run))

        \(EffectFailure.catchAdvice) Or catch the error inside the run.
        """
  }

  private static func sentAfterReturn(_ run: EffectRun) -> String {
    """
    A run sent an action after its closure had returned, so the action was not reduced:

      \(place(run))

    \(SentAfterReturn.advice)
    """
  }

  private static func timeout(_ failure: EffectFailure) -> String? {
    guard let timeout = failure.error as? EffectTimeout else { return nil }
    return """
      A run \(timeout) and has no `catch`:

        \(place(failure.run))

      \(EffectFailure.catchAdvice) Or give the run more time.
      """
  }

  private static func emptySequence(_ failure: EffectFailure) -> String? {
    guard let empty = failure.error as? EmptySequence else { return nil }
    return """
      A stream ended without an element, and \(empty.wasRead ? "a run" : "an attempt") had read its sequence before:

        \(place(failure.run))

      Such a sequence can be read once. Make a new one for each run, in the closure: `sequence: { client.updates() }`, instead of \
      returning one that exists.
      """
  }

  static func overlaps(_ conflict: OverlapConflict) -> String {
    let (newer, older) = ("\(conflict.newer) at \(conflict.newer.site)", "\(conflict.older) at \(conflict.older.site)")
    let lines =
      switch conflict.problem {
      case .otherOverlap: "\(newer)\n  met \(older)"
      case .insideItself: "\(newer)\n  inside \(older)"
      case .ownCause: "\(newer)\n  started by an action of \(older)"
      case .joinedTree: newer
      }
    let summary = conflict.summary
    let note = conflict.problem == .otherOverlap ? " A run shown without an overlap is `.concurrent`." : ""
    return """
      \(summary.prefix(1).uppercased() + summary.dropFirst())

        \(lines)

      \(conflict.advice)\(note)
      """
  }

  static func selfCancellation(_ misuse: SelfCancellation) -> String {
    """
    A `cancel` reached a tree that it is a part of: `cancel(\(misuse.target))`

      \(misuse.site.map { "of \($0)" } ?? "written as an enum case, so its line is not known")
      in the tree \(misuse.tree.id.map { "\($0) " } ?? "")at \(misuse.tree.site)

    A tree is what `.cancellable(id:overlap:)` encloses. The parts of it that had not started were stopped. Move the `cancel` out \
    of the tree, in front of it.
    """
  }

  static func missingChild(_ missing: MissingChild, of run: EffectRun) -> String {
    """
    An action came for a child that does not exist now: \(ValueText.of(missing.action))

      for \(missing.child.map(\.description) ?? "the child") at \(run.site)

    No child reduced it. Create the child's state before you send the action, and do not send it after the child was removed. Start \
    work for the child as an effect of the child. Code that removes the child outside of its `ifLet`, `ifCase`, `forEach` or \
    `stack` returns `.cancel(scope:)`, too. Then the work ends with the child.
    """
  }

  static func missingID(_ missing: MissingID, of run: EffectRun) -> String {
    if run.name == "send" {
      return """
        A `send` with a \(missing.name) has no id, and was not started:

          \(place(run))

        `\(missing.name)` decides about the work of one id. Give the send one, by \
        `.cancellable(id: "search", overlap: .restart)` on the `send` itself.
        """
    }
    return """
      A run with a \(missing.name) has no id, and was not started:

        \(place(run))

      `\(missing.name)` decides about the runs of one id. Give the run one, by the arguments `id: "search", overlap: .restart`, \
      or by `.cancellable(id: "search", overlap: .restart)` on the run itself.
      """
  }
}
