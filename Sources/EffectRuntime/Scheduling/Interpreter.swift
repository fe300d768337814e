// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// Decides what follows from an action, an end or a cancel. It is a value.
///
/// It makes no task, takes no lock and never waits. The ``Engine`` calls it. Its ``commands`` become outputs of the
/// engine, in `Scheduler.takeCommands`.
///
/// It reads effects and keeps the actions of a turn. The ``Scheduler`` decides all that needs no action type. The code
/// for most inputs is inlinable, and so is compiled for the action type where a store is made. A lookup of type
/// metadata would cost several times as much as all decisions about a run.
@usableFromInline
package struct Interpreter<Action: Sendable>: Sendable {
  /// What decides.
  @usableFromInline var scheduler: Scheduler
  /// Actions of the turn. Those before `head` have been taken.
  @usableFromInline var followUps: [FollowUp] = []
  /// The index of the next action of the turn.
  @usableFromInline var head = 0
  /// Actions of the turn that were dropped with their branch, for listeners.
  @usableFromInline var droppedFollowUps: [Action] = []

  /// Makes an interpreter without work.
  ///
  /// - Parameters:
  ///   - now: the time of the shell's clock since it was made; read only for time modifiers.
  ///   - number: numbers the moments that are waited for, for a shell whose own sleepers are numbered with them (rule C3).
  package init(now: @escaping @Sendable () -> Duration = { .zero }, number: (@Sendable () -> UInt64)? = nil) {
    scheduler = Scheduler(now: now, number: number)
  }

  /// An action of the turn.
  @usableFromInline
  struct FollowUp: Sendable {
    @usableFromInline let action: Action
    /// The sequence or tree it is a part of, which may be cancelled before the action is reduced; `.none` if it is in
    /// none.
    @usableFromInline let frame: Token

    @inlinable
    init(action: Action, frame: Token) {
      self.action = action
      self.frame = frame
    }
  }

  /// The rest of a turn that continues after the waiting messages (rule T5), to be passed to ``resumeTurn(_:)``.
  package struct SuspendedTurn {
    fileprivate let turn: Scheduler.Turn
    fileprivate let followUps: [FollowUp]
    fileprivate let head: Int
  }
}

// MARK: - Turns

extension Interpreter {
  /// Begins the turn of an action from outside.
  ///
  /// - Parameters:
  ///   - number: the number of the action.
  ///   - isRefusing: whether its dispatch was cancelled before: runs that it causes do not start.
  @inlinable
  package mutating func beginTurn(dispatch number: UInt64, isRefusing: Bool = false, isLate: Bool = false) {
    scheduler.turn.isOpen = true
    scheduler.turn.number = number
    scheduler.turn.isRefusing = isRefusing
    scheduler.turn.isLate = isLate
  }

  /// Begins the turn of an action that a run sent; `false` if it must be dropped (rule E1).
  @inlinable
  package mutating func beginTurn(sentBy token: Token) -> Bool {
    scheduler.beginTurn(sentBy: token)
  }

  /// The action at hand was reduced and this effect returned: interprets it (rule T4).
  @inlinable
  package mutating func reduced(_ effect: Effect<Action>) {
    guard scheduler.turn.frame == .none else { return interpret(effect) }
    // Most actions cause nothing or just another action. They must cost very little.
    switch effect {
    case .none: break
    case .send(let action): followUps.append(FollowUp(action: action, frame: .none))
    default: interpret(effect)
    }
  }

  /// Interprets an effect that may need the scheduler.
  @inlinable
  mutating func interpret(_ effect: Effect<Action>) {
    begin(effect, parent: scheduler.beginEffect())
    goOn()
    scheduler.turn.parent = .turn
  }

  /// Takes all steps that follow from the input at hand.
  @inlinable
  mutating func goOn() {
    while let part = scheduler.nextPart() {
      // SAFETY: the scheduler returns only nodes that `begin` has passed to it, and those have this action type.
      let node = unsafe unsafeDowncast(part.node, to: Effect<Action>.Node.self)
      begin(node.children[Int(part.index)], parent: part.parent)
    }
  }

  /// The first step of interpreting an effect; the scheduler decides the next ones.
  @inlinable
  mutating func begin(_ effect: Effect<Action>, parent: Token) {
    switch effect {
    case .none: break
    case .send(let action):
      followUps.append(FollowUp(action: action, frame: scheduler.followUp(in: parent)))
    case .run(let operation): scheduler.register(operation, parent: parent)
    case .merge(let children): scheduler.beginMerge(children.node, parent: parent)
    case .concatenate(let children): scheduler.beginSequence(children.node, parent: parent)
    case .cancel(let target): scheduler.cancel(target, within: parent)
    case .cancellable(let tree): scheduler.register(tree.node, tree.label, parent: parent)
    }
  }

  /// Takes the next action of the turn; `nil` if none remains. Those whose branch was cancelled are dropped.
  @inlinable
  package mutating func nextFollowUp() -> Action? {
    scheduler.turn.isLate = false
    while head < followUps.count {
      let next = followUps[head]
      head += 1
      if head == followUps.count {
        followUps.removeAll(keepingCapacity: followUps.capacity <= 4_096)
        head = 0
      } else if head >= 1024, head * 2 > followUps.count {
        // A chain of a million actions, two at a time, must not keep the million that are done.
        followUps.removeSubrange(..<head)
        head = 0
      }
      if next.frame == .none || scheduler.enter(next.frame) { return next.action }
      if scheduler.notes.isOn {
        droppedFollowUps.append(next.action)
        scheduler.notes.noteDrop()
      }
    }
    return nil
  }

  /// Whether actions of the turn are still to be reduced.
  @inlinable
  package var hasFollowUps: Bool { head < followUps.count }

  /// Whether a turn has begun and not ended.
  @inlinable
  package var isTurnOpen: Bool { scheduler.turn.isOpen }

  /// Whether the turn has no slot for its dispatch. Then nothing follows from the end of the turn.
  @inlinable
  var isSelfContained: Bool { scheduler.turn.root == .none }

  /// Ends the turn, when all its actions have been reduced.
  @inlinable
  package mutating func endTurn() {
    scheduler.turn.isOpen = false
    guard scheduler.turn.root != .none else { return }
    scheduler.settleTurn()
    goOn()
  }

  /// Removes the rest of a long turn, which goes on after the waiting messages (rule T5).
  package mutating func suspendTurn() -> SuspendedTurn {
    // The dispatch must not settle meanwhile: a waiter may wait for it.
    _ = scheduler.dispatch()
    defer {
      scheduler.turn = Scheduler.Turn()
      followUps = []
      head = 0
    }
    return SuspendedTurn(turn: scheduler.turn, followUps: followUps, head: head)
  }

  /// Goes on with a turn that was suspended.
  package mutating func resumeTurn(_ suspended: SuspendedTurn) {
    scheduler.turn = suspended.turn
    followUps = suspended.followUps
    head = suspended.head
  }
}

// MARK: - Runs

extension Interpreter {
  /// A task is about to be made for a run. For tests: an engine does this when it makes its outputs.
  ///
  /// - Returns: the operation; `nil` if the run was cancelled.
  @inlinable
  package mutating func started(_ token: Token) -> Effect<Action>.Operation? {
    guard let operation = scheduler.started(token) else { return nil }
    // SAFETY: the scheduler returns only operations that `begin` has passed to it, and those have this action type.
    return unsafe unsafeDowncast(operation, to: Effect<Action>.Operation.self)
  }

  /// A closure has returned or thrown: one path for success, error and cancellation.
  ///
  /// Opens a turn, because work that waited for the run continues now. It is a turn of the run's dispatch, unless the
  /// run was cancelled or others have joined it.
  ///
  /// - Parameters:
  ///   - token: the token of the closure.
  ///   - error: what it threw.
  ///   - wait: the time until another attempt after this error; `nil` if there is none.
  @inlinable
  package mutating func ended(_ token: Token, error: (any Error)?, retryAfter wait: Duration? = nil) {
    scheduler.ended(token, error: error, retryAfter: wait)
    goOn()
  }

  /// Cancels everything a dispatch has caused and will cause.
  ///
  /// Opens a turn, because work that waited for its runs continues now.
  package mutating func cancelDispatch(_ number: UInt64) {
    scheduler.cancelDispatch(number)
    goOn()
  }

  /// Cancels all work of the store, as `.cancel(.everything)` does.
  package mutating func cancelEverything(because reason: EffectOutcome.CancelReason = .byEffect) {
    scheduler.cancel(.everything, within: .none, because: reason)
    goOn()
  }

  /// Collects the outcomes of all that a dispatch causes, for the waiter that comes behind its action (rule L7).
  @usableFromInline
  package mutating func collectOutcomes(ofDispatch number: UInt64) {
    scheduler.collectOutcomes(ofDispatch: number)
  }

  /// Collects no more outcomes for a dispatch, because its waiter does not wait.
  mutating func forgetOutcomes(ofDispatch number: UInt64) {
    scheduler.forgetOutcomes(of: number)
  }

  /// A waiter, which may be inside a run, waits until a dispatch has settled.
  package mutating func watch(_ number: UInt64, _ waiter: Waiter, from run: Token = .none) {
    scheduler.watch(number, waiter, from: run)
  }

  /// The circle that a run's wait for a dispatch would close: the other work in it; `nil` if there is none.
  package mutating func circle(of run: Token, waitingFor number: UInt64) -> [EffectRun]? {
    scheduler.circle(of: run, waitingFor: number)
  }

  /// The waiters of dispatches that own something which a cancel of these ids would reach.
  func waiters(reachedBy ids: Set<EffectID>) -> [Waiter] {
    scheduler.waiters(reachedBy: ids)
  }

  /// Whether a run belongs to a dispatch, and so cannot wait for it.
  package mutating func isRun(_ token: Token, partOf number: UInt64) -> Bool {
    scheduler.isRun(token, partOf: number)
  }

  /// Whether an action of a run would be reduced now (rule E1).
  @usableFromInline
  package func isLive(_ token: Token) -> Bool { scheduler.isLive(token) }

  /// Whether a run, or an attempt of one, was cancelled and its closure has not returned.
  package func isCancelling(_ token: Token) -> Bool { scheduler.isCancelling(token) }

  /// The description of a run whose closure has not returned, for a report; `nil` for any other token.
  package func description(of token: Token) -> EffectRun? { scheduler.description(of: token) }
}

// MARK: - Outputs

extension Interpreter {
  /// The decisions that the engine turns into outputs, in this order.
  @inlinable
  package var commands: [Command] {
    _read { yield scheduler.commands }
    _modify { yield &scheduler.commands }
  }

  /// Whether there is something for the shell to do or to release.
  @inlinable
  package var hasOutput: Bool { !scheduler.commands.isEmpty || !scheduler.released.isEmpty }

  /// Moves the work of freed slots to a list, which must be empty. It is released when everything else is consistent
  /// (rule E8).
  @inlinable
  package mutating func takeReleased(into garbage: inout [Released]) {
    swap(&scheduler.released, &garbage)
  }

  /// How many actions were not reduced, because their run was cancelled, replaced or had ended (rule E1), or because
  /// the branch of a `send` was cancelled.
  package var droppedActions: Int { scheduler.droppedActions }

  /// Whether there is no work: no run, no queue, no closure that has not returned.
  package var isIdle: Bool { scheduler.workTree.count == 0 }

  /// Whether there is no work and nothing is kept, as in a new interpreter.
  @inlinable
  package var isPristine: Bool { _read { yield scheduler.isPristine } }

  /// How many slots are taken; for tests that the scheduler becomes empty again.
  package var liveCount: Int { scheduler.workTree.count }

  /// How many names are kept; for the same tests.
  package var nameCount: Int { scheduler.names.count }
}
