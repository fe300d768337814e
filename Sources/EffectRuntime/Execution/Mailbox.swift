// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore
public import Synchronization

/// Where actions, ends of runs and orders wait for the store: first in, first out.
///
/// It is a lock around an array, and a second array to swap it with. The store takes all messages at once and handles
/// them without the lock. A post to an idle mailbox requests a drain; further posts do not, until the store has found
/// the mailbox empty. A long-lived loop would be no faster and would keep the store alive. An `AsyncStream` costs more
/// than ten times as much (Docs/Decisions/0002).
///
/// It may outlive the store, because runs hold it. It refers to the store weakly, and is closed when the store is
/// released. In EffectTesting its owner is an executor, which an explored store's mailbox keeps.
///
/// - Isolation: usable from any thread. No user code is called while the lock is held.
/// - Complexity: a post takes O(1), amortised, unless its documentation says something else.
@usableFromInline
package final class Mailbox<Action: Sendable>: Sendable {
  /// What the lock protects.
  @usableFromInline
  struct Queue {
    /// The messages that wait, in the order in which they came.
    @usableFromInline var messages: [Message<Action>] = []
    /// How many actions have come from outside; their dispatches are numbered from 1.
    @usableFromInline var accepted: UInt64 = 0
    /// How many cancels of dispatches have come from outside: a query must see them.
    var orders: UInt64 = 0
    /// Whether a drain is coming or running.
    @usableFromInline var drain = DrainPhase.none
    /// Whether messages are accepted; `true` until the store has ended or is released.
    @usableFromInline var isOpen = true
    /// Whether actions from outside are accepted; `true` until the store is shut down.
    @usableFromInline var isAccepting = true
    /// The dispatches whose cancel has been posted and not taken.
    @usableFromInline var cancelled: Set<UInt64> = []
    /// When and where the messages were posted, while a trace has a listener.
    @usableFromInline var stamps = TraceStamps()

    /// A message was added. Returns whether the caller must schedule a drain, which counts as scheduled from now on.
    @inlinable @inline(__always)
    mutating func needsDrain() -> Bool {
      guard drain == .none else { return false }
      drain = .scheduled
      return true
    }

    /// Whether no message waits. If so, the running drain has finished: the next post schedules a drain, unless one is
    /// still scheduled.
    @inlinable @inline(__always)
    mutating func isFoundEmpty() -> Bool {
      guard messages.isEmpty else { return false }
      drain.ends()
      return true
    }
  }

  @usableFromInline let queue = Lock(Queue())
  /// Whether there may be cancelled dispatches. Without any, which is nearly always the case, a drain does not take the
  /// lock to check one.
  @usableFromInline let hasCancelled = Atomic<Bool>(false)
  /// What the listeners of the trace need of each message.
  @usableFromInline let tracing = Atomic(Tracing.off)
  /// The time of the store.
  package let time: TimeSource
  /// The number of this mailbox among all mailboxes of the process.
  @usableFromInline package let identity = MailboxNumber.next()
  /// What the store carries from the senders of actions to its runs; `nil` if nothing.
  @usableFromInline package let carried: CarriedContexts?
  /// Posts an action of a run. The closure is made where the action type is known, and so is compiled for it. A run
  /// calls its mailbox by a protocol, and that code is compiled for all action types.
  @usableFromInline let postSent: @Sendable (Mailbox, Action, Token) -> Bool
  /// The owner, if it keeps the mailbox.
  // SAFETY: written once, before the mailbox is shared with other threads; a weak reference may be read from any
  // thread.
  private nonisolated(unsafe) weak var owner: (any MailboxOwner)?
  /// The owner, if it does not keep the mailbox.
  // SAFETY: written once, before the mailbox is shared with other threads, and only read from then on.
  private nonisolated(unsafe) var keptOwner: (any MailboxOwner)?

  /// Makes an empty mailbox. It needs an owner: call ``attach(_:)`` or ``attach(keeping:)``.
  ///
  /// - Parameters:
  ///   - time: the time of the store.
  ///   - carried: what the store carries.
  @inlinable
  package convenience init(time: TimeSource, carried: CarriedContexts? = nil) {
    self.init(time: time, carried: carried) { mailbox, action, token in mailbox.post(.sent(action, by: token)) }
  }

  /// Makes a mailbox with its own way to post the actions of runs.
  ///
  /// - Parameters:
  ///   - time: the clock of the store.
  ///   - carried: what the store carries.
  ///   - postSent: posts an action of a run; returns whether it was accepted.
  @usableFromInline
  package init(
    time: TimeSource, carried: CarriedContexts? = nil,
    postSent: @escaping @Sendable (Mailbox, Action, Token) -> Bool
  ) {
    self.time = time
    self.carried = carried
    self.postSent = postSent
  }

  /// Sets the owner, to which the mailbox refers weakly. Call it once, before anything is posted.
  package func attach(_ owner: some MailboxOwner) {
    // SAFETY: called before the mailbox is shared with other threads.
    unsafe self.owner = owner
  }

  /// As ``attach(_:)``, for an owner that does not keep the mailbox. A weak reference would make all other references
  /// to the owner more expensive.
  package func attach(keeping owner: some MailboxOwner) {
    // SAFETY: called before the mailbox is shared with other threads.
    unsafe keptOwner = owner
  }

  /// A run is about to post a message on this thread. Only an owner that is kept is notified.
  // SAFETY: the property is only read after the mailbox has been shared with other threads.
  func willPost(by token: Token) {
    unsafe keptOwner?.willPost(by: token)
  }

  /// The owner; `nil` if it was released.
  // SAFETY: both properties are only read after the mailbox has been shared with other threads.
  package var liveOwner: (any MailboxOwner)? { unsafe keptOwner ?? owner }

  // MARK: - Posting

  /// The result of a post from outside.
  @usableFromInline
  package struct Receipt {
    /// The number of the dispatch; 0 if it was refused.
    @usableFromInline package let number: UInt64
    /// Whether the caller must schedule a drain.
    @usableFromInline package let mustSchedule: Bool

    @inlinable
    init(number: UInt64, mustSchedule: Bool) {
      self.number = number
      self.mustSchedule = mustSchedule
    }
  }

  /// Accepts an action from outside. The caller schedules the drain, because it holds the store anyway.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - inline: whether the caller drains at once. Then nothing needs to be scheduled for this action.
  /// - Returns: the number of the dispatch, and whether a drain must be scheduled.
  @inlinable
  package func post(_ action: Action, inline: Bool = false) -> Receipt {
    queue.withLock { queue in
      guard queue.isAccepting else { return Receipt(number: 0, mustSchedule: false) }
      queue.accepted += 1
      queue.messages.append(.action(action))
      return Receipt(number: queue.accepted, mustSchedule: !inline && queue.needsDrain())
    }
  }

  /// Accepts an action from outside together with a waiter for everything that it causes, so that no message comes in
  /// between. Wakes the store.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - waiter: settled when everything that the action causes has settled. Not answered if the action is refused.
  ///   - collects: whether the waiter gets the outcomes of everything that the action causes.
  ///   - own: the run that the caller is in; `.none` if it is in no run of this store.
  /// - Returns: the number of the dispatch; 0 if it was refused.
  package func post(_ action: Action, watchedBy waiter: Waiter, collects: Bool = false, from own: Token) -> UInt64 {
    let stamp = isTraced ? stamp(nil) : nil
    let context = carried?.capture()
    let (number, mustSchedule): (UInt64, Bool) = queue.withLock { queue in
      guard queue.isAccepting else { return (0, false) }
      queue.accepted += 1
      if let context { carried?.add(context, of: queue.accepted) }
      if collects { queue.messages.append(.order(.collectOutcomes(queue.accepted))) }
      queue.messages.append(.action(action))
      if let stamp { queue.stamp(stamp) }
      queue.messages.append(.order(.watch(queue.accepted, waiter, from: own)))
      return (queue.accepted, queue.needsDrain())
    }
    if mustSchedule { liveOwner?.scheduleDrain() }
    return number
  }

  /// Refuses actions from outside from now on. The order to shut down waits behind all messages that were accepted
  /// before. `false` if the store has ended.
  package func shutDown(_ shutdown: Shutdown, _ waiter: Waiter, from own: Token) -> Bool {
    queue.withLock { $0.isAccepting = false }
    return post(.order(.shutDown(shutdown, waiter, from: own)))
  }

  /// The store has ended: no message is accepted any more. Messages that wait will still be taken.
  package func end() {
    queue.withLock { $0.isOpen = false }
  }

  /// Accepts a message that is not an action from outside, and wakes the store; `false` if the store has ended or was
  /// released.
  @inlinable
  @discardableResult
  package func post(_ message: Message<Action>) -> Bool {
    let stamp = isTraced ? stamp(nil) : nil
    let (isOpen, mustSchedule) = queue.withLock { queue in
      guard queue.isOpen else { return (false, false) }
      queue.messages.append(message)
      if let stamp { queue.stamp(stamp) }
      return (true, queue.needsDrain())
    }
    if mustSchedule { wake() }
    return isOpen
  }

  /// Accepts the end of a run, from a task that has nothing else to do and so may drain.
  ///
  /// - Returns: whether the caller is the running drain from now on: it must call ``drainHere()``.
  @inlinable
  package func postEnd(_ message: Message<Action>) -> Bool {
    queue.withLock { queue in
      guard queue.isOpen else { return false }
      queue.messages.append(message)
      return queue.drain.beginsInTaskOfRun()
    }
  }

  /// Schedules a drain, if the owner still exists.
  @usableFromInline
  func wake() {
    liveOwner?.scheduleDrain()
  }

  /// Cancels a dispatch. If its action has not been taken yet, its runs never start, though the cancel waits behind
  /// other messages. Active runs are cancelled when the message is taken.
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

  /// Accepts an order from outside that is not an action, and wakes the store. The next query on the store's isolation
  /// comes after it. Does nothing if the store has ended or was released.
  func postOrder(_ message: Message<Action>) {
    let stamp = isTraced ? stamp(nil) : nil
    let mustSchedule = queue.withLock { queue in
      guard queue.isOpen else { return false }
      queue.messages.append(message)
      queue.orders += 1
      if let stamp { queue.stamp(stamp) }
      return queue.needsDrain()
    }
    if mustSchedule { wake() }
  }

  /// How many actions, and how many other orders, have come from outside.
  var fromOutside: (actions: UInt64, orders: UInt64) { queue.withLock { ($0.accepted, $0.orders) } }

  // MARK: - Draining

  /// A scheduled drain has begun. Returns whether it is the running drain from now on; if not, it must end.
  package func drainBegins() -> Bool {
    queue.withLock { $0.drain.begins() }
  }

  /// The running drain stops before the mailbox is empty. Its owner schedules another one.
  @usableFromInline
  func putOffDrain() {
    queue.withLock { $0.drain.putOff() }
  }

  /// Drains in the task of a run, until no message waits. The store is held for one slice at a time (rule E7).
  @usableFromInline
  package func drainHere() async {
    while await liveOwner?.takeSliceInTaskOfRun() == true {}
  }

  /// Swaps all waiting messages for an empty array. `false` if no message waits: then the running drain has finished.
  @inlinable
  package func take(into batch: inout [Message<Action>]) -> Bool {
    queue.withLock { queue in
      if queue.isFoundEmpty() { return false }
      swap(&queue.messages, &batch)
      if !queue.stamps.isEmpty { queue.stamps = TraceStamps() }
      return true
    }
  }

  /// As ``take(into:)``, for an owner that takes messages only when it is notified: the next post notifies it again.
  @inlinable
  package func takeAll(into batch: inout [Message<Action>]) -> Bool {
    queue.withLock { queue in
      queue.drain = .none
      if queue.messages.isEmpty { return false }
      swap(&queue.messages, &batch)
      if !queue.stamps.isEmpty { queue.stamps = TraceStamps() }
      return true
    }
  }

  /// Whether a dispatch has been cancelled, and its cancel has not been taken.
  @inlinable
  package func isCancelled(_ number: UInt64) -> Bool {
    guard hasCancelled.load(ordering: .acquiring) else { return false }
    return queue.withLock { $0.cancelled.contains(number) }
  }

  /// The cancel of a dispatch was taken, after its action: the entry is not needed any more.
  package func forgetCancelled(_ number: UInt64) {
    let isLast = queue.withLock { queue in
      queue.cancelled.remove(number)
      return queue.cancelled.isEmpty
    }
    // A cancel that comes after this lock may set the flag before it is cleared here, so the set is checked once more.
    if isLast {
      hasCancelled.store(false, ordering: .sequentiallyConsistent)
      if queue.withLock({ !$0.cancelled.isEmpty }) { hasCancelled.store(true, ordering: .releasing) }
    }
  }

  /// Refuses every message from now on, and returns those that still wait.
  package func close() -> [Message<Action>] {
    defer { carried?.clear() }
    return queue.withLock { queue in
      queue.isOpen = false
      queue.isAccepting = false
      defer { queue.messages = [] }
      return queue.messages
    }
  }
}

/// The object that empties a mailbox.
package protocol MailboxOwner: AnyObject, Sendable {
  /// Called on any thread: a message waits, and no drain was scheduled or running.
  func scheduleDrain()
  /// The code of a run is about to post a message, on this thread.
  func willPost(by token: Token)
  /// Called on this isolation. If it is the owner's own isolation, what came from outside before is handled at once.
  func drainInline(from caller: (any Actor)?)
  /// Takes a slice of the waiting messages, in the task of a run that has ended; `true` if messages may remain.
  func takeSliceInTaskOfRun() async -> Bool
}

extension MailboxOwner {
  /// An owner that does not choose what happens between two messages does nothing here.
  package func willPost(by token: Token) {}

  /// An owner that decides itself when to drain does nothing here.
  package func drainInline(from caller: (any Actor)?) {}

  /// An owner that decides itself when to drain is notified as usual.
  package func takeSliceInTaskOfRun() async -> Bool {
    scheduleDrain()
    return false
  }
}

/// Numbers the mailboxes of the process.
enum MailboxNumber {
  private static let last = Atomic<UInt64>(0)

  /// The next number, counted from 1. Usable from any thread.
  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

/// What the `send` of a run uses.
extension Mailbox {
  /// How much time has passed since the store was made.
  @usableFromInline package var now: Duration { time.now }
  /// The same, for the library itself.
  @usableFromInline package var uncountedNow: Duration { time.uncountedNow }
  /// The clock of the store.
  @usableFromInline package var clock: any Clock<Duration> { time.clock }

  /// Posts an action of a run by a closure, and waits until it has been reduced, with all its turn. `false` if the action is not reduced:
  /// it was dropped, the waiting task was cancelled before its turn, or the store has ended or was released.
  func delivered(by token: Token, _ post: @Sendable (Waiter) -> Bool) async -> Bool {
    willPost(by: token)
    let waiter = Waiter()
    let isReduced = await withTaskCancellationHandler {
      guard post(waiter) else { return false }
      return await waiter.wait()
    } onCancel: {
      waiter.giveUp()
    }
    // In this case the call may not have suspended. A loop of such calls must not block other tasks for ever.
    if !isReduced { await Task.yield() }
    return isReduced
  }

  /// Suspends for a duration of the store's clock. Throws what the clock throws.
  @usableFromInline
  package func sleep(for duration: Duration, by token: Token) async throws {
    tellSleep(of: token, for: duration)
    try await time.sleep(for: duration)
  }
}
