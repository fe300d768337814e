// This source file is part of swift-effects. License: Apache-2.0.

/// The task that sleeps until the next alarm of a store. There is one task for all alarms.
@usableFromInline
struct StoreTimer {
  /// Which timer of the store it is. The messages of earlier timers are ignored.
  let number: UInt64
  /// When it fires, by the store's clock.
  let deadline: Duration
  /// When it was set, by the store's clock.
  let begun: Duration
  /// It will never fire. It is kept, because another timer for the same moment would not fire either.
  var hasFailed = false
  /// The task that sleeps.
  let task: Task<Void, Never>
}
