// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// What the `send` of a run uses.
extension Mailbox: ActionSink {
  /// How much time has passed since the store was made.
  @usableFromInline package var now: Duration { time.now }
  /// The same, for the library itself.
  @usableFromInline package var uncountedNow: Duration { time.uncountedNow }
  /// The clock of the store.
  @usableFromInline package var clock: any Clock<Duration> { time.clock }

  /// Posts an action of a run; `false` if the store has ended or was released.
  @usableFromInline
  package func send(_ action: Action, by token: Token) -> Bool {
    postSent(self, action, token)
  }

  /// Posts an action of a run, and waits until it has been reduced, with all its turn. `false` if the action was
  /// dropped, the run or the waiting task was cancelled meanwhile, or the store has ended or was released.
  @usableFromInline
  package func delivered(_ action: Action, by token: Token) async -> Bool {
    willPost(by: token)
    let waiter = Waiter()
    let isReduced = await withTaskCancellationHandler {
      guard post(.delivered(action, by: token, waiter)) else { return false }
      return await waiter.wait()
    } onCancel: {
      waiter.answer(false)
    }
    // In this case the call may not have suspended. A loop of such calls must not block other tasks for ever.
    if !isReduced { await Task.yield() }
    return isReduced
  }

  /// Suspends for a duration of the store's clock. Throws what the clock throws.
  @usableFromInline
  package func sleep(for duration: Duration, by token: Token) async throws {
    tellSleep(of: token, for: duration)
    try await time.sleep(for: duration)
  }
}
