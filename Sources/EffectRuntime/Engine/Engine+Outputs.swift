// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Outputs

extension Engine {
  /// Moves everything for the shell to the outputs, which must be empty. What a turn causes is kept until the turn has
  /// ended (rule E8); listeners are notified of each action.
  @inlinable @inline(__always)
  mutating func collect(into outputs: inout EngineOutputs<R.Action>) {
    if isTurnOpen {
      if reportsEachReduction { scheduler.takeReports(into: &outputs.steps) }
    } else if scheduler.hasOutput {
      // What a turn starts follows from the event that has opened it, for listeners.
      if isTraced { traceCause = turnEvent ?? traceCause }
      scheduler.takeOutputs(into: &outputs.steps)
      swap(&scheduler.released, &outputs.released)
    }
    if let carried, !isTurnOpen {
      bind(carried, in: &outputs.steps)
      sweep(carried)
    }
    if isTraced { collectNotes(into: &outputs) }
  }

  /// Moves the notes for listeners.
  @inlinable
  mutating func collectNotes(into outputs: inout EngineOutputs<R.Action>) {
    takeNotes()
    swap(&notes, &outputs.notes)
  }

  /// Appends an output behind all that follows from the event so far.
  @usableFromInline
  mutating func emit(_ output: EngineOutput) { scheduler.outputs.append(output) }
}

// MARK: - Notes for listeners

extension Engine {
  /// Notes an event of an action. Returns its number.
  @inlinable @inline(__always)
  mutating func note(
    _ shape: EngineNote<R.Action>.Shape, _ action: R.Action, _ origin: TraceOrigin, after cause: UInt64?
  ) -> UInt64 {
    // Events with lower numbers are noted first.
    takeNotes()
    let number = nextEventNumber()
    notes.append(EngineNote(number, after: cause, shape, action, origin))
    return number
  }

  /// Notes an event that follows from the event at hand. From now on it is the event at hand. Without a listener it
  /// does nothing.
  mutating func noteOther(_ kind: TraceEvent<Never>.Kind) {
    guard isTraced else { return }
    takeNotes()
    let number = nextEventNumber()
    notes.append(EngineNote(number, after: traceCause, kind))
    traceCause = number
  }

  /// Takes over what the scheduler has noted about runs.
  @inlinable @inline(__always)
  mutating func takeNotes() {
    if scheduler.notes.hasNotes || !followUps.dropped.isEmpty { takeNotesNow() }
  }

  /// The same, if there are any.
  @inlinable
  mutating func takeNotesNow() {
    for note in scheduler.notes.take() {
      notes.append(EngineNote(note.number, after: note.cause, note.kind))
    }
    for action in followUps.takeDropped() {
      notes.append(EngineNote(nextEventNumber(), after: turnEvent, .dropped, action, .followUp))
    }
  }

  /// The run that sent an action, and the number of the event that mentioned it first, if that was reported.
  @inlinable
  mutating func sender(_ token: Token) -> (TraceOrigin, UInt64?) {
    let run = scheduler.tracedSender(token)
    let birth = run.flatMap { scheduler.notes.hasReported($0) ? $0.birth : nil }
    return (TraceOrigin(form: .run, run: run), birth)
  }

  /// Numbers an event that a shell notes by itself.
  @inlinable
  package mutating func nextEventNumber() -> UInt64 { scheduler.notes.next() }
}
