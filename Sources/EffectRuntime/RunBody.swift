// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import Synchronization

/// One execution of a run, or of its catch closure: what its task needs to know.
// SAFETY: adds constants of Sendable type to a class that is safe by itself.
@usableFromInline
package final class RunBody<Action: Sendable>: RunTask, @unchecked Sendable {
  @usableFromInline let operation: Effect<Action>.Operation
  @usableFromInline let mailbox: Mailbox<Action>
  @usableFromInline let token: Token

  @inlinable
  package init(_ operation: Effect<Action>.Operation, token: Token, mailbox: Mailbox<Action>) {
    self.operation = operation
    self.mailbox = mailbox
    self.token = token
    super.init()
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
    forgetTask()
    mailbox.post(.ended(token, failure))
  }

  /// Executes the catch closure for an error that the closure threw, likewise.
  @inlinable
  package func recover(from error: any Error) async {
    await CurrentRun.binding.withValue(CurrentRun(store: ObjectIdentifier(mailbox), token: token)) {
      await operation.failure?(error, Send(mailbox, token: token))
    }
    forgetTask()
    mailbox.post(.ended(token, nil))
  }
}

/// The task of a run, to be cancelled by.
///
/// It lets go of itself when the closure has returned, and not its store when it hears of that: what a task has
/// allocated goes back to the thread that asks for as much for the next one. Between threads it costs as much again as
/// the run. Apart from ``RunBody``, because code for all actions looks up the type of each object it touches.
// SAFETY: its only property is a lock; what the subclass adds are constants of Sendable type.
@usableFromInline
package class RunTask: @unchecked Sendable {
  private let phase = PhaseLock(.starting)

  private enum Phase {
    case starting
    case running(Task<Void, Never>)
    case over
  }

  // In place and not `Lock`, which has memory of its own on Linux; but the thread sanitizer knows no `Mutex`.
  #if TSAN
    private typealias PhaseLock = Lock<Phase>
  #else
    private typealias PhaseLock = Mutex<Phase>
  #endif

  @usableFromInline
  init() {}

  /// Keeps the task, unless it is over by now.
  @usableFromInline
  package final func keep(_ task: Task<Void, Never>) {
    phase.withLock { phase in
      if case .starting = phase { phase = .running(task) }
    }
  }

  /// Cancels the task, unless it is over. May run the user's cancellation handlers.
  @usableFromInline
  package final func cancel() {
    let task: Task<Void, Never>? = phase.withLock { phase in
      if case .running(let task) = phase { task } else { nil }
    }
    task?.cancel()
  }

  /// The closure has returned.
  @usableFromInline
  final func forgetTask() {
    // Released behind the lock, though it cannot be the last reference: the task executes this.
    let former = phase.withLock { phase in
      defer { phase = .over }
      return phase
    }
    _ = former
  }
}
