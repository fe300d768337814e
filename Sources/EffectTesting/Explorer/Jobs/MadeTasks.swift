// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// What each `Task {}` that the code of a schedule makes refers to until it ends: as a task-local, of which it has a copy.
final class TaskMark: Sendable {
  @TaskLocal static var current: TaskMark?
}

/// The tasks that the code of a schedule has made besides its runs: each `Task {}`, and detached ones.
///
/// Nothing shows when such a task ends, but it releases the task-locals that it has copied. A detached task has none: it has ended
/// when nothing refers to it any more.
struct MadeTasks {
  @safe private struct Made {
    let number: UInt64
    // SAFETY: retained by `add`, and released by `end`.
    @safe let task: Unmanaged<AnyObject>
    /// Whether it has copied the task-locals.
    let isMarked: Bool
    /// The run that has made it, as a failure names it; `nil` for the body. Not the run itself, whose closure may keep the task.
    let maker: String?
  }

  private var made: [Made] = []
  /// Bound for all code of the schedule.
  private(set) var mark = TaskMark()
  /// How many references the mark had then; see ``noteReferences()``.
  private var count = 0
  /// Tasks with a number up to this one were made before the exploration.
  private let earlier = JobIdentity.nextBoundary()

  /// Whether references can be counted in this process.
  static let areCounted = unsafe counter != nil

  private static let counter: Counter? = unsafe Platform.symbol("swift_retainCount").map {
    // SAFETY: the runtime declares the function with this type.
    unsafe unsafeBitCast($0, to: Counter.self)
  }

  private typealias Counter = @convention(c) (UnsafeRawPointer) -> Int

  private var references: Int { unsafe Self.references(to: Unmanaged.passUnretained(mark).toOpaque()) }

  /// How many there are to an object that exists. Counted, because a check whether there is one only may copy the reference.
  private static func references(to object: UnsafeRawPointer) -> Int { unsafe counter?(object) ?? 0 }

  var isEmpty: Bool { made.isEmpty }
  var numbers: [UInt64] { made.map(\.number) }
  func contains(_ number: UInt64) -> Bool { made.contains { $0.number == number } }

  /// Whether a task was made during the exploration.
  func isNew(_ number: UInt64) -> Bool { number > earlier }

  /// The job of a new task becomes ready for the first time.
  mutating func add(_ job: UnownedJob, _ number: UInt64, by maker: (any AnyOperation)?) {
    // SAFETY: the job of a task is the task, and exists during the call. The reference keeps it from now on.
    let task = unsafe Unmanaged<AnyObject>.fromOpaque(unsafeBitCast(job, to: UnsafeRawPointer.self)).retain()
    let before = count
    count = references
    let name = maker.map { "a task that \(EffectRun($0)) at \($0.site) has made" }
    unsafe made.append(Made(number: number, task: task, isMarked: count > before, maker: name))
  }

  /// A job begins. Returns whether a task has ended since the last one: elsewhere, because tasks of the schedule end in its jobs.
  // Mutating, so that no copy refers to the mark as well.
  mutating func hasEndedElsewhere() -> Bool { references != count }

  /// A job is over, a schedule begins, or code does for which the mark was bound: what else refers to the mark later is a new task.
  mutating func noteReferences() { count = references }

  /// The tasks that may not have ended, as a failure names them.
  ///
  /// - Parameters:
  ///   - hasRuns: whether runs have not returned, which refer to the mark as well.
  ///   - hasStore: whether the store exists. It may keep detached tasks that have ended, so they are judged without it.
  mutating func left(hasRuns: Bool, hasStore: Bool) -> [String] {
    let marksAreGone = !hasRuns && isKnownUniquelyReferenced(&mark)
    if marksAreGone, hasStore { return [] }
    var names: Set<String> = []
    for one in made where unsafe !(one.isMarked && marksAreGone) && Self.references(to: one.task.toOpaque()) > 1 {
      names.insert(one.maker ?? Self.unknown)
    }
    if names.isEmpty, !hasRuns, !marksAreGone { return [Self.unknown] }
    return names.sorted()
  }

  private static let unknown = "a `Task {}` that the code has made"

  func cancelAll() {
    // SAFETY: they are tasks, which exist. The type of their values plays no role.
    for one in made { unsafe unsafeBitCast(one.task.takeUnretainedValue(), to: Task<Void, Never>.self).cancel() }
  }

  /// The schedule is over.
  mutating func end() {
    for one in made { unsafe one.task.release() }
    made = []
    if !isKnownUniquelyReferenced(&mark) { mark = TaskMark() }
  }
}
