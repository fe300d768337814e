// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import Synchronization

/// One execution of a run, or of its catch closure: everything that its task needs.
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

  /// Makes a task that belongs to the run from its beginning: the task and its children inherit that.
  // To bind it within the task, as below, costs three changes of executor, and each of them looks up the task's own
  // executor.
  @inlinable @inline(__always)
  package func task(_ make: () -> Task<Void, Never>) -> Task<Void, Never> {
    CurrentRun.binding.withValue(identity, operation: make)
  }

  /// Executes the closure in a task that ``task(_:)`` has made, and reports its end, whether by success, error or
  /// cancellation.
  // Always inlined, as are the functions below: a suspended run keeps a frame for each function that waits for it.
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

  /// Executes the catch closure for an error that the closure threw, in the same way.
  @inlinable
  package func recover(from error: any Error) async {
    CurrentRun.markHome()
    await operation.failure?(error, Send(mailbox, token: token))
    mailbox.post(.ended(token, nil))
  }

  /// Executes the closure in the current task, which becomes the task by which the run is cancelled.
  ///
  /// If the run is cancelled before its closure is called, the closure is not called.
  @inlinable @inline(__always)
  func executeAlone() async {
    guard begin() else { return neverCalled() }
    reportCall()
    finish(await call())
  }

  /// Executes the catch closure, in the same way.
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

  /// The closure is about to be called: notifies the listeners, if there are any.
  @inlinable
  func reportCall() {
    if mailbox.isTraced { mailbox.post(.began(token)) }
  }

  /// Reports the end of a run that was cancelled before its closure was called.
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

/// The task that executes a run, by which the run is cancelled.
///
/// A task may execute many runs, one after another. So each run refers to the task only while its own closure is being
/// called. A task that was cancelled for a run, or is about to be, executes no other run. Separate from ``RunBody``,
/// because code for all action types looks up the type of each object that it uses.
// SAFETY: its only property is a lock; the subclass adds constants of Sendable type.
@usableFromInline
package class RunTask: ClosureOfRun, @unchecked Sendable {
  private let phase = PhaseLock(.waiting)

  private enum Phase {
    /// No task has begun it.
    case waiting
    case running(Handle)
    case cancelled
    case over
  }

  /// The task, as seen from within. It retains the task, so it is kept only until the closure has returned, or until a
  /// cancel that has taken it is carried out.
  @safe @usableFromInline
  // SAFETY: made by the task itself, and used only to cancel it: any thread may do this, also when the task has ended.
  struct Handle: @unchecked Sendable {
    fileprivate let task: UnsafeCurrentTask

    /// Cancels the task; nothing happens if it has ended. May run the user's cancellation handlers.
    @usableFromInline
    func cancel() {
      unsafe task.cancel()
    }
  }

  // In place, not a `Lock`, which has memory of its own on Linux. But the thread sanitizer does not support `Mutex`.
  #if TSAN
    private typealias PhaseLock = Lock<Phase>
  #else
    private typealias PhaseLock = Mutex<Phase>
  #endif

  @usableFromInline
  init() {}

  /// The current task begins the run; `false` if the run was cancelled before.
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

  /// As ``begin()``, for a shell that has the task of the run and cancels the run by it; ``cancel()`` then does nothing.
  // To look up the current task and to keep it takes a twentieth of the time of a schedule of `explore`.
  @usableFromInline
  package final func beginInTaskOfShell() -> Bool {
    phase.withLock { phase in
      guard case .waiting = phase else { return false }
      phase = .over
      return true
    }
  }

  /// Whether a task has begun the run. If no task has begun it yet, none will: the run is about to be cancelled.
  @usableFromInline
  final func wasCalled() -> Bool {
    phase.withLock { phase in
      guard case .waiting = phase else { return true }
      phase = .cancelled
      return false
    }
  }

  /// Whether no task has begun the run and it has not been cancelled.
  package final var isWaiting: Bool {
    phase.withLock { phase in
      if case .waiting = phase { true } else { false }
    }
  }

  /// Cancels the task while it executes the run. Before that, it makes sure that the closure is not called. May run the
  /// user's cancellation handlers.
  @usableFromInline
  package final func cancel() {
    takeToCancel()?.cancel()
  }

  /// The same in two steps: from now on the closure is not called, and the task that calls it must be cancelled soon.
  /// That task executes no other run, and it is returned only once.
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

  /// The closure has returned. `false` if the task has been or is about to be cancelled, or if its priority has been
  /// escalated: then it executes no other runs.
  @usableFromInline
  final func end() -> Bool {
    let wasRunning = phase.withLock { phase in
      defer { phase = .over }
      if case .running = phase { return true }
      return false
    }
    return wasRunning && Self.isTaskFresh
  }

  /// Whether the current task is in the state in which it was made, so that a run may begin in it without any effect of
  /// what the task did before. User code that is called in a task may cancel it and escalate its priority, and neither
  /// can be reverted.
  @usableFromInline
  final class var isTaskFresh: Bool {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return false }
      return unsafe !task.isCancelled && task.priority == task.basePriority
    }
  }
}
