// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// What follows from an action, an end, a cancel, as a value.
///
/// No task, no lock, no waiting in here. A shell feeds it what happened and performs the ``Command``s it asks for; it
/// never asks for anything else. `Store` and `TestStore` are two shells around this one type, so a test cannot order
/// things differently from production.
///
/// It looks into effects and keeps the actions of a turn; all that needs no action type is decided by the ``Registry``.
/// What most inputs go through is inlinable, and so compiled for the action type of a store where that is made: looking
/// up type metadata costs several times as much as everything a run is decided by.
@usableFromInline
package struct Interpreter<Action: Sendable>: Sendable {
  @usableFromInline var registry: Registry
  /// Actions of the turn that wait to be reduced.
  @usableFromInline var followUps: [FollowUp] = []
  @usableFromInline var head = 0
  /// Actions of the turn that were dropped with their branch, for those who listen.
  @usableFromInline var droppedFollowUps: [Action] = []

  /// Makes one that nothing has happened to.
  ///
  /// - Parameters:
  ///   - now: the time of the shell's clock since it was made; asked for only where runs have time modifiers.
  ///   - number: numbers the moments that are waited for, for a shell whose own sleepers are numbered with them (rule C3).
  package init(now: @escaping @Sendable () -> Duration = { .zero }, number: (@Sendable () -> UInt64)? = nil) {
    registry = Registry(now: now, number: number)
  }

  /// An action of the turn.
  @usableFromInline
  struct FollowUp: Sendable {
    @usableFromInline let action: Action
    /// The branch it is a part of, which may be cancelled before its turn comes.
    @usableFromInline let frame: Token

    @inlinable
    init(action: Action, frame: Token) {
      self.action = action
      self.frame = frame
    }
  }

  /// A turn that was put behind the mailbox (rule T5), to be handed back to ``resumeTurn(_:)``.
  package struct SuspendedTurn {
    fileprivate let turn: Registry.Turn
    fileprivate let followUps: [FollowUp]
    fileprivate let head: Int
  }
}

// MARK: - Turns

extension Interpreter {
  /// Begins the turn of an action from outside, the `number`-th.
  @inlinable
  package mutating func beginTurn(dispatch number: UInt64, isRefusing: Bool = false) {
    registry.turn.isOpen = true
    registry.turn.number = number
    registry.turn.isRefusing = isRefusing
  }

  /// Begins the turn of an action that a run sent; `false` if it must be dropped (rule E1).
  @inlinable
  package mutating func beginTurn(sentBy token: Token) -> Bool {
    registry.beginTurn(sentBy: token)
  }

  /// The action at hand was reduced and this effect returned: interprets it (rule T4).
  @inlinable
  package mutating func reduced(_ effect: Effect<Action>) {
    guard registry.turn.frame == .none else { return interpret(effect) }
    // Most actions cause nothing or just another action, and are to cost next to nothing.
    switch effect {
    case .none: break
    case .send(let action): followUps.append(FollowUp(action: action, frame: .none))
    default: interpret(effect)
    }
  }

  @inlinable
  mutating func interpret(_ effect: Effect<Action>) {
    begin(effect, parent: registry.beginEffect())
    goOn()
    registry.turn.parent = .turn
  }

  /// Takes all steps of the input at hand.
  @inlinable
  mutating func goOn() {
    while let part = registry.nextPart() {
      // SAFETY: the registry hands back nodes it was given by `begin`, and those have this action type.
      let node = unsafe unsafeDowncast(part.node, to: Effect<Action>.Node.self)
      begin(node.children[Int(part.index)], parent: part.parent)
    }
  }

  /// The first step of interpreting an effect; the registry knows the next ones.
  @inlinable
  mutating func begin(_ effect: Effect<Action>, parent: Token) {
    switch effect {
    case .none: break
    case .send(let action):
      followUps.append(FollowUp(action: action, frame: registry.followUp(in: parent)))
    case .run(let operation): registry.register(operation, parent: parent)
    case .merge(let children): registry.beginMerge(children.node, parent: parent)
    case .concatenate(let children): registry.beginSequence(children.node, parent: parent)
    case .cancel(let target): registry.cancel(target, within: parent)
    case .flush(let id): registry.flush(id)
    case .cancellable(let tree): registry.register(tree.node, tree.label, parent: parent)
    }
  }

  /// The next action of the turn; `nil` when there is none left. Those whose branch was cancelled are dropped.
  @inlinable
  package mutating func nextFollowUp() -> Action? {
    while head < followUps.count {
      let next = followUps[head]
      head += 1
      if head == followUps.count {
        followUps.removeAll(keepingCapacity: followUps.capacity <= 4_096)
        head = 0
      } else if head >= 1024, head * 2 > followUps.count {
        // A chain of a million, two at a time, must not keep the million that are done.
        followUps.removeSubrange(..<head)
        head = 0
      }
      if next.frame == .none || registry.enter(next.frame) { return next.action }
      if registry.notes.isOn {
        droppedFollowUps.append(next.action)
        registry.notes.hasDrops = true
      }
    }
    return nil
  }

  /// Whether actions of the turn are still to be reduced.
  @inlinable
  package var hasFollowUps: Bool { head < followUps.count }

  /// Whether a turn has begun and not ended.
  @inlinable
  package var isTurnOpen: Bool { registry.turn.isOpen }

  /// Whether no dispatch has a slot because of the turn: its end tells nobody.
  @inlinable
  var isSelfContained: Bool { registry.turn.root == .none }

  /// All actions of the turn have been reduced.
  @inlinable
  package mutating func endTurn() {
    registry.turn.isOpen = false
    guard registry.turn.root != .none else { return }
    registry.settleTurn()
    goOn()
  }

  /// Takes the rest of a long turn away, to go on behind the mailbox (rule T5).
  package mutating func suspendTurn() -> SuspendedTurn {
    // The dispatch must not settle meanwhile: somebody may ask for it.
    _ = registry.dispatch()
    defer {
      registry.turn = Registry.Turn()
      followUps = []
      head = 0
    }
    return SuspendedTurn(turn: registry.turn, followUps: followUps, head: head)
  }

  /// Goes on with a turn that was taken away.
  package mutating func resumeTurn(_ suspended: SuspendedTurn) {
    registry.turn = suspended.turn
    followUps = suspended.followUps
    head = suspended.head
  }
}

// MARK: - Runs

extension Interpreter {
  /// The shell is about to make the task of a run: hands out the operation, or nothing if the run is cancelled by now.
  @inlinable
  package mutating func started(_ token: Token) -> Effect<Action>.Operation? {
    guard let operation = registry.started(token) else { return nil }
    // SAFETY: the registry hands back operations it was given by `begin`, and those have this action type.
    return unsafe unsafeDowncast(operation, to: Effect<Action>.Operation.self)
  }

  /// A closure has returned or thrown: one path for success, error and cancellation.
  ///
  /// Opens a turn of the run's dispatch, because what waited behind the run goes on now.
  @inlinable
  package mutating func ended(_ token: Token, error: (any Error)?, mayRetry: Bool = false) {
    registry.ended(token, error: error, mayRetry: mayRetry)
    goOn()
  }

  /// Cancels everything a dispatch has caused and will cause.
  ///
  /// Opens a turn, because what waited behind its runs goes on now.
  package mutating func cancelDispatch(_ number: UInt64) {
    registry.cancelDispatch(number)
    goOn()
  }

  /// Cancels all work of the store, as `.cancel(.everything)` does.
  package mutating func cancelEverything(because reason: EffectOutcome.CancelReason = .byEffect) {
    registry.cancel(.everything, within: .none, because: reason)
    goOn()
  }

  /// Collects the outcomes of all that a dispatch causes, for the waiter that comes behind its action (rule L3).
  @usableFromInline
  package mutating func collectOutcomes(ofDispatch number: UInt64) {
    registry.collectOutcomes(ofDispatch: number)
  }

  /// The waiter for which outcomes were collected will not come.
  ///
  /// - Returns: what was collected, to be released when user code may run.
  package mutating func forgetOutcomes(ofDispatch number: UInt64) -> RequestOutcomes? {
    registry.takeOutcomes(of: number)
  }

  /// A waiter, perhaps inside a run, waits until a dispatch has settled.
  package mutating func watch(_ number: UInt64, _ waiter: Waiter, from run: Token = .none) {
    registry.watch(number, waiter, from: run)
  }

  /// The circle that a run's wait for a dispatch would close: the other work in it; `nil` if there is none.
  package mutating func circle(of run: Token, waitingFor number: UInt64) -> [EffectRun]? {
    registry.circle(of: run, waitingFor: number)
  }

  /// The waiters of dispatches that own something which a cancel of these ids would reach.
  func waiters(reachedBy ids: Set<EffectID>) -> [Waiter] {
    registry.waiters(reachedBy: ids)
  }

  /// Whether a run belongs to a dispatch, which it then cannot wait for.
  package mutating func isRun(_ token: Token, partOf number: UInt64) -> Bool {
    registry.isRun(token, partOf: number)
  }

  /// Whether an action of a run would be reduced now (rule E1).
  @usableFromInline
  package func isLive(_ token: Token) -> Bool { registry.isLive(token) }

  /// Whether a run, or an attempt of one, was cancelled and its closure has not returned.
  package func isCancelling(_ token: Token) -> Bool { registry.isCancelling(token) }

  /// What a live run is, for a report about it.
  package func description(of token: Token) -> EffectRun? { registry.description(of: token) }
}

// MARK: - Outputs

extension Interpreter {
  /// What the shell is to do, in this order.
  @inlinable
  package var commands: [Command] {
    _read { yield registry.commands }
    _modify { yield &registry.commands }
  }

  /// Whether there is something for the shell to do or to let go of.
  @inlinable
  package var hasOutput: Bool { !registry.commands.isEmpty || !registry.released.isEmpty }

  /// Hands over the work of freed slots, to be let go of when everything else is consistent (rule E8).
  @inlinable
  package mutating func takeReleased(into garbage: inout [Released]) {
    swap(&registry.released, &garbage)
  }

  /// Actions that were not reduced because their run was cancelled, replaced or had ended (rule E1).
  package var droppedActions: Int { registry.droppedActions }

  /// Whether nothing lives: no run, no queue, no closure that has not returned.
  package var isIdle: Bool { registry.slots.count == 0 }

  /// Whether nothing lives and nothing is remembered, so that it is as good as new.
  @inlinable
  package var isPristine: Bool { _read { yield registry.isPristine } }

  /// How many slots are taken; for tests of the promise that the registry returns to empty.
  package var liveCount: Int { registry.slots.count }

  /// How many names are remembered; likewise.
  package var nameCount: Int { registry.directory.count }
}
