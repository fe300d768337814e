// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What a run sends to: the mailbox, under the run's token.
final class RunSink<Action: Sendable>: ActionSink, RunIdentity {
  private let mailbox: Mailbox<Action>
  let token: Token

  init(mailbox: Mailbox<Action>, token: Token) {
    self.mailbox = mailbox
    self.token = token
  }

  var store: ObjectIdentifier { ObjectIdentifier(mailbox) }
  var now: Duration { mailbox.time.now }
  var clock: any Clock<Duration> { mailbox.time.clock }

  func send(_ action: Action) -> Bool {
    mailbox.post(.sent(action, by: token))
  }

  func delivered(_ action: Action) async -> Bool {
    let waiter = Waiter()
    return await withTaskCancellationHandler {
      guard mailbox.post(.delivered(action, by: token, waiter)) else { return false }
      return await waiter.wait()
    } onCancel: {
      waiter.answer(false)
    }
  }

  func sleep(for duration: Duration) async throws {
    try await mailbox.time.clock.sleep(for: duration)
  }
}

/// Which run a task belongs to, inherited by its child tasks.
package protocol RunIdentity: AnyObject, Sendable {
  /// The mailbox of the run's store.
  var store: ObjectIdentifier { get }
  var token: Token { get }
}

/// The run that the current task is part of.
package enum CurrentRun {
  @TaskLocal package static var identity: (any RunIdentity)?
}

/// How a run becomes a task; the same for every shell.
package struct RunBody<Action: Sendable>: Sendable {
  private let sink: RunSink<Action>
  private let operation: Effect<Action>.Operation
  private let thrown: (any Error)?
  private let mailbox: Mailbox<Action>

  /// The closure of a run, or its catch closure if an error is given.
  package init(
    _ operation: Effect<Action>.Operation, token: Token, thrown: (any Error)? = nil, mailbox: Mailbox<Action>
  ) {
    sink = RunSink(mailbox: mailbox, token: token)
    self.operation = operation
    self.thrown = thrown
    self.mailbox = mailbox
  }

  package var priority: TaskPriority? { operation.priority }

  /// Executes the closure and reports its end: one way out for success, error and cancellation.
  @concurrent
  package func callAsFunction() async {
    var failure: (any Error)?
    do {
      try await CurrentRun.$identity.withValue(sink) { try await body() }
    } catch {
      failure = error
    }
    mailbox.post(.ended(sink.token, failure))
  }

  @concurrent
  private func body() async throws {
    if let thrown {
      await operation.failure?(thrown, Send(sink))
    } else {
      try await operation.body(Send(sink))
    }
  }
}
