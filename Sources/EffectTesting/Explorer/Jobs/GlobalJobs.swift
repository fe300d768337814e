// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime
internal import Synchronization

/// Hands jobs of the global executor to the schedule whose code has made them ready: jobs of a `Task {}`, of a detached task,
/// and of an actor that one of these calls.
///
/// The runtime calls a hook for each job of the global executor. A process has one hook; for all other jobs the hook that was
/// set before is called.
enum GlobalJobs {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// From now on the jobs of this thread go to an executor, or to none.
  static func watch(_ executor: ScheduleExecutor?) {
    guard let watcher else { return }
    // SAFETY: unowned, and removed again before the call that plays the schedule returns.
    unsafe watcher.pointer = executor.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
  }

  /// Whether the runtime has the hook. A program with a static Swift runtime may not show it.
  static let areNoticed = watcher != nil

  /// A task belongs to a schedule: it comes back there, also from another thread.
  static func keep(_ task: UInt64, for executor: ScheduleExecutor) {
    owners.withLock { $0[task] = Owner(executor: executor) }
    hasOwners.store(true, ordering: .relaxed)
  }

  /// The schedule of these tasks is over.
  static func forget(_ tasks: some Sequence<UInt64>) {
    owners.withLock { owners in
      for task in tasks { owners[task] = nil }
      hasOwners.store(!owners.isEmpty, ordering: .relaxed)
    }
  }

  private struct Owner {
    weak var executor: ScheduleExecutor?
  }

  private static let owners = Lock([UInt64: Owner]())
  private static let hasOwners = Atomic(false)

  /// Where a thread keeps its executor; `nil` where the runtime has no such hook. The first use sets the hook.
  private static let watcher: ThreadValue? = {
    guard let variable = unsafe variable, let watcher = ThreadValue() else { return nil }
    let own: Hook = { job, original in
      if !GlobalJobs.takesOver(job) { GlobalJobs.pass(job, original) }
    }
    // SAFETY: a thin function is one pointer, which is what the variable holds.
    let address = unsafe unsafeBitCast(own, to: UInt.self)
    while true {
      let former = unsafe variable.pointee.load(ordering: .acquiring)
      GlobalJobs.former.store(former, ordering: .releasing)
      let (isDone, _) = unsafe variable.pointee.compareExchange(
        expected: former, desired: address, ordering: .acquiringAndReleasing)
      if isDone { return watcher }
    }
  }()

  /// The runtime's variable.
  // SAFETY: has the size of a pointer and the lifetime of the process; written as a whole.
  private static var variable: UnsafeMutablePointer<Atomic<UInt>>? {
    unsafe Platform.symbol("swift_task_enqueueGlobal_hook")?.assumingMemoryBound(to: Atomic<UInt>.self)
  }

  /// The hook that was set before.
  private static let former = Atomic<UInt>(0)

  /// Whether a schedule executes the job.
  private static func takesOver(_ job: UnownedJob) -> Bool {
    if let watcher, let executor = unsafe watcher.pointer {
      return unsafe Unmanaged<ScheduleExecutor>.fromOpaque(executor).takeUnretainedValue().takeOver(job)
    }
    guard hasOwners.load(ordering: .relaxed), case .task(let id) = JobIdentity(job),
      let executor = owners.withLock({ $0[id]?.executor })
    else { return false }
    return executor.takeBack(job)
  }

  private static func pass(_ job: UnownedJob, _ original: Original) {
    let address = former.load(ordering: .acquiring)
    guard address != 0 else { return original(job) }
    // SAFETY: was read from the variable, which holds nothing else.
    unsafe unsafeBitCast(address, to: Hook.self)(job, original)
  }
}
