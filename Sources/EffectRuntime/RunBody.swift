// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

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
    return await withTaskCancellationHandler {
      guard post(.delivered(action, by: token, waiter)) else { return false }
      return await waiter.wait()
    } onCancel: {
      waiter.answer(false)
    }
  }

  @usableFromInline
  package func sleep(for duration: Duration) async throws {
    try await time.clock.sleep(for: duration)
  }
}

/// Which run a task belongs to, inherited by its child tasks.
@usableFromInline
package struct CurrentRun: Sendable {
  @TaskLocal package static var identity: CurrentRun?

  /// What ``identity`` is bound with; the macro's own name for it cannot be seen by code that is inlined elsewhere.
  @usableFromInline static var binding: TaskLocal<CurrentRun?> { $identity }

  /// The mailbox of the run's store.
  @usableFromInline package let store: ObjectIdentifier
  @usableFromInline package let token: Token

  @inlinable
  init(store: ObjectIdentifier, token: Token) {
    self.store = store
    self.token = token
  }
}

/// How a run becomes a task; the same for every shell.
@usableFromInline
package struct RunBody<Action: Sendable>: Sendable {
  @usableFromInline let operation: Effect<Action>.Operation
  @usableFromInline let mailbox: Mailbox<Action>
  @usableFromInline let token: Token

  @inlinable
  package init(_ operation: Effect<Action>.Operation, token: Token, mailbox: Mailbox<Action>) {
    self.operation = operation
    self.mailbox = mailbox
    self.token = token
  }

  @inlinable
  package var priority: TaskPriority? { operation.priority }

  /// Executes the closure and reports its end: one way out for success, error and cancellation.
  // Always inlined: a suspended run keeps a frame for each function that waits for it.
  @inlinable @inline(__always)
  package func callAsFunction() async {
    var failure: (any Error)?
    do {
      try await CurrentRun.binding.withValue(CurrentRun(store: ObjectIdentifier(mailbox), token: token)) {
        try await operation.body(Send(mailbox, token: token))
      }
    } catch {
      failure = error
    }
    mailbox.post(.ended(token, failure))
  }

  /// Executes the catch closure for an error that the closure threw, likewise.
  @inlinable
  package func recover(from error: any Error) async {
    await CurrentRun.binding.withValue(CurrentRun(store: ObjectIdentifier(mailbox), token: token)) {
      await operation.failure?(error, Send(mailbox, token: token))
    }
    mailbox.post(.ended(token, nil))
  }
}
