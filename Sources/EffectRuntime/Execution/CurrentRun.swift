// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// The run that a task belongs to. Child tasks inherit it, and so does each `Task { }` that is made in the task.
/// Detached tasks do not.
@usableFromInline
package struct CurrentRun: Sendable {
  /// The run that the current task belongs to; `nil` outside of runs.
  @TaskLocal package static var identity: CurrentRun?

  /// What ``identity`` is bound with. Code that is inlined elsewhere cannot see the macro's own name for it.
  @usableFromInline static var binding: TaskLocal<CurrentRun?> { $identity }

  /// The number of the mailbox of its store. Not an address, which could be reused: tasks may outlive the store and the
  /// mailbox.
  @usableFromInline package let store: UInt64
  /// The token with which the closure was started.
  @usableFromInline package let token: Token
  /// The address of the value that was bound for the run's own task; zero before that task has begun.
  private var home: UInt = 0

  @usableFromInline
  init(store: UInt64, token: Token) {
    self.store = store
    self.token = token
  }
}

// MARK: - Child tasks, and others

extension CurrentRun {
  /// Marks the current task as the task that calls the closure of the bound run. Called first in that task.
  ///
  /// A child task reads the task-locals of its parent at the parent's address. An unstructured task (`Task { }`) has
  /// copies. So a value that is found at the marked address is read in the run's own task or in one of its child tasks,
  /// and the run cannot end before these. Nothing else distinguishes the two kinds of tasks.
  @usableFromInline
  static func markHome() {
    // SAFETY: see `storage`. The run's own task calls this first, so no other task reads the value yet.
    guard let storage = unsafe storage else { return }
    unsafe storage.pointee?.home = UInt(bitPattern: storage)
  }

  /// The run that cannot end before the current task continues; `nil` in an unstructured task that a run has made.
  static var awaitingThisTask: CurrentRun? {
    // SAFETY: only the address is used, and not what is there.
    guard let identity, let storage = unsafe storage, identity.home == UInt(bitPattern: storage) else { return nil }
    return identity
  }

  /// The address of the bound value.
  // SAFETY: the runtime keeps a value of the type that the task-local was declared with until its scope ends. Only the
  // run's own task writes it, before it has made another task or called user code.
  private static var storage: UnsafeMutablePointer<CurrentRun?>? {
    let key = unsafe UnsafeRawPointer(Unmanaged.passUnretained(binding).toOpaque())
    return unsafe taskLocalStorage(key)?.assumingMemoryBound(to: CurrentRun?.self)
  }
}

/// The entry of the concurrency runtime behind `TaskLocal.get()`, part of its stable interface. The getter returns a
/// copy, but the address of the value is needed here.
@_silgen_name("swift_task_localValueGet")
private func taskLocalStorage(_ key: UnsafeRawPointer) -> UnsafeMutableRawPointer?
