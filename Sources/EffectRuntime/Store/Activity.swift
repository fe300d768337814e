// This source file is part of swift-effects. License: Apache-2.0.

/// What a store is doing at the moment, besides what its ``Core`` holds.
@usableFromInline
struct Activity {
  /// A drain is running: sends only enqueue.
  @usableFromInline var isDraining = false
  /// Which task drains, while a slice is running.
  @usableFromInline var drain = MailboxDrain.others
  /// A scheduled slice came while another slice was running.
  @usableFromInline var isSliceOwed = false
  /// Wakes the store for the next deadline, if there is one.
  @usableFromInline var timer: StoreTimer?
}
