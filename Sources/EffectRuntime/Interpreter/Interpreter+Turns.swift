// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Interpreter {
  /// The turn at hand: an action and all the `send` effects it causes, transitively (rule T3).
  @usableFromInline
  struct Turn: Sendable {
    @usableFromInline var isOpen = false
    /// The number of the dispatch, for a turn that began with an action from outside.
    @usableFromInline var number: UInt64 = 0
    @usableFromInline var isRefusing = false
    /// The slot of the dispatch; none until something needs it, because most actions start nothing.
    @usableFromInline var root = Token.none
    @usableFromInline var followUps: [FollowUp] = []
    @usableFromInline var head = 0
    /// The part of a tree or sequence that the action being reduced is.
    @usableFromInline var frame = Token.none
    /// What the effects of the action being reduced belong to.
    @usableFromInline var parent = Token.turn
  }

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
    fileprivate var turn: Turn
  }
}

extension Token {
  /// Stands for the dispatch of the turn at hand, which has a slot only if something needs it.
  @usableFromInline static let turn = Token(slot: -2, generation: 0)
}

// MARK: - Inputs

extension Interpreter {
  /// Begins the turn of an action from outside, the `number`-th.
  @inlinable
  package mutating func beginTurn(dispatch number: UInt64, isRefusing: Bool = false) {
    turn.isOpen = true
    turn.number = number
    turn.isRefusing = isRefusing
  }

  /// Begins the turn of an action that a run sent; `false` if it must be dropped (rule E1).
  @usableFromInline
  package mutating func beginTurn(sentBy token: Token) -> Bool {
    guard slots.contains(token), slots[token.slot].phase == .running else {
      droppedActions += 1
      return false
    }
    openTurn(root: slots[token.slot].root)
    return true
  }

  private func isTurnRoot(_ root: Int32) -> Bool { turn.root.slot == root }

  /// Begins a turn of a dispatch that has a slot.
  mutating func openTurn(root: Int32) {
    openTurn()
    turn.root = slots.token(root)
    slots[root].outstanding += 1
  }

  /// Begins a turn that belongs to no dispatch: what it sets free brings its own.
  mutating func openTurn() {
    turn.isOpen = true
    turn.number = .max
  }

  /// The action at hand was reduced and this effect returned: interprets it (rule T4).
  @inlinable
  package mutating func reduced(_ effect: Effect<Action>) {
    guard turn.frame == .none else { return interpret(effect) }
    // Most actions cause nothing or just another action, and are to cost next to nothing.
    switch effect {
    case .none: break
    case .send(let action): turn.followUps.append(FollowUp(action: action, frame: .none))
    default: interpret(effect)
    }
  }

  @usableFromInline
  mutating func interpret(_ effect: Effect<Action>) {
    if turn.frame == .none {
      steps.append(.effect(effect, parent: turn.parent))
    } else {
      // An action counts as reduced when its effect has been interpreted, so its part settles after that.
      steps.append(.settled(turn.frame))
      if turn.parent != .turn { steps.append(.settled(turn.parent)) }
      steps.append(.effect(effect, parent: turn.parent))
      turn.frame = .none
    }
    run()
    turn.parent = .turn
  }

  /// The next action of the turn; `nil` when there is none left.
  @inlinable
  package mutating func nextFollowUp() -> Action? {
    while turn.head < turn.followUps.count {
      let next = turn.followUps[turn.head]
      turn.head += 1
      if turn.head == turn.followUps.count {
        turn.followUps.removeAll(keepingCapacity: true)
        turn.head = 0
      } else if turn.head >= 1024, turn.head * 2 > turn.followUps.count {
        // A chain of a million, two at a time, must not keep the million that are done.
        turn.followUps.removeSubrange(..<turn.head)
        turn.head = 0
      }
      if next.frame == .none || enter(next.frame) { return next.action }
    }
    return nil
  }

  /// The next action is a part of a branch; `false` if that was cancelled, and the action must be dropped.
  @usableFromInline
  mutating func enter(_ frame: Token) -> Bool {
    guard slots.contains(frame), slots[frame.slot].phase == .running else {
      droppedActions += 1
      return false
    }
    turn.frame = frame
    let root = slots[frame.slot].root
    if !isTurnRoot(root) {
      // A part of another dispatch's branch, set free by this turn. The branch may be cancelled while the action's
      // own effects are interpreted, so the dispatch is held by itself.
      turn.parent = slots.token(root)
      slots[root].outstanding += 1
    }
    return true
  }

  /// Whether actions of the turn are still to be reduced.
  @inlinable
  package var hasFollowUps: Bool { turn.head < turn.followUps.count }

  /// Whether a turn has begun and not ended.
  @inlinable
  package var isTurnOpen: Bool { turn.isOpen }

  /// Whether no dispatch has a slot because of the turn: its end tells nobody.
  @inlinable
  var isSelfContained: Bool { turn.root == .none }

  /// All actions of the turn have been reduced.
  @inlinable
  package mutating func endTurn() {
    turn.isOpen = false
    if turn.root != .none { settleTurn() }
  }

  /// The turn no longer keeps its dispatch from settling.
  @usableFromInline
  mutating func settleTurn() {
    let root = turn.root
    turn.root = .none
    steps.append(.settled(root))
    run()
  }

  /// Takes the rest of a long turn away, to go on behind the mailbox (rule T5).
  package mutating func suspendTurn() -> SuspendedTurn {
    // The dispatch must not settle meanwhile: somebody may ask for it.
    _ = dispatch()
    defer { turn = Turn() }
    return SuspendedTurn(turn: turn)
  }

  /// Goes on with a turn that was taken away.
  package mutating func resumeTurn(_ suspended: SuspendedTurn) {
    turn = suspended.turn
  }

  /// The dispatch of the turn at hand.
  mutating func dispatch() -> Token {
    guard turn.root == .none else { return turn.root }
    let index = slots.allocate(.dispatch(turn.number), phase: .running, parent: .none, root: -1)
    slots[index].root = index
    slots[index].outstanding = 1
    slots[index].isRefusing = turn.isRefusing
    let token = slots.token(index)
    turn.root = token
    dispatches.add(turn.number, token)
    return token
  }
}
