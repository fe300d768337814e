// This source file is part of swift-effects. License: Apache-2.0.

/// The task that sleeps until the next alarm of a store; one serves for all of them.
struct StoreTimer {
  let number: UInt64
  let deadline: Duration
  /// When it was set.
  let begun: Duration
  /// It will never go off, and is kept because another one for the same moment would not either.
  var hasFailed = false
  let task: Task<Void, Never>
}
