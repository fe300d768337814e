// This source file is part of swift-effects. License: Apache-2.0.

/// What a store is doing at the moment, besides what its ``Core`` holds.
@usableFromInline
struct Activity {
  /// A drain is running, or a query calls user code: sends only enqueue.
  @usableFromInline var isDraining = false
  /// While a slice is running: whether the task of a run takes it. That task continues with the runs that become ready.
  @usableFromInline var isInTaskOfRun = false
  /// A slice was due to run while `isDraining` was set. Another one is scheduled when that ends.
  @usableFromInline var isSliceOwed = false
  /// Wakes the store for the next deadline, if there is one.
  @usableFromInline var timer: StoreTimer?
}
