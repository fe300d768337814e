// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What is known of a run when its closures are released: they may refer to what keeps its `Send`.
struct EndedRun: Sendable {
  // Stored one by one: an `EffectRun` is five times as large, and each run that is executed has this.
  private let id: EffectID?
  private let overlap: Overlap
  private let site: CallSite
  /// If it has an input, a name or time modifiers.
  private let details: Details?

  private final class Details: Sendable {
    let run: EffectRun

    init(_ run: EffectRun) { self.run = run }
  }

  init<Action>(_ operation: Effect<Action>.Operation) {
    id = operation.id
    overlap = operation.overlap
    site = operation.site
    let isShort = operation.input == nil && operation.name == nil && operation.timing == nil
    details = isShort ? nil : Details(EffectRun(operation))
  }

  /// The run as reports show it.
  var run: EffectRun { details?.run ?? EffectRun(id: id, overlap: overlap, site: site) }
}

/// A run has sent an action after its closure has returned.
package struct SentAfterReturn: Error, CustomStringConvertible {
  package var description: String {
    "sent an action after its closure had returned, so the action was not reduced. \(Self.advice)"
  }

  /// What to write instead.
  package static let advice = """
    The closure must not return before the last action. For the answer of a callback write \
    `let answer = await withCheckedContinuation { done in ask { done.resume(returning: $0) } }` and send it then. For more than \
    one, use `Effect.stream` and an `AsyncStream`. For a task that you make, `await` its `value`.
    """
}
