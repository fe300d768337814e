// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime
internal import Synchronization

/// Notices jobs that the thread of a schedule hands to the global executor: of a `Task {}`, of a detached task, of an
/// outside task that can go on. The explorer does not choose when these execute. They may end before they are awaited,
/// and then nothing else shows that they existed.
///
/// The runtime calls a hook for each such job. A process has one hook; a hook that was set before is called as well.
enum LeavingJobs {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// From now on the jobs of this thread are reported to an executor, or to none.
  static func watch(_ executor: ScheduleExecutor?) {
    guard let watcher else { return }
    // SAFETY: unowned, and removed again before the call that plays the schedule returns.
    unsafe watcher.pointer = executor.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
  }

  /// Whether the runtime has the hook. A program with a static Swift runtime may not show it.
  static let areNoticed = watcher != nil

  /// Where a thread keeps its executor; `nil` where the runtime has no such hook. The first use sets the hook.
  private static let watcher: ThreadValue? = {
    guard let variable = unsafe variable, let watcher = ThreadValue() else { return nil }
    let own: Hook = { job, original in
      LeavingJobs.note()
      LeavingJobs.pass(job, original)
    }
    // SAFETY: a thin function is one pointer, which is what the variable holds.
    let address = unsafe unsafeBitCast(own, to: UInt.self)
    while true {
      let former = unsafe variable.pointee.load(ordering: .acquiring)
      LeavingJobs.former.store(former, ordering: .releasing)
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

  private static func note() {
    guard let watcher, let executor = unsafe watcher.pointer else { return }
    unsafe Unmanaged<ScheduleExecutor>.fromOpaque(executor).takeUnretainedValue().noteLeaver()
  }

  private static func pass(_ job: UnownedJob, _ original: Original) {
    let address = former.load(ordering: .acquiring)
    guard address != 0 else { return original(job) }
    // SAFETY: was read from the variable, which holds nothing else.
    unsafe unsafeBitCast(address, to: Hook.self)(job, original)
  }
}
