// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import Synchronization

/// One execution of a run, or of its catch closure: everything that its task needs.
///
/// A store calls ``executeAlone()``, or its ``RunPool`` calls the parts of it. A shell of EffectTesting calls
/// ``callAsFunction()`` in a task of the run's own.
///
/// It is what the `Send` of the closure sends to, because a `Send` may be kept when the closure has returned. Then it has no
/// reference to the closure any more, which may refer to what keeps the `Send`.
@usableFromInline
// SAFETY: adds to a class that is safe by itself constants of Sendable type, and one variable. This is changed once, by the
// task that executes the closure. From then on that task does not read it, and others have never read it after the start.
package final class RunBody<Action: Sendable>: RunTask, @unchecked Sendable {
  /// The run; `nil` when the closure has returned.
  @usableFromInline private(set) var operation: Effect<Action>.Operation?
  @usableFromInline let mailbox: Mailbox<Action>
  /// The token for the actions and the end of this execution.
  @usableFromInline package let token: Token

  /// Makes the body of a closure that no task has begun.
  ///
  /// - Parameters:
  ///   - operation: the run.
  ///   - token: the token of this execution.
  ///   - mailbox: where its actions and its end are posted.
  @inlinable
  package init(_ operation: Effect<Action>.Operation, token: Token, mailbox: Mailbox<Action>) {
    self.operation = operation
    self.mailbox = mailbox
    self.token = token
    super.init()
  }

  /// The priority that the run was built with; `nil` if it has none.
  @inlinable
  package var priority: TaskPriority? { operation?.priority }

  /// What the task-local ``CurrentRun/identity`` is bound to while the closure executes.
  @inlinable
  package var identity: CurrentRun { CurrentRun(store: mailbox.identity, token: token) }

  /// Executes the closure in the current task, and reports its end, whether by success, error or cancellation. For a
  /// shell that keeps the task and cancels it itself.
  // Always inlined, as are `executeAlone` and `call`: a suspended run keeps a frame for each function that waits for it.
  @inlinable @inline(__always)
  package func callAsFunction() async {
    let failure = await call()
    closureReturned(isCancelled: Task.isCancelled)
    mailbox.post(.ended(token, failure))
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

  /// Reports that the closure has returned.
  @inlinable
  func finish(_ failure: (any Error)?) {
    _ = endOfClosure()
    mailbox.post(.ended(token, failure))
  }

  /// The closure has returned, in a task of a store. `false` if the task executes no other runs.
  @usableFromInline
  func endOfClosure() -> Bool {
    let wasActive = end()
    closureReturned(isCancelled: !wasActive)
    return wasActive
  }

  @usableFromInline
  func closureReturned(isCancelled: Bool) {
    if let operation, !isCancelled { noteReturn(EndedRun(operation)) }
    operation = nil
  }

  /// Posts that the closure is about to be called, if a trace has a listener.
  @inlinable
  func reportCall() {
    if mailbox.isTraced { mailbox.post(.order(.called(token))) }
  }

  /// Reports the end of a run that was cancelled before its closure was called.
  @inlinable
  package func neverCalled() {
    mailbox.post(.ended(token, nil))
  }

  /// Calls the closure, and returns what it threw; `nil` if it returned. The run belongs to this task meanwhile.
  @inlinable @inline(__always)
  func call() async -> (any Error)? {
    do {
      try await CurrentRun.binding.withValue(identity) {
        CurrentRun.markHome()
        try await operation?.body(Send(self, token: token))
      }
      return nil
    } catch {
      return error
    }
  }
}

extension RunBody: ActionSink {
  @usableFromInline
  package func isFirstReader(of object: AnyObject) -> Bool { ReadSequences.add(object) }

  @usableFromInline package var now: Duration { mailbox.now }
  @usableFromInline package var uncountedNow: Duration { mailbox.uncountedNow }
  @usableFromInline package var clock: any Clock<Duration> { mailbox.clock }

  @usableFromInline
  package func send(_ action: Action, by token: Token) -> Bool {
    if hasReturned.load(ordering: .acquiring) { return sendLate(action, nil) }
    return mailbox.postSent(mailbox, action, token)
  }

  @usableFromInline
  package func delivered(_ action: Action, by token: Token) async -> Bool {
    let isLate = hasReturned.load(ordering: .acquiring)
    return await mailbox.delivered(by: token) { [self] waiter in
      isLate ? sendLate(action, waiter) : mailbox.post(.order(.delivered(action, by: token, waiter)))
    }
  }

  @usableFromInline
  package func sleep(for duration: Duration, by token: Token) async throws {
    try await mailbox.sleep(for: duration, by: token)
  }

  private func sendLate(_ action: Action, _ waiter: Waiter?) -> Bool {
    if waiter == nil { mailbox.willPost(by: token) }
    return mailbox.post(.order(.late(action, by: token, self, waiter)))
  }
}

/// Which task executes a run, if any: by that task the run is cancelled.
///
/// A task may execute many runs, one after another. So each run refers to the task only while its own closure is being
/// called. A task that was cancelled for a run, or is about to be, executes no other run. The class is separate from
/// ``RunBody``, because code that is compiled for all action types looks up the type of each generic object that it
/// uses.
///
/// - Isolation: usable from any thread.
@usableFromInline
// SAFETY: its properties are a lock, two atomics, and `ended`, which is written once, before `hasReturned` is set, and read only if
// that is set. The subclass says what it adds.
package class RunTask: ClosureOfRun, @unchecked Sendable {
  private let phase = PhaseLock(.waiting)
  /// Whether the closure has returned by itself: what is sent now comes too late.
  let hasReturned = Atomic(false)
  private let isReported = Atomic(false)
  /// The run whose closure has returned by itself.
  private var ended: EndedRun?

  private enum Phase {
    /// No task has begun it.
    case waiting
    /// This task executes it.
    case running(Handle)
    /// It was cancelled. If no task had begun it, none will.
    case cancelled
    /// Its closure has returned, or a shell cancels it by a task of its own.
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
      // SAFETY: any thread may cancel a task by such a reference, which retains the task.
      unsafe task.cancel()
    }
  }

  // In place, not a `Lock`, which has memory of its own on Linux. But the thread sanitizer does not support `Mutex`.
  #if TSAN
    private typealias PhaseLock = Lock<Phase>
  #else
    private typealias PhaseLock = Mutex<Phase>
  #endif

  /// Makes a run that no task has begun.
  @usableFromInline
  init() {}

  /// The closure has returned by itself. Called once.
  final func noteReturn(_ run: EndedRun) {
    ended = run
    hasReturned.store(true, ordering: .releasing)
  }

  /// The failure for an action that was sent after that; `nil` if there was one before.
  @usableFromInline
  package final func takeLateFailure() -> EffectFailure? {
    guard hasReturned.load(ordering: .acquiring), let ended else { return nil }
    if isReported.exchange(true, ordering: .relaxed) { return nil }
    return EffectFailure(error: SentAfterReturn(), run: ended.run)
  }

  /// The current task begins the run; `false` if the run was cancelled before.
  @usableFromInline
  package final func begin() -> Bool {
    // SAFETY: the reference leaves the closure only in a `Handle`, which cancels the task and does nothing else with
    // it.
    unsafe withUnsafeCurrentTask { task in
      let handle = unsafe task.map { unsafe Handle(task: $0) }
      return phase.withLock { phase in
        guard case .waiting = phase, let handle else { return false }
        phase = .running(handle)
        return true
      }
    }
  }

  /// As ``begin()``, for a shell that keeps the task of the run and cancels that task itself. ``cancel()`` then does
  /// nothing.
  // To look up the current task and to keep it takes a twentieth of the time of a schedule of `explore`.
  @usableFromInline
  package final func beginInTaskOfShell() -> Bool {
    phase.withLock { phase in
      guard case .waiting = phase else { return false }
      phase = .over
      return true
    }
  }

  /// Cancels the run if no task has begun it: its closure is never called then. Returns whether a task has begun it.
  ///
  /// Not to be called after a cancel: then it returns `true`, also if no task has begun the run.
  @usableFromInline
  package final func cancelUnlessCalled() -> Bool {
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

  /// Cancels the run: if a task executes it, cancels the task; if no task has begun it, the closure is never called.
  /// May run the user's cancellation handlers.
  @usableFromInline
  package final func cancel() {
    takeToCancel()?.cancel()
  }

  /// The first step of ``cancel()``. If no task has begun the run, the closure is never called.
  ///
  /// - Returns: the task that executes the run, which the caller must cancel soon; it executes no other run. `nil` if
  ///   there is none, or if it was returned before.
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

  /// The closure has returned. `false` if the task has been or is about to be cancelled: then it executes no other runs.
  @usableFromInline
  final func end() -> Bool {
    phase.withLock { phase in
      defer { phase = .over }
      if case .running = phase { return true }
      return false
    }
  }

  /// Whether the current task is in the state in which it was made, so that a run may begin in it without any effect of
  /// what the task did before. User code that is called in a task may cancel it and escalate its priority, and neither
  /// can be reverted.
  @usableFromInline
  final class var isTaskFresh: Bool {
    // SAFETY: the reference does not leave the closure.
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return false }
      return unsafe !task.isCancelled && task.priority == task.basePriority
    }
  }
}
