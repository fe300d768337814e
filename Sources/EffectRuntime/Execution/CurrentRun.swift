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

/// Which run a task belongs to, inherited by its child tasks, and by unstructured tasks that are made in it.
@usableFromInline
package struct CurrentRun: Sendable {
  @TaskLocal package static var identity: CurrentRun?

  /// What ``identity`` is bound with; the macro's own name for it cannot be seen by code that is inlined elsewhere.
  @usableFromInline static var binding: TaskLocal<CurrentRun?> { $identity }

  /// The number of its store's mailbox. An address would be another's one day: tasks may outlive both.
  @usableFromInline package let store: UInt64
  @usableFromInline package let token: Token
  /// Where the value is kept that was bound for the run's own task; zero before that has begun.
  private var home: UInt = 0

  @usableFromInline
  init(store: UInt64, token: Token) {
    self.store = store
    self.token = token
  }
}

// MARK: - Child tasks, and others

extension CurrentRun {
  /// Marks the current task as the one that calls the closure of the run that is bound. Called first in that task.
  ///
  /// A child task reads the task-locals of its parent where they are kept; an unstructured task (`Task { }`) has copies of
  /// its own. So a value that is found where it was marked is read in the run's own task, or in a child task of it, which
  /// the run cannot end before. Nothing else tells the two kinds of tasks apart.
  @usableFromInline
  static func markHome() {
    guard let storage = unsafe storage else { return }
    unsafe storage.pointee?.home = UInt(bitPattern: storage)
  }

  /// The run that cannot end before the current task goes on; `nil` in a task that a run has only made.
  static var awaitingThisTask: CurrentRun? {
    guard let identity, let storage = unsafe storage, identity.home == UInt(bitPattern: storage) else { return nil }
    return identity
  }

  /// Where the bound value is kept.
  // SAFETY: the runtime keeps a value of the type that the task-local was declared with until its scope ends. It is written
  // by the run's own task only, before that has made another task or called user code.
  private static var storage: UnsafeMutablePointer<CurrentRun?>? {
    let key = unsafe UnsafeRawPointer(Unmanaged.passUnretained(binding).toOpaque())
    return unsafe taskLocalStorage(key)?.assumingMemoryBound(to: CurrentRun?.self)
  }
}

/// The entry of the concurrency runtime behind `TaskLocal.get()`, part of its stable interface. The getter hands out a copy;
/// what counts here is where the value is.
@_silgen_name("swift_task_localValueGet")
private func taskLocalStorage(_ key: UnsafeRawPointer) -> UnsafeMutableRawPointer?
