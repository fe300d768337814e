// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// What only the store's isolation uses: the engine, the messages taken out of the mailbox, and the outputs to be
/// performed.
@usableFromInline
struct Core<R: Reducer> {
  @usableFromInline typealias Action = R.Action

  /// The first property: observers read the state at its address.
  @usableFromInline var engine: Engine<R>
  /// The outputs of the engine that are being performed.
  @usableFromInline var outputs = EngineOutputs<Action>()
  /// The messages that were taken out of the mailbox together.
  @usableFromInline var batch: [Message<Action>] = []
  /// How many messages of the batch have been taken out of it; the index of the next one.
  @usableFromInline var position = 0
  /// How many orders from outside have been taken that are not actions.
  @usableFromInline var ordersTaken: UInt64 = 0
  /// The runs whose closures a task is to call or is calling, by their slots. A run leaves when it is cancelled or its
  /// end is taken.
  @usableFromInline var running = SparseArray<RunBody<Action>?>(nil)
  /// The cancels and starts that are due.
  @usableFromInline var ready = ReadyRuns<Action>()
  /// Whether an observer is shown the state at the end of every turn.
  @usableFromInline var showsTurns = false
  /// The listeners.
  @usableFromInline var outlet = TraceOutlet<Action>()

  init(_ engine: consuming Engine<R>) {
    self.engine = engine
    self.engine.scheduler.notes.reportCalls()
  }

  /// The messages that were taken out of the mailbox and have not been handled.
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

extension UncheckedCell {
  /// The state of a core, at its address. While the result is used, no code may change or free the core.
  @inlinable
  func stateInPlace<R>() -> StateInPlace where Value == Core<R> {
    // SAFETY: the state is the first property of an engine, and the engine is the first property of a core, so the
    // state is at its address; a test verifies this for several state types.
    unsafe StateInPlace(UnsafeRawPointer(address))
  }
}
