// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// What only the store's isolation touches: the state, what was taken out of the mailbox, and what follows from it.
///
/// An action costs it two steps, ``next(_:)`` before the reducer is called and ``isDone(with:followUpLimit:)`` after. In
/// between nobody has access to more than the state, so whatever a reducer asks the store for can be answered. User code
/// that runs inside one of the two (`==` of ids and inputs, the condition of a cancel) must not read the store's state, nor
/// what runs: the store's ``Activity`` has that stop with a message.
@usableFromInline
struct Core<R: Reducer> {
  @usableFromInline typealias Action = R.Action

  /// The first property: observers look at it where it lies.
  @usableFromInline var state: R.State
  /// The reducer has the state; nobody else may look at it.
  @usableFromInline var isReducing = false
  @usableFromInline var interpreter: Interpreter<Action>
  @usableFromInline var batch: [Message<Action>] = []
  @usableFromInline var position = 0
  /// How many actions from outside have been taken; the number of the last one's dispatch.
  @usableFromInline var taken: UInt64 = 0
  /// How many orders from outside have been taken that are no actions.
  @usableFromInline var ordersTaken: UInt64 = 0
  @usableFromInline var actionsInTurn = 0
  /// Who wants to know that the action of the turn at hand has been reduced.
  @usableFromInline var delivering: Waiter?
  /// The run that has sent it; none any more, if that has been cancelled meanwhile.
  @usableFromInline var deliveringRun = Token.none
  /// Somebody wants to see the state at the end of every turn.
  @usableFromInline var showsTurns = false
  /// The runs whose closures execute and that live, by their slots.
  @usableFromInline var running = SparseArray<RunBody<Action>?>(nil)
  /// Tasks whose runs are over although their closures execute, and that do not know it yet.
  @usableFromInline var cancelled: [RunTask.Handle] = []
  /// Runs whose closures are to be called, and no task knows it yet.
  @usableFromInline var ready: [RunBody<Action>] = []
  /// Whether there may be one of these: one look at every step instead of two.
  @usableFromInline var hasDue = false
  /// Since when one of these waits.
  @usableFromInline var due = DueTasks()
  /// Swapped with what the interpreter collects, so that neither is allocated anew.
  @usableFromInline var commands: [Command] = []
  @usableFromInline var garbage: [Released] = []
  /// Those who listen to what happens.
  @usableFromInline var outlet = TraceOutlet<Action>()
  /// Turns that grew too long, in the order their rest waits in the mailbox; and the event that told of it.
  var suspendedTurns: [(turn: Interpreter<Action>.SuspendedTurn, event: UInt64?)] = []

  init(_ state: consuming R.State, time: TimeSource) {
    self.state = state
    interpreter = Interpreter(now: { time.now })
    interpreter.notesCalls()
  }

  /// What was taken and not looked at yet.
  var rest: ArraySlice<Message<Action>> { batch[position...] }

  /// What the store does next.
  @usableFromInline
  enum Next {
    case reduce(Action)
    /// Something that is no mere action.
    case take(Message<Action>)
    /// The turn has no action left that may be reduced.
    case endTurn
    /// The action of a run that was cancelled; nothing is to be done about it.
    case drop
    /// All that was taken has been looked at.
    case refill
  }

  /// Takes one message, or one action of the open turn.
  @inlinable
  mutating func next(_ mailbox: Mailbox<Action>) -> Next {
    if interpreter.isTurnOpen {
      guard let action = interpreter.nextFollowUp() else { return .endTurn }
      return .reduce(action)
    }
    guard position < batch.count else { return .refill }
    let message = batch[position]
    position += 1
    switch message {
    case .action(let action):
      taken += 1
      interpreter.beginTurn(dispatch: taken, isRefusing: mailbox.isCancelled(taken))
      return .reduce(action)
    case .sent(let action, let token):
      return interpreter.beginTurn(sentBy: token) ? .reduce(action) : .drop
    default:
      return .take(message)
    }
  }

  /// The run that sent the message at a position; `nil` if none did.
  // Mutating, or it would be handed a copy of all that is in here.
  @inlinable
  mutating func sender(at position: Int) -> Token? {
    switch batch[position] {
    case .sent(_, let token), .delivered(_, let token, _): token
    default: nil
    }
  }

  /// Interprets the effect of the action at hand. Answers whether that is all, as it nearly always is: the turn has
  /// ended or goes on with a follow-up, and nobody waits for anything.
  @inlinable
  mutating func isDone(with effect: Effect<Action>, followUpLimit: Int) -> Bool {
    actionsInTurn += 1
    interpreter.reduced(effect)
    if interpreter.hasOutput { return false }
    if interpreter.hasFollowUps { return actionsInTurn < followUpLimit }
    guard interpreter.isSelfContained, delivering == nil, !showsTurns else { return false }
    interpreter.endTurn()
    actionsInTurn = 0
    return true
  }
}
