// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// What follows from an action, an end, a cancel: every scheduling decision of a store, as a value.
///
/// No task, no lock, no waiting in here. A shell feeds it what happened and performs the ``Command``s it asks for; it
/// never asks for anything else. `Store` and `TestStore` are two shells around this one type, so a test cannot order
/// things differently from production.
///
/// The work that lives forms a tree: a **dispatch** (what one sent action caused) holds **runs**, **sequences**
/// (`concatenate`) and **trees** (`cancellable`), and these hold further ones. A merge needs no member of its own: its
/// parts belong to whatever the merge stands in. Each member counts its parts that have not settled; at zero a sequence
/// goes on, a tree has settled, a dispatch is finished. All of it is iterative: trees may be a million levels deep.
@usableFromInline
package struct Interpreter<Action: Sendable>: Sendable {
  var slots = Slots<Action>()
  /// Parts of a branch.
  var siblings = Chain()
  /// Those who share a place of the directory.
  var peers = Chain()
  var directory = Directory()
  var dispatches = Dispatches()
  /// What is still to be done of the input at hand. Last in, first out, so a branch is walked from left to right.
  var steps: [Step] = []
  @usableFromInline var turn = Turn()
  /// How many share a run that others started; spares cancels a search for them where there are none.
  var joinedCount = 0
  /// Who waits for a dispatch, by its slot.
  var waiters: [Int32: [Waiter]] = [:]
  /// Work whose slot was freed. Its release can run user code (a captured object's deinit), so the shell does it last.
  @usableFromInline var released: [Released] = []

  /// What the shell is to do, in this order.
  @usableFromInline package var commands: [Command] = []
  /// Actions that were not reduced because their run was cancelled, replaced or had ended (rule E1).
  package internal(set) var droppedActions = 0

  package init() {}

  /// One thing for the shell to do. None of them comes back into the interpreter before all have been performed.
  @usableFromInline
  package enum Command: Sendable {
    /// Make a task for the run. Ask ``Interpreter/started(_:)`` whether it still lives.
    case start(Token)
    /// Make a task for the catch closure of a run that threw; likewise.
    case recover(Token, any Error)
    /// Cancel the task of a run.
    case cancel(Token)
    /// An error without a `catch`.
    case report(EffectFailure)
    /// A dispatch has settled, for somebody who waits.
    case resume(Waiter)
  }

  /// The work of a freed slot, to be let go of and not looked into.
  @usableFromInline
  package struct Released: Sendable {
    private let work: Slots<Action>.Work
    init(_ work: Slots<Action>.Work) { self.work = work }
  }

  /// A part of the interpretation at hand.
  enum Step {
    case effect(Effect<Action>, parent: Token)
    /// The parts of a merge from a position on.
    case parts(Effect<Action>.Children, from: Int, parent: Token)
    /// The content of a tree that has got its place.
    case open(Token, Effect<Action>)
    /// A run that got its place behind a tree starts behind what that tree starts.
    case ask(Token)
    /// A part of the branch has settled.
    case settled(Token)
    /// A place may have become free.
    case refill(Int32)
  }
}

extension Interpreter {
  /// Whether there is something for the shell to do or to let go of.
  @inlinable
  package var hasOutput: Bool { !commands.isEmpty || !released.isEmpty }

  /// Whether nothing lives: no run, no queue, no closure that has not returned.
  package var isIdle: Bool { slots.count == 0 }

  /// How many slots are taken; for tests of the promise that the registry returns to empty.
  package var liveCount: Int { slots.count }

  /// How many names are remembered; likewise.
  package var nameCount: Int { directory.count }

  /// Hands over the work of freed slots, to be let go of when everything else is consistent (rule E8).
  package mutating func takeReleased(into garbage: inout [Released]) {
    swap(&released, &garbage)
  }

  /// What a live run is, for a report about it.
  package func description(of token: Token) -> EffectRun? {
    guard slots.contains(token), case .run(let operation) = slots[token.slot].work else { return nil }
    return EffectRun(operation)
  }

  /// Lets go of work later, when the shell can bear user code.
  mutating func release(_ work: Slots<Action>.Work) {
    released.append(Released(work))
  }

  /// Frees a slot, and lets go of its work later.
  mutating func free(_ index: Int32) {
    released.append(Released(slots.free(index)))
  }
}
