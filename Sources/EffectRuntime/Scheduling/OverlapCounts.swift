// This source file is part of swift-effects. License: Apache-2.0.

/// Who may run under one id: the decisions of every overlap, as arithmetic on three counts.
///
/// It knows how many, not who. Whoever keeps the lists applies an answer to their oldest members; that the oldest
/// stand in front is all this relies on.
package struct OverlapCounts: Equatable, Sendable {
  /// Runs that live.
  package private(set) var running = 0
  /// Runs that wait.
  package private(set) var queued = 0
  /// Runs that wait for their time. They hold no place; `.restart` counts them (rule C2).
  package private(set) var waiting = 0
  /// Runs that were cancelled and whose closure has not returned.
  package private(set) var cancelling = 0
  /// Of those, how many keep their place.
  private var kept = 0
  private var limit = Int.max

  package init() {}

  /// What becomes of a run that arrives.
  package enum Admission: Equatable, Sendable {
    /// It starts.
    case start
    /// It waits behind the others.
    case wait
    /// It is dropped.
    case drop
  }

  /// Who has to go before a run that arrives is admitted.
  package struct Eviction: Equatable, Sendable {
    /// So many of the oldest running are cancelled.
    package var running = 0
    /// So many of the longest waiting are dropped.
    package var queued = 0
    /// So many of those that wait for their time are dropped, the longest waiting first.
    package var waiting = 0
  }

  package var isEmpty: Bool { running == 0 && queued == 0 && waiting == 0 && cancelling == 0 }

  private var hasRoom: Bool { running + kept < limit }

  // An arrival takes three questions, because what it evicts changes the counts in between: a run that never started
  // keeps no place, one that did may.

  /// A run arrives, and the limit it declares counts for the id from now on: how many that wait start because of it.
  ///
  /// A joining run that found somebody to share with does not arrive at all; see ``Overlap/join``.
  package mutating func declared(_ overlap: Overlap) -> Int {
    limit = overlap.limit
    return startQueued()
  }

  /// Who must go for the run that arrives.
  package func eviction(for overlap: Overlap) -> Eviction {
    switch overlap.kind {
    case .restart:
      // Those that wait for a kept place count as well: of all that live or wait, the newest `limit` are right.
      let excess = max(0, running + queued + waiting - (limit - 1))
      return Eviction(
        running: min(excess, running), queued: max(0, min(excess - running, queued)),
        waiting: max(0, excess - running - queued))
    case .keepLatest:
      return Eviction(queued: hasRoom ? 0 : queued)
    case .enqueue, .join:
      let isFull = !hasRoom && queued >= overlap.capacity
      return Eviction(queued: isFull && overlap.whenFull == .dropOldest ? min(1, queued) : 0)
    case .concurrent, .drop:
      return Eviction()
    }
  }

  /// Admits the run that arrived, after those that had to go are gone.
  package mutating func admit(_ overlap: Overlap) -> Admission {
    if hasRoom {
      running += 1
      return .start
    }
    let mayWait =
      switch overlap.kind {
      case .concurrent, .restart, .keepLatest: true
      case .drop: false
      case .enqueue, .join: queued < overlap.capacity
      }
    guard mayWait else { return .drop }
    queued += 1
    return .wait
  }

  /// A run ended by itself.
  package mutating func runningEnded() {
    running -= 1
  }

  /// A run was cancelled. One whose closure never started is gone with that.
  package mutating func runningCancelled(started: Bool, keepsPlace: Bool) {
    running -= 1
    guard started else { return }
    cancelling += 1
    if keepsPlace { kept += 1 }
  }

  /// The closure of a cancelled run has returned.
  package mutating func cancelledReturned(keptPlace: Bool) {
    cancelling -= 1
    if keptPlace { kept -= 1 }
  }

  /// A run that waited was dropped.
  package mutating func queuedDropped() {
    queued -= 1
  }

  /// How many that wait may start now, the longest waiting first.
  package mutating func startQueued() -> Int {
    guard queued > 0 else { return 0 }
    let room = limit == .max ? queued : max(0, limit - running - kept)
    let count = min(room, queued)
    queued -= count
    running += count
    return count
  }

  /// A run has come that waits for its time.
  package mutating func waitingArrived() {
    waiting += 1
  }

  /// A run that waited for its time goes on or is dropped.
  package mutating func waitingLeft() {
    waiting -= 1
  }

  /// An attempt of a run was cancelled, and the run lives on in its place.
  package mutating func attemptAbandoned() {
    cancelling += 1
  }

  /// One of those cancelled takes over the place that a run gives up.
  package mutating func placeKept() {
    kept += 1
  }
}
