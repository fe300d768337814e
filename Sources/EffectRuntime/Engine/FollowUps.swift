// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// The actions of the open turn, in their order (rule T4).
///
/// It reads effects: their actions are kept here, and the ``Scheduler`` decides everything that needs no action type.
/// Both are parts of the ``Engine``, which passes the scheduler to each call. The code is inlinable, and so is compiled
/// for the action type where a store is made. A lookup of type metadata would cost several times as much as all
/// decisions about a run.
@usableFromInline
package struct FollowUps<Action: Sendable>: Sendable {
  /// The actions. Those before `head` have been taken.
  @usableFromInline var actions: [FollowUp] = []
  /// The index of the next action.
  @usableFromInline var head = 0
  /// Actions that were dropped with their branch, for listeners.
  @usableFromInline var dropped: [Action] = []

  /// Makes a list without actions.
  @usableFromInline
  init() {}

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

  /// The action at hand was reduced and this effect returned: interprets it (rule T4).
  @inlinable
  package mutating func interpret(_ effect: Effect<Action>, in scheduler: inout Scheduler) {
    if scheduler.turn.frame == .none {
      // Most actions cause nothing or just another action. They must cost very little.
      switch effect {
      case .none: return
      case .send(let action): return actions.append(FollowUp(action: action, frame: .none))
      default: break
      }
    }
    begin(effect, parent: scheduler.beginEffect(), in: &scheduler)
    interpretParts(in: &scheduler)
    scheduler.turn.parent = .turn
  }

  /// Takes all steps of the scheduler that follow from the input at hand, and interprets the parts of effects that they
  /// lead to.
  @inlinable
  package mutating func interpretParts(in scheduler: inout Scheduler) {
    while let part = scheduler.nextPart() {
      // SAFETY: the scheduler returns only nodes that `begin` has passed to it, and those have this action type.
      let node = unsafe unsafeDowncast(part.node, to: Effect<Action>.Node.self)
      begin(node.children[Int(part.index)], parent: part.parent, in: &scheduler)
    }
  }

  /// The first step of interpreting an effect; the scheduler decides the next ones.
  @inlinable
  mutating func begin(_ effect: Effect<Action>, parent: Token, in scheduler: inout Scheduler) {
    switch effect {
    case .none: break
    case .send(let action):
      actions.append(FollowUp(action: action, frame: scheduler.followUp(in: parent)))
    case .run(let operation): scheduler.register(operation, parent: parent)
    case .merge(let children): scheduler.beginMerge(children.node, parent: parent)
    case .concatenate(let children): scheduler.beginSequence(children.node, parent: parent)
    case .cancel(let target): scheduler.cancel(target, within: parent)
    case .cancellable(let tree): scheduler.register(tree.node, tree.label, parent: parent)
    }
  }

  /// Takes the next action of the turn; `nil` if none remains. Those whose branch was cancelled are dropped.
  @inlinable
  package mutating func next(in scheduler: inout Scheduler) -> Action? {
    scheduler.turn.isLate = false
    while head < actions.count {
      let next = actions[head]
      head += 1
      if head == actions.count {
        actions.removeAll(keepingCapacity: actions.capacity <= 4_096)
        head = 0
      } else if head >= 1024, head * 2 > actions.count {
        // A chain of a million actions, two at a time, must not keep the million that are done.
        actions.removeSubrange(..<head)
        head = 0
      }
      if next.frame == .none || scheduler.enter(next.frame) { return next.action }
      if scheduler.notes.isOn { dropped.append(next.action) }
    }
    return nil
  }

  /// Whether no action of the turn is left.
  @inlinable
  package var isEmpty: Bool { head >= actions.count }

  /// Returns the actions that were dropped with their branch, for listeners, and removes them.
  @usableFromInline
  mutating func takeDropped() -> [Action] {
    defer { dropped = [] }
    return dropped
  }
}
