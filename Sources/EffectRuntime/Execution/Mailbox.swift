// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import Synchronization

/// Where actions, ends and questions wait for the store: first in, first out, from any thread, never blocking.
///
/// A lock around an array, and a second array to swap it with: the store takes everything at once and goes through it
/// without the lock. A post to an idle mailbox says that a drain must be scheduled; further posts do not, until the
/// store found the mailbox empty. A long-lived loop would be no faster and keep the store alive; an `AsyncStream` costs
/// thirty times as much.
///
/// It outlives the store (runs hold it), refers to it weakly, and is closed when the store goes.
@usableFromInline
package final class Mailbox<Action: Sendable>: Sendable {
  @usableFromInline
  struct Queue {
    @usableFromInline var messages: [Message<Action>] = []
    /// How many actions have come from outside; numbers their dispatches from 1.
    @usableFromInline var accepted: UInt64 = 0
    /// How many orders have come from outside that are no actions and that a query must see: cancels of dispatches, and ids
    /// whose outcomes are to be kept.
    var orders: UInt64 = 0
    @usableFromInline var isDrainScheduled = false
    /// A drain is at work, and not only on its way.
    @usableFromInline var isDrainRunning = false
    @usableFromInline var isOpen = true
    /// Whether actions from outside are taken in; until the store is shut down.
    @usableFromInline var isAccepting = true
    /// Dispatches that were cancelled, perhaps before their action was reduced.
    @usableFromInline var cancelled: Set<UInt64> = []
    /// When and where the messages were posted, while somebody listens.
    @usableFromInline var stamps = TraceStamps()

    /// Whether nothing waits: then the next post schedules a drain, unless one is on its way.
    @inlinable @inline(__always)
    mutating func isFoundEmpty(by drain: MailboxDrain) -> Bool {
      guard messages.isEmpty else { return false }
      if drain != .ahead { isDrainScheduled = false }
      isDrainRunning = false
      return true
    }
  }

  @usableFromInline let queue = Lock(Queue())
  /// Spares a drain the lock where nobody cancelled anything, which is nearly always.
  @usableFromInline let hasCancelled = Atomic<Bool>(false)
  /// Whether somebody listens to the trace, so that messages are to be stamped.
  @usableFromInline let tracing = Atomic(Tracing.off)
  package let time: TimeSource
  /// Of all mailboxes of the process, this one.
  @usableFromInline package let identity = MailboxNumber.next()
  /// Posts an action of a run. A run knows its mailbox through a protocol, where nothing is compiled for the action type.
  @usableFromInline let postSent: @Sendable (Mailbox, Action, Token) -> Bool
  // SAFETY: written once, before the mailbox is shared; weak references may be read from any thread.
  private nonisolated(unsafe) weak var owner: (any MailboxOwner)?
  // SAFETY: likewise.
  private nonisolated(unsafe) var keptOwner: (any MailboxOwner)?

  @inlinable
  package convenience init(time: TimeSource) {
    self.init(time: time) { mailbox, action, token in mailbox.post(.sent(action, by: token)) }
  }

  @usableFromInline
  init(time: TimeSource, postSent: @escaping @Sendable (Mailbox, Action, Token) -> Bool) {
    self.time = time
    self.postSent = postSent
  }

  /// Says whose mailbox it is; to be called once, before anything is posted.
  package func attach(_ owner: some MailboxOwner) {
    unsafe self.owner = owner
  }

  /// As ``attach(_:)``, for one who does not keep the mailbox: a weak reference would make every other to it dear.
  package func attach(keeping owner: some MailboxOwner) {
    unsafe keptOwner = owner
  }

  package var liveOwner: (any MailboxOwner)? { unsafe keptOwner ?? owner }

  // MARK: - Posting

  /// The outcome of a post from outside.
  @usableFromInline
  package struct Receipt {
    /// The number of the dispatch; 0 if it was refused.
    @usableFromInline package let number: UInt64
    @usableFromInline package let mustSchedule: Bool

    @inlinable
    init(number: UInt64, mustSchedule: Bool) {
      self.number = number
      self.mustSchedule = mustSchedule
    }
  }

  /// Takes in an action from outside. The caller schedules the drain: it holds the store anyway.
  ///
  /// With `inline` the caller drains by itself, at once, and nothing needs to be scheduled for this action.
  @inlinable
  package func post(_ action: Action, inline: Bool = false) -> Receipt {
    queue.withLock { queue in
      guard queue.isAccepting else { return Receipt(number: 0, mustSchedule: false) }
      queue.accepted += 1
      queue.messages.append(.action(action))
      let mustSchedule = !inline && !queue.isDrainScheduled
      if mustSchedule { queue.isDrainScheduled = true }
      return Receipt(number: queue.accepted, mustSchedule: mustSchedule)
    }
  }

  /// Takes in an action from outside together with a waiter for all it causes, so that nothing comes in between; with
  /// `collects`, the waiter gets the outcomes of all that. Returns the number of the dispatch; 0 if it was refused.
  package func post(_ action: Action, watchedBy waiter: Waiter, collects: Bool = false, from own: Token) -> UInt64 {
    let stamp = isTraced ? stamp(nil) : nil
    let (number, mustSchedule): (UInt64, Bool) = queue.withLock { queue in
      guard queue.isAccepting else { return (0, false) }
      queue.accepted += 1
      if collects { queue.messages.append(.collectOutcomes(queue.accepted)) }
      queue.messages.append(.action(action))
      if let stamp { queue.stamp(stamp) }
      queue.messages.append(.watch(queue.accepted, waiter, from: own))
      defer { queue.isDrainScheduled = true }
      return (queue.accepted, !queue.isDrainScheduled)
    }
    if mustSchedule { liveOwner?.scheduleDrain() }
    return number
  }

  /// Refuses actions from outside from now on; the order to end stands behind all that was accepted before. `false` if
  /// the store has come to its end.
  package func shutDown(_ shutdown: Shutdown, _ waiter: Waiter, from own: Token) -> Bool {
    queue.withLock { $0.isAccepting = false }
    return post(.shutDown(shutdown, waiter, from: own))
  }

  /// The store has come to its end: takes in nothing at all. What waits will still be taken.
  package func end() {
    queue.withLock { $0.isOpen = false }
  }

  /// Takes in a message of a run or a waiter, and wakes the store; `false` if the store is gone.
  @inlinable
  @discardableResult
  package func post(_ message: Message<Action>) -> Bool {
    let stamp = isTraced ? stamp(nil) : nil
    let (isOpen, mustSchedule) = queue.withLock { queue in
      guard queue.isOpen else { return (false, false) }
      queue.messages.append(message)
      if let stamp { queue.stamp(stamp) }
      defer { queue.isDrainScheduled = true }
      return (true, !queue.isDrainScheduled)
    }
    if mustSchedule { wake() }
    return isOpen
  }

  /// Takes in the end of a run, from a task that has nothing to do any more and may as well drain.
  @inlinable
  package func postEnd(_ message: Message<Action>) -> MailboxDrain {
    queue.withLock { queue in
      guard queue.isOpen else { return .others }
      queue.messages.append(message)
      if !queue.isDrainScheduled {
        queue.isDrainScheduled = true
        queue.isDrainRunning = true
        return .instead
      }
      if queue.isDrainRunning { return .others }
      queue.isDrainRunning = true
      return .ahead
    }
  }

  /// Whether the end of a run has been posted and not taken. O(what waits).
  package func holdsEnd(of token: Token) -> Bool {
    queue.withLock { $0.messages.contains { $0.isEnd(of: token) } }
  }

  @usableFromInline
  func wake() {
    liveOwner?.scheduleDrain()
  }

  /// Cancels a dispatch: at once for a drain that has not come to its action, in its turn for what runs.
  @usableFromInline
  package func cancel(_ number: UInt64) {
    let isOpen = queue.withLock { queue in
      if queue.isOpen { queue.cancelled.insert(number) }
      return queue.isOpen
    }
    guard isOpen else { return }
    hasCancelled.store(true, ordering: .releasing)
    postOrder(.cancelDispatch(number))
  }

  /// Takes in an order from outside that is no action; the next query on the store's isolation comes behind it.
  func postOrder(_ message: Message<Action>) {
    let stamp = isTraced ? stamp(nil) : nil
    let mustSchedule = queue.withLock { queue in
      guard queue.isOpen else { return false }
      queue.messages.append(message)
      queue.orders += 1
      if let stamp { queue.stamp(stamp) }
      defer { queue.isDrainScheduled = true }
      return !queue.isDrainScheduled
    }
    if mustSchedule { wake() }
  }

  /// How many actions, and how many other orders, have come from outside.
  var fromOutside: (actions: UInt64, orders: UInt64) { queue.withLock { ($0.accepted, $0.orders) } }

  /// How many actions from outside have been accepted.
  package var accepted: UInt64 { queue.withLock { $0.accepted } }

  // MARK: - Draining

  /// A drain that was scheduled has come.
  func drainBegins() {
    queue.withLock { $0.isDrainRunning = true }
  }

  /// Drains in the current task. The store is held for a slice at a time (rule E7).
  @usableFromInline
  package func drainHere(_ drain: MailboxDrain) async {
    while await liveOwner?.takeSlice(drain) == true {}
  }

  /// Swaps all that waits for an empty array. `false` if nothing waits: then the next post schedules a drain, unless one is
  /// on its way.
  @inlinable
  package func take(into batch: inout [Message<Action>], _ drain: MailboxDrain = .others) -> Bool {
    queue.withLock { queue in
      if queue.isFoundEmpty(by: drain) { return false }
      swap(&queue.messages, &batch)
      if !queue.stamps.isEmpty { queue.stamps = TraceStamps() }
      return true
    }
  }

  /// As ``take(into:_:)``, for whoever looks only when told to: the next post says so again.
  @inlinable
  package func takeAll(into batch: inout [Message<Action>]) -> Bool {
    queue.withLock { queue in
      queue.isDrainScheduled = false
      if queue.messages.isEmpty { return false }
      swap(&queue.messages, &batch)
      if !queue.stamps.isEmpty { queue.stamps = TraceStamps() }
      return true
    }
  }

  /// Whether a dispatch has been cancelled.
  @inlinable
  package func isCancelled(_ number: UInt64) -> Bool {
    guard hasCancelled.load(ordering: .acquiring) else { return false }
    return queue.withLock { $0.cancelled.contains(number) }
  }

  /// The cancel of a dispatch was taken, behind its action: the note has served.
  package func forgetCancelled(_ number: UInt64) {
    let isLast = queue.withLock { queue in
      queue.cancelled.remove(number)
      return queue.cancelled.isEmpty
    }
    // A cancel noted in between sets the flag again only after this lock; so look once more.
    if isLast {
      hasCancelled.store(false, ordering: .sequentiallyConsistent)
      if queue.withLock({ !$0.cancelled.isEmpty }) { hasCancelled.store(true, ordering: .releasing) }
    }
  }

  /// Refuses everything from now on, and hands over what still waits.
  package func close() -> [Message<Action>] {
    queue.withLock { queue in
      queue.isOpen = false
      queue.isAccepting = false
      defer { queue.messages = [] }
      return queue.messages
    }
  }
}

/// Who sees to it that the end of a run is taken.
@usableFromInline
package enum MailboxDrain: Sendable {
  /// A drain that is at work will come to it, or the store is gone.
  case others
  /// The task of the run, before the drain that is on its way.
  case ahead
  /// The task of the run, as nobody else will.
  case instead
}

/// Who empties a mailbox.
package protocol MailboxOwner: AnyObject, Sendable {
  /// Something waits in a mailbox that was empty.
  func scheduleDrain()
  /// An order was given by code of this isolation: if it is the owner's own, all that waits is taken at once.
  func drainInline(from caller: (any Actor)?)
  /// Takes a slice of what waits, in a task of a run that has ended; `true` if something may be left.
  func takeSlice(_ drain: MailboxDrain) async -> Bool
}

extension MailboxOwner {
  /// An owner that drains at moments of its own does so then.
  package func drainInline(from caller: (any Actor)?) {}

  /// Whoever drains at moments of its own is told like by anybody.
  package func takeSlice(_ drain: MailboxDrain) async -> Bool {
    scheduleDrain()
    return false
  }
}

extension Message {
  /// Whether it tells of the end of a run.
  package func isEnd(of token: Token) -> Bool {
    if case .ended(token, _) = self { true } else { false }
  }
}

/// Counts the mailboxes of the process.
enum MailboxNumber {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
