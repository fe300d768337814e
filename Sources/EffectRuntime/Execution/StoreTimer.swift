// This source file is part of swift-effects. License: Apache-2.0.

/// The task that sleeps until the next alarm of a store. One task serves all alarms.
@usableFromInline
struct StoreTimer {
  let number: UInt64
  let deadline: Duration
  /// When it was set.
  let begun: Duration
  /// It will never fire. It is kept, because another timer for the same moment would not fire either.
  var hasFailed = false
  let task: Task<Void, Never>
}
