// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import Synchronization

/// One execution of a run, or of its catch closure: what its task needs to know.
// SAFETY: adds constants of Sendable type to a class that is safe by itself.
@usableFromInline
package final class RunBody<Action: Sendable>: RunTask, @unchecked Sendable {
  @usableFromInline let operation: Effect<Action>.Operation
  @usableFromInline let mailbox: Mailbox<Action>
  @usableFromInline package let token: Token

  @inlinable
  package init(_ operation: Effect<Action>.Operation, token: Token, mailbox: Mailbox<Action>) {
    self.operation = operation
    self.mailbox = mailbox
    self.token = token
    super.init()
  }

  @inlinable
  package var priority: TaskPriority? { operation.priority }

  @inlinable
  var identity: CurrentRun { CurrentRun(store: mailbox.identity, token: token) }

  /// Makes a task that belongs to the run from its beginning on: it and its children inherit that.
  // To bind it within the task, as below, costs three changes of executor, each with a look for the task's own one.
  @inlinable @inline(__always)
  package func task(_ make: () -> Task<Void, Never>) -> Task<Void, Never> {
    CurrentRun.binding.withValue(identity, operation: make)
  }

  /// Executes the closure in such a task and reports its end: one way out for success, error and cancellation.
  // Always inlined, and so are those below: a suspended run keeps a frame for each function that waits for it.
  @inlinable @inline(__always)
  package func callAsFunction() async {
    CurrentRun.markHome()
    do {
      try await operation.body(Send(mailbox, token: token))
      mailbox.post(.ended(token, nil))
    } catch {
      mailbox.post(.ended(token, error))
    }
  }

  /// Executes the catch closure for an error that the closure threw, likewise.
  @inlinable
  package func recover(from error: any Error) async {
    CurrentRun.markHome()
    await operation.failure?(error, Send(mailbox, token: token))
    mailbox.post(.ended(token, nil))
  }

  /// Executes the closure in a task of its own, which becomes the one to cancel the run by.
  ///
  /// What was cancelled before its closure is called is over without.
  @inlinable @inline(__always)
  func executeAlone() async {
    guard begin() else { return neverCalled() }
    reportCall()
    finish(await call())
  }

  /// Executes the catch closure, likewise.
  @inlinable @inline(__always)
  func recoverAlone(from error: any Error) async {
    guard begin() else { return neverCalled() }
    reportCall()
    await fail(error)
    finish(nil)
  }

  /// The closure has returned: reports that.
  @inlinable
  func finish(_ failure: (any Error)?) {
    _ = end()
    mailbox.post(.ended(token, failure))
  }

  /// The closure is about to be called: tells those who listen, if anybody does.
  @inlinable
  func reportCall() {
    if mailbox.isTraced { mailbox.post(.began(token)) }
  }

  /// Reports the end of what was cancelled before its closure was called.
  @inlinable
  package func neverCalled() {
    mailbox.post(.ended(token, nil))
  }

  @inlinable @inline(__always)
  func call() async -> (any Error)? {
    do {
      try await CurrentRun.binding.withValue(identity) {
        CurrentRun.markHome()
        try await operation.body(Send(mailbox, token: token))
      }
      return nil
    } catch {
      return error
    }
  }

  @inlinable @inline(__always)
  func fail(_ error: any Error) async {
    await CurrentRun.binding.withValue(identity) {
      CurrentRun.markHome()
      await operation.failure?(error, Send(mailbox, token: token))
    }
  }
}

/// The task that executes a run, to be cancelled by.
///
/// A task may execute many runs, one after another, so each knows it only as long as its own closure is called; and one
/// that was cancelled for a run, or is just about to be, executes no other. Apart from ``RunBody``, because code for all
/// actions looks up the type of each object it touches.
// SAFETY: its only property is a lock; what the subclass adds are constants of Sendable type.
@usableFromInline
package class RunTask: @unchecked Sendable {
  private let phase = PhaseLock(.waiting)

  private enum Phase {
    /// No task has taken it up.
    case waiting
    case running(Handle)
    case cancelled
    case over
  }

  /// The task, from within.
  @safe @usableFromInline
  // SAFETY: made by the task itself and used for nothing but to cancel it, which any thread may do, also when it has ended.
  // It keeps the task, and is kept only until the closure has returned, or a cancel that has taken it is carried out.
  struct Handle: @unchecked Sendable {
    fileprivate let task: UnsafeCurrentTask

    /// Cancels the task; nothing happens if it has ended. May run the user's cancellation handlers.
    @usableFromInline
    func cancel() {
      unsafe task.cancel()
    }
  }

  // In place and not `Lock`, which has memory of its own on Linux; but the thread sanitizer knows no `Mutex`.
  #if TSAN
    private typealias PhaseLock = Lock<Phase>
  #else
    private typealias PhaseLock = Mutex<Phase>
  #endif

  @usableFromInline
  init() {}

  /// The current task takes the run up; `false` if it has been cancelled before.
  @usableFromInline
  package final func begin() -> Bool {
    unsafe withUnsafeCurrentTask { task in
      let handle = unsafe task.map { unsafe Handle(task: $0) }
      return phase.withLock { phase in
        guard case .waiting = phase, let handle else { return false }
        phase = .running(handle)
        return true
      }
    }
  }

  /// Whether a task has taken the run up. If none has by now, none will: the run is about to be cancelled.
  final func wasCalled() -> Bool {
    phase.withLock { phase in
      guard case .waiting = phase else { return true }
      phase = .cancelled
      return false
    }
  }

  /// Whether no task has taken the run up, and it has not been cancelled either.
  package final var isWaiting: Bool {
    phase.withLock { phase in
      if case .waiting = phase { true } else { false }
    }
  }

  /// Cancels the task while it executes the run; before that, sees to it that the closure is not called. May run the user's
  /// cancellation handlers.
  @usableFromInline
  package final func cancel() {
    takeToCancel()?.cancel()
  }

  /// The same in two steps: from now on the closure is not called, and the task that calls it is to be cancelled soon. It
  /// executes no other run, and once only is it handed out.
  @usableFromInline
  final func takeToCancel() -> Handle? {
    phase.withLock { phase in
      switch phase {
      case .waiting:
        phase = .cancelled
        return nil
      case .running(let handle):
        phase = .cancelled
        return handle
      case .cancelled, .over:
        return nil
      }
    }
  }

  /// The closure has returned. `false` if the task has been cancelled, or somebody is about to, or its priority has been
  /// escalated: then it does nothing for others.
  @usableFromInline
  final func end() -> Bool {
    let wasRunning = phase.withLock { phase in
      defer { phase = .over }
      if case .running = phase { return true }
      return false
    }
    return wasRunning && Self.isTaskFresh
  }

  /// Whether the current task is as it was made: a run may begin in it without noticing what was there before. User code
  /// that is called in a task may cancel it and escalate its priority, and neither can be taken back.
  @usableFromInline
  final class var isTaskFresh: Bool {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return false }
      return unsafe !task.isCancelled && task.priority == task.basePriority
    }
  }
}
