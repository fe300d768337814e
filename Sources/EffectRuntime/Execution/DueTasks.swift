// This source file is part of swift-effects. License: Apache-2.0.

/// Since when tasks have been due to be cancelled or started, and whether they have waited long enough (rule E8).
///
/// A store hands several tasks over at once. Each handover may wake a thread, and a thread that is awake takes several
/// tasks with little more work. Between fast reductions the wait is short. After a slow reduction the tasks must not
/// wait for another one.
@usableFromInline
struct DueTasks: Sendable {
  @usableFromInline typealias Instant = SuspendingClock.Instant

  private var since: Instant?
  private static let patience = Duration.microseconds(50)

  init() {}

  /// Call this at the end of each reduction while a task is due. `true` if all due tasks are to be handed over now.
  ///
  /// The first call returns `false` and begins the wait. So a task waits for one further reduction, or for all further
  /// reductions that begin within 50 us if these are more.
  ///
  /// - Parameter now: the present time. Later calls must not pass an earlier one.
  @usableFromInline
  mutating func haveWaited(at now: Instant) -> Bool {
    guard let since else {
      since = now
      return false
    }
    return since.duration(to: now) >= Self.patience
  }

  /// All due tasks were handed over.
  @usableFromInline
  mutating func clear() { since = nil }
}
