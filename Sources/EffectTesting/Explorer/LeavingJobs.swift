// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Notices jobs that the thread of a schedule hands to the global executor: of a `Task {}`, of a detached task, of a task
/// outside that can go on, of a `Task.sleep`. What these do is not chosen. They may be over before they are awaited, and then
/// nothing else shows that they existed.
///
/// The runtime calls a hook for each such job. A hook that was set before is called as well.
enum LeavingJobs {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
  private typealias DelayOriginal = @convention(thin) (UInt64, UnownedJob) -> Void
  private typealias DelayHook = @convention(thin) (UInt64, UnownedJob, DelayOriginal) -> Void
  private typealias DeadlineOriginal = @convention(thin) (Int, Int, Int, Int, Int32, UnownedJob) -> Void
  private typealias DeadlineHook =
    @convention(thin) (Int, Int, Int, Int, Int32, UnownedJob, DeadlineOriginal) -> Void

  private static let immediate = RuntimeHook("swift_task_enqueueGlobal_hook")
  private static let delayed = RuntimeHook("swift_task_enqueueGlobalWithDelay_hook")
  private static let timed = RuntimeHook("swift_task_enqueueGlobalWithDeadline_hook")

  /// From now on the jobs of this thread are reported to an executor, or to none.
  static func watch(_ executor: ScheduleExecutor?) {
    guard let key else { return }
    // SAFETY: unowned, and removed again before the call that plays returns.
    unsafe pthread_setspecific(key, executor.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
  }

  /// Whether the runtime has the hooks. A program with a static Swift runtime may not show them.
  static let areNoticed = key != nil

  /// Where a thread keeps its executor; `nil` where the runtime lacks a hook. The first use sets the hooks.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    guard unsafe pthread_key_create(&key, nil) == 0 else { return nil }
    let hook: Hook = { job, original in
      LeavingJobs.note()
      let former = LeavingJobs.immediate.former
      guard former != 0 else { return original(job) }
      // SAFETY: was read from the variable of this hook, which holds nothing else.
      unsafe unsafeBitCast(former, to: Hook.self)(job, original)
    }
    let delayHook: DelayHook = { delay, job, original in
      LeavingJobs.note()
      let former = LeavingJobs.delayed.former
      guard former != 0 else { return original(delay, job) }
      // SAFETY: as above.
      unsafe unsafeBitCast(former, to: DelayHook.self)(delay, job, original)
    }
    let deadlineHook: DeadlineHook = { seconds, rest, tolerance, toleranceRest, clock, job, original in
      LeavingJobs.note()
      let former = LeavingJobs.timed.former
      guard former != 0 else { return original(seconds, rest, tolerance, toleranceRest, clock, job) }
      // SAFETY: as above.
      unsafe unsafeBitCast(former, to: DeadlineHook.self)(
        seconds, rest, tolerance, toleranceRest, clock, job, original)
    }
    // SAFETY: a thin function is one pointer, which is what the variable holds.
    let areSet = unsafe [
      immediate.set(unsafeBitCast(hook, to: UInt.self)), delayed.set(unsafeBitCast(delayHook, to: UInt.self)),
      timed.set(unsafeBitCast(deadlineHook, to: UInt.self)),
    ]
    return areSet.contains(false) ? nil : key
  }()

  private static func note() {
    guard let key, let executor = unsafe pthread_getspecific(key) else { return }
    unsafe Unmanaged<ScheduleExecutor>.fromOpaque(executor).takeUnretainedValue().noteLeaver()
  }
}
