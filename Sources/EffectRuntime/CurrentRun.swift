// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

extension Mailbox: ActionSink {
  @usableFromInline package var now: Duration { time.now }
  @usableFromInline package var clock: any Clock<Duration> { time.clock }

  @usableFromInline
  package func send(_ action: Action, by token: Token) -> Bool {
    postSent(self, action, token)
  }

  @usableFromInline
  package func delivered(_ action: Action, by token: Token) async -> Bool {
    let waiter = Waiter()
    let isReduced = await withTaskCancellationHandler {
      guard post(.delivered(action, by: token, waiter)) else { return false }
      return await waiter.wait()
    } onCancel: {
      waiter.answer(false)
    }
    // Perhaps nobody was waited for; a loop around this must not hold up everybody else for ever.
    if !isReduced { await Task.yield() }
    return isReduced
  }

  @usableFromInline
  package func sleep(for duration: Duration, by token: Token) async throws {
    tellSleep(of: token, for: duration)
    try await time.sleep(for: duration)
  }
}

/// Which run a task belongs to, inherited by its child tasks.
@usableFromInline
package struct CurrentRun: Sendable {
  @TaskLocal package static var identity: CurrentRun?

  /// What ``identity`` is bound with; the macro's own name for it cannot be seen by code that is inlined elsewhere.
  @usableFromInline static var binding: TaskLocal<CurrentRun?> { $identity }

  /// The number of its store's mailbox. An address would be another's one day: tasks may outlive both.
  @usableFromInline package let store: UInt64
  @usableFromInline package let token: Token

  @inlinable
  init(store: UInt64, token: Token) {
    self.store = store
    self.token = token
  }
}
