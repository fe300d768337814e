// This source file is part of swift-effects. License: Apache-2.0.

extension Scheduler {
  /// The turn at hand: an action and all the `send` effects it causes, transitively (rule T3).
  @usableFromInline
  struct Turn: Sendable {
    @usableFromInline var isOpen = false
    /// The number of the dispatch, for a turn that began with an action from outside; otherwise `.max`.
    @usableFromInline var number: UInt64 = 0
    /// Whether the dispatch was cancelled before its action was reduced: runs that it causes do not start.
    @usableFromInline var isRefusing = false
    /// The run that sent the action with which the turn began; see `Scheduler.sender`.
    @usableFromInline var sender = Token.none
    /// Whether the action at hand came from outside and has waited: the child that it is for may be gone since (rule M3).
    @usableFromInline var isLate = false
    /// The slot of the dispatch; none until something needs it, because most actions start nothing.
    @usableFromInline var root = Token.none
    /// The tree or sequence that the action being reduced is a part of.
    @usableFromInline var frame = Token.none
    /// What the effects of the action being reduced belong to.
    @usableFromInline var parent = Token.turn

    @inlinable
    init() {}
  }

  /// Begins the turn of an action from outside.
  ///
  /// - Parameters:
  ///   - number: the number of the action.
  ///   - isRefusing: whether its dispatch was cancelled before: runs that it causes do not start.
  ///   - isLate: whether the action has waited.
  @inlinable
  package mutating func beginTurn(dispatch number: UInt64, isRefusing: Bool = false, isLate: Bool = false) {
    turn.isOpen = true
    turn.number = number
    turn.isRefusing = isRefusing
    turn.isLate = isLate
  }

  /// Begins the turn of an action that a run sent; `false` if it must be dropped (rule E1).
  @usableFromInline
  package mutating func beginTurn(sentBy token: Token) -> Bool {
    guard isLive(token) else {
      droppedActions += 1
      return false
    }
    openTurn(root: cause(of: token.slot))
    turn.sender = token
    return true
  }

  /// Whether an action of a run may be reduced (rule E1): it has begun, and was not cancelled, replaced, timed out or ended. A
  /// cancelled run keeps its slot and generation until its closure has returned. Its phase says that it was cancelled.
  @usableFromInline
  package func isLive(_ token: Token) -> Bool { workTree.isActive(token) }

  /// Begins a turn of a dispatch that has a slot, or of a share.
  mutating func openTurn(root: Int32) {
    openTurn()
    turn.root = workTree.token(root)
    workTree.hold(root)
  }

  /// Begins a turn in which a run may settle.
  ///
  /// It is a turn of the run's dispatch, unless several dispatches own the run. They finish in the order in which they
  /// joined, so the turn must not hold one of them.
  mutating func openTurn(of run: Int32) {
    if sharedRuns.hasJoiners(run) { openTurn() } else { openTurn(root: workTree.root(of: run)) }
  }

  /// Begins a turn that belongs to no dispatch: work that goes on because of it has a dispatch of its own.
  mutating func openTurn() {
    turn.isOpen = true
    turn.number = .max
    turn.sender = .none
    turn.isLate = false
  }

  /// The effect of the action at hand is about to be interpreted; returns the branch it becomes a part of.
  @usableFromInline
  mutating func beginEffect() -> Token {
    let parent = turn.parent
    guard turn.frame != .none else { return parent }
    // An action counts as reduced when its effect has been interpreted, so its part settles after that.
    steps.append(.settled(turn.frame))
    if parent != .turn { steps.append(.settled(parent)) }
    turn.frame = .none
    return parent
  }

  /// The next action is a part of a branch; `false` if that was cancelled, and the action must be dropped.
  @usableFromInline
  mutating func enter(_ frame: Token) -> Bool {
    guard workTree.isActive(frame) else {
      droppedActions += 1
      return false
    }
    turn.frame = frame
    let root = workTree.root(of: frame.slot)
    if turn.root.slot != root {
      // A part of a branch of another dispatch, which goes on because of this turn. The branch may be cancelled while
      // the action's own effects are interpreted, so the dispatch is held separately.
      turn.parent = workTree.token(root)
      workTree.hold(root)
    }
    return true
  }

  /// The turn no longer keeps its dispatch from settling.
  @usableFromInline
  mutating func settleTurn() {
    let root = turn.root
    turn.root = .none
    steps.append(.settled(root))
  }

  /// The dispatch of the turn at hand. It gets a slot if it has none.
  mutating func dispatch() -> Token {
    guard turn.root == .none else { return turn.root }
    turn.root = workTree.addDispatch(turn.number, isRefusing: turn.isRefusing)
    return turn.root
  }
}

extension Token {
  /// Stands for the dispatch of the turn at hand, which has a slot only if something needs it.
  @usableFromInline static var turn: Token { Token(slot: -2, generation: 0) }
}
