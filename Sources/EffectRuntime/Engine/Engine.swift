// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// Everything that a store decides, as a value. It makes no task, takes no lock and never waits. It reads the time by a
/// closure that it is given.
///
/// It owns the state, the reducer, the turn at hand and all work. A shell reports each event by ``handle(_:into:)`` and
/// performs the outputs in their order. `Store` is one shell around this type. `ManualShell` of EffectTesting is the
/// other one, for test stores and explored stores. So the order is the same in a test and in a store.
///
/// The engine calls user code: the reducer, `==` and `hash` of ids and inputs, conditions of cancels and retries, and
/// the `deinit` of an action, effect or id that nothing else keeps. This code must not query the engine. The cell with
/// the ``EnginePhase`` says which of it is being called. It is outside of the engine, so that a shell can read it
/// meanwhile. What this code sends waits in the mailbox.
///
/// - Isolation: one caller at a time, on the isolation of the shell.
@usableFromInline
package struct Engine<R: Reducer> {
  /// The state of the feature. It is the first property: observers read it in place.
  @usableFromInline package var state: R.State
  /// Reduces the actions. It may be replaced between two inputs.
  @usableFromInline package var reducer: R
  /// Decides about all work. A shell queries it, and says which statuses are observed.
  @usableFromInline package var scheduler: Scheduler
  /// The actions of the open turn.
  @usableFromInline var followUps = FollowUps<R.Action>()
  /// Which ids of stacks this store must not give again.
  @usableFromInline package let stackCounter = StackCounter()
  /// Which user code the engine is calling.
  @usableFromInline let phase: UncheckedCell<EnginePhase>
  /// How far one call goes.
  @usableFromInline package private(set) var pace: Pace
  /// The action that the next ``Input/continueTurn`` reduces.
  @usableFromInline package internal(set) var held: Held?
  /// How many actions from outside have been taken; the number of the last one.
  @usableFromInline package internal(set) var taken: UInt64 = 0
  /// How many actions of the open turn have been reduced.
  @usableFromInline package internal(set) var actionsInTurn = 0
  /// The number of the event that opened the turn at hand, for listeners: its follow-ups follow from it.
  @usableFromInline package internal(set) var turnEvent: UInt64?
  /// Whether there are listeners. The engine then notes what happens; otherwise it notes nothing.
  @usableFromInline package private(set) var isTraced = false
  /// Whether the next action from outside has waited, so that state may have changed since it was sent (rule M3).
  @usableFromInline package var isLate = false
  /// A turn with this many actions is suspended (rule T5).
  @usableFromInline let followUpLimit: Int
  /// The sender of the turn's first action, if it waits.
  @usableFromInline var delivering: Waiter?
  /// The rests of turns that became too long, in the order in which they go on.
  var suspended: [SuspendedTurn] = []
  /// The progress of a shutdown; `nil` before.
  @usableFromInline var ending: Ending?
  /// What becomes ``EngineOutputs/notes``.
  @usableFromInline var notes: [TraceEvent<R.Action>] = []
  /// Whether failures are reported after each reduction and not at the end of the turn: a test store shows them in the step
  /// that reduces the action.
  @usableFromInline package var reportsEachReduction = false
  /// The values that runs are given; `nil` if the store carries none.
  @usableFromInline package var carried: CarriedContexts?
  /// Called with each effect before it is interpreted, for a shell that checks effects. Not called at the pace `whole`.
  @usableFromInline package var inspect: ((Effect<R.Action>) -> Void)?

  @usableFromInline package typealias Input = EngineInput<R.Action>

  /// How far an engine goes in one call.
  @usableFromInline
  package enum Pace: Sendable {
    /// An action is taken and reduced. A turn ends with its last action.
    case whole
    /// An action is taken in one call and reduced in the next, so that listeners are notified before the reducer is called.
    case announced
    /// The same for each action of a turn, also for follow-ups. The end of the turn is a call of its own.
    case stepwise
  }

  /// An action that was taken and is not reduced yet.
  @usableFromInline
  package struct Held {
    /// The action.
    @usableFromInline package let action: R.Action
    /// Where it comes from, for listeners.
    @usableFromInline package let source: TraceSource
    /// The number of the event it follows from, for listeners.
    @usableFromInline package let cause: UInt64?

    @inlinable
    init(action: R.Action, source: TraceSource, cause: UInt64?) {
      self.action = action
      self.source = source
      self.cause = cause
    }
  }

  /// The rest of a turn that goes on after the waiting messages (rule T5).
  struct SuspendedTurn {
    let turn: Scheduler.Turn
    let followUps: FollowUps<R.Action>
    /// The event of the suspension, for listeners.
    let event: UInt64?
  }

  /// Makes an engine without work.
  ///
  /// - Parameters:
  ///   - state: the state before any action.
  ///   - reducer: what reduces actions.
  ///   - scheduler: a new one.
  ///   - pace: how far one call goes.
  ///   - followUpLimit: how many actions a turn may have before it is suspended.
  ///   - phase: where the engine writes which user code it is calling.
  package init(
    state: consuming R.State, reducer: consuming R, scheduler: Scheduler, pace: Pace,
    followUpLimit: Int = .max, phase: UncheckedCell<EnginePhase>
  ) {
    self.state = state
    self.reducer = reducer
    self.scheduler = scheduler
    self.pace = pace
    self.followUpLimit = followUpLimit
    self.phase = phase
  }

  /// Handles one event.
  ///
  /// - Parameters:
  ///   - input: what has happened.
  ///   - outputs: what the shell performs next; empty before.
  /// - Complexity: O(1) for an action without an effect, and the user's code. Otherwise O(work that arrives, settles or
  ///   is cancelled because of the event).
  @inlinable @inline(__always)
  package mutating func handle(_ input: Input, into outputs: inout EngineOutputs<R.Action>) {
    let binding = enter()
    defer { leave(binding) }
    let opensTurn = !isTurnOpen
    switch input {
    // These follow from the last event.
    case .rested, .budgetExceeded: break
    default: if opensTurn { traceCause = nil }
    }
    switch input {
    case .action(let action, let isRefusing, let site): take(action, isRefusing: isRefusing, site: site)
    case .sent(let action, let token): take(action, sentBy: token, nil)
    case .delivered(let action, let token, let waiter): take(action, sentBy: token, waiter)
    case .continueTurn: continueTurn()
    case .ended(let token, let error): end(token, error)
    default: handleOther(input)
    }
    if opensTurn, !isHolding { turnEvent = traceCause }
    collect(into: &outputs)
  }

  /// An action from outside was taken, and no turn is open. Means the same as ``Input/action(_:isRefusing:site:)``,
  /// and costs less: no enum is made with the action in it.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - isRefusing: whether the sender has cancelled what the action causes.
  ///   - site: the line of the sender.
  ///   - outputs: what the shell performs next; empty before.
  @inlinable @inline(__always)
  package mutating func announce(
    _ action: R.Action, isRefusing: Bool, site: CallSite?, into outputs: inout EngineOutputs<R.Action>
  ) {
    let binding = enter()
    defer { leave(binding) }
    traceCause = nil
    take(action, isRefusing: isRefusing, site: site)
    if !isHolding { turnEvent = traceCause }
    collect(into: &outputs)
  }

  /// Likewise an action of a run was taken. Means the same as ``Input/sent(_:by:)``.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - token: the token of the run.
  ///   - outputs: what the shell performs next; empty before.
  @inlinable @inline(__always)
  package mutating func announce(
    _ action: R.Action, sentBy token: Token, into outputs: inout EngineOutputs<R.Action>
  ) {
    let binding = enter()
    defer { leave(binding) }
    traceCause = nil
    take(action, sentBy: token, nil)
    if !isHolding { turnEvent = traceCause }
    collect(into: &outputs)
  }

  /// User code is about to be called. Returns what to give to ``leave(_:)``.
  @inlinable @inline(__always)
  func enter() -> StackCounter.Binding {
    phase.value = .comparing
    return stackCounter.bind()
  }

  /// The call has ended.
  // Mutating, so that it is called in place: the compiler copies the engine for another call, and does not always leave the copy out.
  @inlinable @inline(__always)
  mutating func leave(_ binding: StackCounter.Binding) {
    StackCounter.unbind(binding)
    phase.value = .resting
  }

  /// Whether an action is held.
  // Not `held != nil`, which copies the action.
  @inlinable
  package var isHolding: Bool { if case .some = held { true } else { false } }

  /// Handles actions that wait, and those of the open turn, until something else comes, there is an output, or the limit is
  /// reached. Means the same as single inputs, and costs less. A store without listeners takes nearly all actions this way: the
  /// token of a run is checked here (rule E1), as in `take(_:sentBy:_:)`.
  ///
  /// - Parameters:
  ///   - limit: how many steps at most.
  ///   - outputs: what the shell performs next; empty before.
  ///   - isRefusing: whether the sender of an action has cancelled what it causes, by the action's number.
  ///   - next: takes the next message if it is an action.
  /// - Returns: how many steps were taken; 0 if something else comes first, if nothing is left, or if the pace is not whole.
  @inlinable @inline(__always)
  package mutating func handle(
    actionsUpTo limit: Int, into outputs: inout EngineOutputs<R.Action>, isRefusing: (UInt64) -> Bool,
    from next: () -> WaitingAction
  ) -> Int {
    guard pace == .whole else { return 0 }
    let binding = enter()
    defer { leave(binding) }
    var count = 0
    while count < limit {
      let action: R.Action
      if isTurnOpen {
        count += 1
        guard let next = followUps.next(in: &scheduler) else {
          completeTurn()
          break
        }
        action = next
      } else {
        switch next() {
        case .none:
          if let carried { sweep(carried) }
          return count
        case .action(let next):
          taken += 1
          scheduler.beginTurn(dispatch: taken, isRefusing: isRefusing(taken), isLate: isLate)
          action = next
        case .sent(let next, let token):
          guard scheduler.beginTurn(sentBy: token) else {
            count += 1
            continue
          }
          action = next
        }
        count += 1
      }
      if reduce(action) { continue }
      completeReduction()
      break
    }
    collect(into: &outputs)
    return count
  }

  /// A message that waits.
  @usableFromInline
  package enum WaitingAction {
    /// No message, or one that is not an action.
    case none
    /// An action from outside.
    case action(R.Action)
    /// An action of a run.
    case sent(R.Action, by: Token)
  }

  /// Begins or ends notes for listeners, between two inputs. Changes the pace, unless it is stepwise.
  package mutating func trace(_ isOn: Bool) {
    scheduler.notes.turn(on: isOn)
    _ = followUps.takeDropped()
    isTraced = isOn
    notes = []
    turnEvent = nil
    if pace != .stepwise { pace = isOn ? .announced : .whole }
  }

  /// Whether a turn has begun and not ended.
  @inlinable
  package var isTurnOpen: Bool { scheduler.turn.isOpen }

  /// Whether actions of the open turn are still to be reduced.
  @inlinable
  package var hasFollowUps: Bool { !followUps.isEmpty }

  /// The number of the event whose consequences are noted next, for listeners.
  @inlinable
  var traceCause: UInt64? {
    get { scheduler.notes.cause }
    set { scheduler.notes.cause = newValue }
  }

  /// Answers the sender that waits for the open turn, if there is one: whether its action has been reduced. For a shell that
  /// does not complete the turn.
  package func answerSender() { delivering?.answer(actionsInTurn > 0) }

  /// Whether a shutdown has cancelled all runs.
  package var isCutShort: Bool { scheduler.isCutShort }

  /// Whether the store was shut down.
  @inlinable package var isEnding: Bool { ending != nil }
}
