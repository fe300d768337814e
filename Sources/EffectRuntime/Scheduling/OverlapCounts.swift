// This source file is part of swift-effects. License: Apache-2.0.

/// Which work may be active under one id: the decisions of every overlap, as arithmetic on counts.
///
/// It has only counts, and not the work itself. ``NameDirectory`` keeps the lists and applies each decision to their
/// oldest members.
package struct OverlapCounts: Hashable, Sendable {
  private var tally = Tally()
  /// How many of the cancelled runs hold their slot until their closure has returned.
  private var kept = 0
  private var limit = Int.max

  private struct Tally: Hashable, Sendable {
    /// How many run and hold a slot. These are counted against the limit, and only these are cancelled by `.restart`.
    var holding = 0
    /// How many run and have left their slot, because their `catch` closures execute.
    var recovering = 0
    var queued = 0
    var waiting = 0
    var cancelling = 0
  }

  /// How many run. They hold a slot, except those that have left it for their `catch` closures.
  package var running: Int { tally.holding + tally.recovering }
  /// How many are queued for a slot.
  package var queued: Int { tally.queued }
  /// How many wait for their time. They hold no slot; `.restart` counts them (rule C4).
  package var waiting: Int { tally.waiting }
  /// How many were cancelled and have closures that have not returned.
  package var cancelling: Int { tally.cancelling }

  /// Makes the counts of an id without work.
  package init() {}

  /// The decision about a run that arrives.
  package enum Admission: Equatable, Sendable {
    /// It starts.
    case start
    /// It is queued behind the others.
    case queue
    /// It is dropped.
    case drop
  }

  /// What is cancelled or dropped before a run that arrives is admitted.
  package struct Eviction: Equatable, Sendable {
    /// How many of the oldest runs that hold a slot are cancelled.
    package var running = 0
    /// How many of the queued runs are dropped, the longest queued first.
    package var queued = 0
    /// How many of the runs that wait for their time are dropped, the longest waiting first.
    package var waiting = 0
  }

  /// Whether no work of the id is counted.
  package var isEmpty: Bool { running == 0 && queued == 0 && waiting == 0 && cancelling == 0 }

  private var hasRoom: Bool { tally.holding + kept < limit }

  // An arrival takes three calls: `declared`, `eviction` and `admit`. What is evicted changes the counts in between:
  // when it is cancelled, a run that never started keeps no slot, and a run that started may keep its slot.

  /// A run arrives, and the limit it declares counts for the id from now on. Returns how many queued runs start because
  /// of that.
  ///
  /// A run that joins another one declares its limit as well. It is not admitted.
  package mutating func declared(_ overlap: Overlap) -> Int {
    limit = overlap.limit
    return startQueued()
  }

  /// What is cancelled or dropped for the run that arrives.
  package func eviction(for overlap: Overlap) -> Eviction {
    switch overlap.kind {
    case .restart:
      // Those that are queued or wait for their time count as well: of all of these and the new run, the newest `limit`
      // may stay.
      let holding = tally.holding
      let excess = max(0, holding + queued + waiting - (limit - 1))
      return Eviction(
        running: min(excess, holding), queued: max(0, min(excess - holding, queued)),
        waiting: max(0, excess - holding - queued))
    case .queue, .join:
      // With the new run, at most as many wait as the queue has room for.
      guard !hasRoom, overlap.whenFull == .dropOldest else { return Eviction() }
      return Eviction(queued: queued - min(queued, max(0, overlap.capacity - 1)))
    }
  }

  /// Decides about the run that arrived, after others have been evicted for it, and counts it unless it is dropped.
  package mutating func admit(_ overlap: Overlap) -> Admission {
    if hasRoom {
      tally.holding += 1
      return .start
    }
    // `.restart` has no capacity, so its runs may always wait for closures of exclusive runs.
    guard queued < overlap.capacity else { return .drop }
    tally.queued += 1
    return .queue
  }

  /// The last attempt of a run has failed: it leaves its slot, and runs until its `catch` closure has returned.
  package mutating func slotLeft() {
    tally.holding -= 1
    tally.recovering += 1
  }

  /// A run ended by itself.
  package mutating func runningEnded(isRecovering: Bool = false) {
    if isRecovering { tally.recovering -= 1 } else { tally.holding -= 1 }
  }

  /// A run was cancelled. One whose closure never started leaves at once.
  package mutating func runningCancelled(started: Bool, isRecovering: Bool = false, keepsSlot: Bool) {
    runningEnded(isRecovering: isRecovering)
    guard started else { return }
    tally.cancelling += 1
    if keepsSlot { kept += 1 }
  }

  /// The closure of a cancelled run has returned.
  package mutating func cancelledReturned(keptSlot: Bool) {
    tally.cancelling -= 1
    if keptSlot { kept -= 1 }
  }

  /// A run that was queued was dropped or cancelled.
  package mutating func queuedDropped() {
    tally.queued -= 1
  }

  /// Counts the queued runs as started that there are slots for. Returns how many: the caller starts the longest
  /// queued.
  package mutating func startQueued() -> Int {
    guard queued > 0 else { return 0 }
    let room = limit == .max ? queued : max(0, limit - tally.holding - kept)
    let count = min(room, queued)
    tally.queued -= count
    tally.holding += count
    return count
  }

  /// A run has arrived that waits for its time.
  package mutating func waitingArrived() {
    tally.waiting += 1
  }

  /// A run that waited for its time continues, or is dropped or cancelled.
  package mutating func waitingLeft() {
    tally.waiting -= 1
  }

  /// An attempt of a run was cancelled, and the run stays active in its slot.
  package mutating func attemptAbandoned() {
    tally.cancelling += 1
  }

  /// A cancelled closure holds the slot that its run releases.
  package mutating func slotKept() {
    kept += 1
  }
}
