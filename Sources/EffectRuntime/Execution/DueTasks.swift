// This source file is part of swift-effects. License: Apache-2.0.

/// Since when tasks are due to be cancelled or started, and whether they have waited long enough (rule E8).
///
/// A store hands several tasks over at once, because each may wake a thread, and a thread that is awake takes several with
/// little more work. Between fast reductions nobody notices the wait; a slow reduction must not add to it.
@usableFromInline
struct DueTasks: Sendable {
  @usableFromInline typealias Instant = SuspendingClock.Instant

  private var since: Instant?
  private static let patience = Duration.microseconds(50)

  init() {}

  /// To be asked at the end of each reduction while a task is due. `true` if all are to be handed over now.
  ///
  /// The first answer is `false` and begins the wait. So a task waits for the next reduction, or for others that begin
  /// within 50 us.
  @usableFromInline
  mutating func haveWaited(at now: Instant) -> Bool {
    guard let since else {
      since = now
      return false
    }
    return since.duration(to: now) >= Self.patience
  }

  /// All were handed over.
  @usableFromInline
  mutating func clear() { since = nil }
}
