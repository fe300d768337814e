// This source file is part of swift-effects. License: Apache-2.0.

/// What a job is, as the runtime shows it.
enum JobIdentity: Equatable {
  /// A task, with its number, which no other task of the process has.
  case task(UInt64)
  /// A call of an actor.
  case actor
  /// Anything else, for example a `Task.yield()`.
  case other

  init(_ job: UnownedJob) {
    switch Self.kind(of: job) {
    case 0: self = .task(taskNumber(of: job))
    case 192...194: self = .actor
    default: self = .other
    }
  }

  /// Returns a number that is lower than those of all tasks that are made later, and not lower than those of all others.
  static func nextBoundary() -> UInt64 {
    // A task that is not executed by the global executor, so no thread is woken for it.
    task(Task.detached(executorPreference: ImmediateExecutor.shared) {})
  }

  static func address(_ job: UnownedJob) -> UInt {
    // SAFETY: an unowned job is one pointer. Only its bits are used.
    unsafe unsafeBitCast(job, to: UInt.self)
  }

  static func task(_ task: Task<Void, Never>) -> UInt64 {
    // SAFETY: a task is its own job, and exists during the call.
    taskNumber(of: unsafe unsafeBitCast(task, to: UnownedJob.self))
  }

  /// The lowest byte of the flags of a job: behind the object's header (16 bytes) and two words of the executor.
  private static func kind(of job: UnownedJob) -> UInt8 {
    // SAFETY: a job that is ready or being executed exists, and is larger than this offset. `flags` has been there since tasks
    // exist; another value than the known ones counts as unknown.
    unsafe UnsafeRawPointer(bitPattern: address(job)).map { unsafe $0.load(fromByteOffset: 32, as: UInt8.self) } ?? 255
  }
}

/// The entry of the concurrency runtime behind the description of a job, part of its stable interface.
@_silgen_name("swift_task_getJobTaskId")
private func taskNumber(of job: UnownedJob) -> UInt64

/// Executes each job at once, on the thread that makes it ready.
private final class ImmediateExecutor: TaskExecutor {
  static let shared = ImmediateExecutor()

  func enqueue(_ job: consuming ExecutorJob) { unsafe UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor()) }
}
