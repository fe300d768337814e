// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Synchronization

/// A run whose closure has returned by itself. Its `Send` keeps this, and not the closure.
///
/// - Isolation: usable from any thread.
@usableFromInline
package final class EndedRun: Sendable {
  private let run: EffectRun
  private let isReported = Atomic(false)

  init(_ operation: any AnyOperation) {
    run = EffectRun(operation)
  }

  /// The failure for an action that it sends; `nil` if there was one before.
  func takeFailure() -> EffectFailure? {
    if isReported.exchange(true, ordering: .relaxed) { return nil }
    return EffectFailure(error: SentAfterReturn(), run: run)
  }
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
