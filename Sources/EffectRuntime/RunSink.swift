// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// What a run sends to: the mailbox, under the run's token.
@usableFromInline
package final class RunSink<Action: Sendable>: ActionSink, RunIdentity {
  @usableFromInline let mailbox: Mailbox<Action>
  @usableFromInline package let token: Token

  @inlinable
  package init(mailbox: Mailbox<Action>, token: Token) {
    self.mailbox = mailbox
    self.token = token
  }

  @usableFromInline package var store: ObjectIdentifier { ObjectIdentifier(mailbox) }
  @usableFromInline package var now: Duration { mailbox.time.now }
  @usableFromInline package var clock: any Clock<Duration> { mailbox.time.clock }

  @usableFromInline
  package func send(_ action: Action) -> Bool {
    mailbox.postSent(mailbox, action, token)
  }

  @usableFromInline
  package func delivered(_ action: Action) async -> Bool {
    let waiter = Waiter()
    return await withTaskCancellationHandler {
      guard mailbox.post(.delivered(action, by: token, waiter)) else { return false }
      return await waiter.wait()
    } onCancel: {
      waiter.answer(false)
    }
  }

  @usableFromInline
  package func sleep(for duration: Duration) async throws {
    try await mailbox.time.clock.sleep(for: duration)
  }
}

/// Which run a task belongs to, inherited by its child tasks.
@usableFromInline
package protocol RunIdentity: AnyObject, Sendable {
  /// The mailbox of the run's store.
  var store: ObjectIdentifier { get }
  var token: Token { get }
}

/// The run that the current task is part of.
@usableFromInline
package enum CurrentRun {
  @TaskLocal package static var identity: (any RunIdentity)?

  /// What ``identity`` is bound with; the macro's own name for it cannot be seen by code that is inlined elsewhere.
  @usableFromInline static var binding: TaskLocal<(any RunIdentity)?> { $identity }
}

/// How a run becomes a task; the same for every shell.
@usableFromInline
package struct RunBody<Action: Sendable>: Sendable {
  @usableFromInline let sink: RunSink<Action>
  @usableFromInline let operation: Effect<Action>.Operation
  @usableFromInline let thrown: (any Error)?

  /// The closure of a run, or its catch closure if an error is given.
  @inlinable
  package init(
    _ operation: Effect<Action>.Operation, token: Token, thrown: (any Error)? = nil, mailbox: Mailbox<Action>
  ) {
    sink = RunSink(mailbox: mailbox, token: token)
    self.operation = operation
    self.thrown = thrown
  }

  @inlinable
  package var priority: TaskPriority? { operation.priority }

  /// Executes the closure and reports its end: one way out for success, error and cancellation.
  // Always inlined: a suspended run keeps a frame for each function that waits for it.
  @inlinable @inline(__always)
  package func callAsFunction() async {
    var failure: (any Error)?
    do {
      try await CurrentRun.binding.withValue(sink) {
        if let thrown {
          await operation.failure?(thrown, Send(sink))
        } else {
          try await operation.body(Send(sink))
        }
      }
    } catch {
      failure = error
    }
    sink.mailbox.post(.ended(sink.token, failure))
  }
}
