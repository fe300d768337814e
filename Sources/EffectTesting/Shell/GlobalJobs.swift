// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime
internal import Synchronization

/// An executor of this module that also executes jobs of the global executor: those of tasks that the code of its runs makes.
protocol GlobalJobReceiver: AnyObject, Sendable {
  /// A job was made ready on the thread that this executor watches. Returns whether this executor executes it.
  func takeOver(_ job: UnownedJob) -> Bool
}

/// Such an executor that keeps the tasks which it has taken over.
protocol GlobalJobOwner: GlobalJobReceiver {
  /// A job of a task that it keeps was made ready on a thread that it does not watch. Returns whether this executor executes it.
  func takeBack(_ job: UnownedJob) -> Bool
}

/// Hands jobs of the global executor to the executor whose code has made them ready: jobs of a `Task {}`, of a detached task,
/// and of an actor that one of these calls.
///
/// The runtime calls a hook for each job of the global executor. A process has one hook; for all other jobs the hook that was
/// set before is called.
enum GlobalJobs {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// From now on the jobs of this thread go to an executor, or to none.
  static func watch(_ receiver: (any GlobalJobReceiver)?) {
    guard let watcher else { return }
    // SAFETY: unowned, and removed again before the call that executes the jobs returns.
    unsafe watcher.pointer = receiver.map { receiver in
      unsafe UnsafeRawPointer(Unmanaged<AnyObject>.passUnretained(receiver).toOpaque())
    }
  }

  /// The executor that watches this thread.
  private static var receiver: (any GlobalJobReceiver)? {
    // SAFETY: see `watch`.
    guard let pointer = unsafe watcher?.pointer else { return nil }
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    return object as? any GlobalJobReceiver
  }

  /// The jobs that the closure makes ready on this thread go to an executor. Calls may be nested.
  static func watching<Result>(_ receiver: some GlobalJobReceiver, _ body: () -> Result) -> Result {
    guard let watcher else { return body() }
    let former = unsafe watcher.pointer
    watch(receiver)
    // SAFETY: as in `watch`; the former one is watched until its own call returns.
    defer { unsafe watcher.pointer = former }
    return body()
  }

  /// Whether the runtime has the hook. A program with a static Swift runtime may not show it.
  static let areNoticed = watcher != nil

  /// How many jobs were left to the global executor in this process since the hook is set.
  static var passedCount: Int { passed.load(ordering: .relaxed) }

  /// A task belongs to an executor: it comes back there, also from another thread.
  static func keep(_ task: UInt64, for owner: any GlobalJobOwner) {
    owners.withLock { $0[task] = Owner(executor: owner) }
    hasOwners.store(true, ordering: .relaxed)
  }

  /// The executor of these tasks does not need them any more.
  static func forget(_ tasks: some Sequence<UInt64>) {
    owners.withLock { owners in
      for task in tasks { owners[task] = nil }
      hasOwners.store(!owners.isEmpty, ordering: .relaxed)
    }
  }

  private struct Owner {
    weak var executor: (any GlobalJobOwner)?
  }

  private static let owners = Lock([UInt64: Owner]())
  private static let hasOwners = Atomic(false)
  private static let passed = Atomic(0)

  /// Where a thread keeps the executor that watches it; `nil` where the runtime has no such hook. The first use sets the hook.
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

  /// Whether an executor of this module executes the job.
  private static func takesOver(_ job: UnownedJob) -> Bool {
    let receiver = receiver
    if hasOwners.load(ordering: .relaxed), case .task(let id) = JobIdentity(job),
      let owner = owners.withLock({ $0[id]?.executor }), owner !== receiver
    {
      return owner.takeBack(job)
    }
    return receiver?.takeOver(job) ?? false
  }

  private static func pass(_ job: UnownedJob, _ original: Original) {
    passed.add(1, ordering: .relaxed)
    let address = former.load(ordering: .acquiring)
    guard address != 0 else { return original(job) }
    // SAFETY: was read from the variable, which holds nothing else.
    unsafe unsafeBitCast(address, to: Hook.self)(job, original)
  }
}
