// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Synchronization

@testable import EffectRuntime

/// Why an accepted action was not reduced. Each case names the rule that allows it; nothing else allows it.
struct LossReasons: OptionSet {
  let rawValue: Int
  /// The store was released, and what waited was dropped (E7).
  static let released = LossReasons(rawValue: 1)
  /// A shutdown cancelled the active work (L4, E1).
  static let shutdown = LossReasons(rawValue: 2)
  /// A `cancel` effect reached the run (E3, E1).
  static let byEffect = LossReasons(rawValue: 4)
  /// A newer run or tree of the id replaced it (O1, E1).
  static let replaced = LossReasons(rawValue: 8)
  /// Its dispatch was cancelled, or a task that waited for it (L2, E1).
  static let byDispatch = LossReasons(rawValue: 16)
  /// The attempt ran out of time (C2, E1).
  static let timedOut = LossReasons(rawValue: 32)
  /// It was sent when the closure may have returned (E1).
  static let ended = LossReasons(rawValue: 64)

  static let names: [(LossReasons, String)] = [
    (.released, "released (E7)"), (.shutdown, "shut down (L4)"), (.byEffect, "cancelled by an effect (E3)"),
    (.replaced, "replaced (O1)"), (.byDispatch, "dispatch cancelled (L2)"), (.timedOut, "out of time (C5)"),
    (.ended, "run had ended (E1)"),
  ]
}

/// A position in a stream of actions.
struct Mark: Sendable {
  let stream: ActionStream
  let number: Int
}

/// Actions of one sender, which come in order, and what happened to them.
///
/// Numbers are reduced as 0, 1, 2, ...: a gap, a repetition or a change of order is visible at once. Only the end of a
/// stream can be lost, because a sender whose actions are no longer taken never becomes valid again.
// SAFETY: the sender's half is touched by one thread or task at a time, the store's half on the store's isolation, and
// both again when all of those are over.
final class ActionStream: @unchecked Sendable {
  /// The run that sends; `nil` for senders outside.
  let run: RunRecord?
  /// Which call of the run's closures it belongs to.
  let call: Int
  /// Why its end may be lost, whatever happens to the run.
  let mayLose: LossReasons
  /// Whether that call is of the `catch` closure.
  let isOfCatch: Bool

  // The sender's half.
  private(set) var issued = 0
  private(set) var accepted = 0
  /// Actions whose sender was not notified whether they were accepted.
  private(set) var unsure = 0
  private(set) var refused = 0
  private(set) var wasAcceptedAfterRefusal = false

  // The store's half.
  var reduced = 0
  /// As a trace reported it.
  var dropped = 0

  init(run: RunRecord? = nil, call: Int = 0, mayLose: LossReasons = [], isOfCatch: Bool = false) {
    self.isOfCatch = isOfCatch
    self.run = run
    self.call = call
    self.mayLose = mayLose
  }

  func next() -> Mark {
    defer { issued += 1 }
    return Mark(stream: self, number: issued)
  }

  func note(accepted isAccepted: Bool) {
    if isAccepted, refused > 0 { wasAcceptedAfterRefusal = true }
    if isAccepted { accepted += 1 } else { refused += 1 }
  }

  /// The last one may have been accepted or not.
  func noteUnsure() { unsure += 1 }

  /// The actions are accepted one by one; only for the last one it is not known.
  func noteDelivering() {
    accepted = issued - 1
    unsure = 1
  }
}

/// What one `send` caused.
final class Cause: Sendable {
  private let cancelled = Atomic(false)
  private let settled = Atomic(false)

  /// Set before the cancel, so that nothing is lost before the cancel counts as a possible reason.
  var isCancelled: Bool {
    get { cancelled.load(ordering: .sequentiallyConsistent) }
    set { cancelled.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Set when a waiter has waited for all of it.
  var isSettled: Bool {
    get { settled.load(ordering: .sequentiallyConsistent) }
    set { settled.store(newValue, ordering: .sequentiallyConsistent) }
  }
}

/// A run that a reducer requested.
// SAFETY: variables are touched on the store's isolation only, and when the store was released.
final class RunRecord: @unchecked Sendable {
  let order: Order
  /// The name it is cancelled and replaced under.
  let name: Int
  /// Belongs to several dispatches, or may.
  let isShared: Bool
  let calls = Atomic(0)
  private let total: CallCount
  /// Its owners; any of them may be the reason of its end.
  var causes: [Cause]
  var reasons: LossReasons = []
  /// None of its actions may be reduced any more.
  var isDead = false
  /// Another run has taken its slot, unless its `catch` closure was called before: then it had none (C5).
  var isReplaced = false
  /// The newest call whose action was reduced: earlier calls are over.
  var newestCall = 0
  /// Whether something was to follow it, did follow, or was reported as dropped.
  var isAwaited = false
  var isFollowed = false
  var isFollowUpDropped = false

  init(_ order: Order, name: Int, isShared: Bool, _ total: CallCount) {
    self.total = total
    self.order = order
    self.name = name
    self.isShared = isShared
    causes = [order.cause]
  }

  /// Numbers the calls of its closures from 1.
  func called() -> Int {
    let number = calls.add(1, ordering: .sequentiallyConsistent).newValue
    if number == 1 { total.add() }
    return number
  }

  var allReasons: LossReasons { causes.contains(where: \.isCancelled) ? reasons.union(.byDispatch) : reasons }
}

/// How many runs have been called, of all stores.
final class CallCount: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}

/// What a run must do.
final class Order: Sendable {
  enum Kind: Int, CaseIterable {
    case burst, delivered, sleep, late, caught, failing, retried, timedOut, stream, timer, urgent, handler, farewell
  }

  enum Shape: Int, CaseIterable {
    case plain, followed, chained, tree, scoped, delayed
  }

  let kind: Kind
  let shape: Shape
  /// Which of the ids; `nil` for none.
  let id: Int?
  let input: Int
  /// By the store's clock.
  let pause: Duration
  let cause: Cause
  /// Started when an action of the run is reduced.
  let next: Order?

  init(kind: Kind, shape: Shape, id: Int?, input: Int, pause: Duration, cause: Cause, next: Order?) {
    (self.kind, self.shape, self.id, self.input) = (kind, shape, id, input)
    (self.pause, self.cause, self.next) = (pause, cause, next)
  }
}

/// What is sent to the store under stress.
struct StressAction: Sendable {
  enum What: Sendable {
    case start(Order)
    /// Of a run; may start another one.
    case result(Order?)
    /// A follow-up; this number of further ones comes in the same turn.
    case again(Int)
    /// A follow-up behind a run.
    case after(RunRecord)
    case cancel(Cancelling)
    /// Changes nothing. The object it may carry is kept until a run of it has been called, or will never be called.
    case probe(Farewell?)
  }

  enum Cancelling: Sendable {
    case id(Int)
    case ids([Int])
    case tree(Int)
    case scope(Int)
    case numbers(below: Int)
    case everything
  }

  var mark: Mark?
  let what: What
}
