// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// What only the store's isolation touches: the engine, what was taken out of the mailbox, and what has to be performed.
@usableFromInline
struct Core<R: Reducer> {
  @usableFromInline typealias Action = R.Action

  /// The first property: observers read the state where it lies.
  @usableFromInline var engine: Engine<R>
  /// What the engine has answered and is being performed.
  @usableFromInline var outputs = EngineOutputs<Action>()
  @usableFromInline var batch: [Message<Action>] = []
  @usableFromInline var position = 0
  /// How many orders from outside have been taken that are no actions.
  @usableFromInline var ordersTaken: UInt64 = 0
  /// The active runs whose closures execute, by their slots.
  @usableFromInline var running = SparseArray<RunBody<Action>?>(nil)
  /// Tasks of runs that were cancelled, which have yet to be cancelled themselves.
  @usableFromInline var cancelled: [RunTask.Handle] = []
  /// Runs whose closures are to be called, and that no task knows yet.
  @usableFromInline var ready: [RunBody<Action>] = []
  /// How many of these, the first ones, belong to turns that have ended. The others may still be cancelled by their turn (rule E3).
  @usableFromInline var readyOfEndedTurns = 0
  /// Whether one of these has a priority, and so a task of its own.
  @usableFromInline var hasPriority = false
  /// Whether there may be one of these: one check at every step instead of two.
  @usableFromInline var hasDue = false
  /// Since when one of these waits.
  @usableFromInline var due = DueTasks()
  /// The listeners.
  @usableFromInline var outlet = TraceOutlet<Action>()

  init(_ engine: consuming Engine<R>) {
    self.engine = engine
    self.engine.interpreter.notesCalls()
  }

  /// What was taken and not handled yet.
  var rest: ArraySlice<Message<Action>> { batch[position...] }

  /// Takes the next message if it is an action.
  @inlinable @inline(__always)
  mutating func nextAction() -> Engine<R>.WaitingAction {
    guard position < batch.count else { return .none }
    switch batch[position] {
    case .action(let action):
      position += 1
      return .action(action)
    case .sent(let action, let token):
      position += 1
      return .sent(action, by: token)
    default:
      return .none
    }
  }
}
