// This source file is part of swift-effects. License: Apache-2.0.

/// What a store is doing at the moment, besides what its ``Core`` holds.
@usableFromInline
struct Activity {
  /// The interpreter is at work, or being asked, and may compare ids: user code, which must not come back with a question.
  @usableFromInline var isLooking = false
  /// A drain is under way: sends only enqueue.
  @usableFromInline var isDraining = false
  /// Who drains, while a slice is under way.
  @usableFromInline var drain = MailboxDrain.others
  /// A scheduled slice came while another was under way.
  @usableFromInline var isSliceOwed = false
  /// The store has been shut down, or is about to be.
  var ending: Ending?
  /// Wakes the store for the next alarm, if there is one.
  var timer: StoreTimer?
}
