// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Outputs

extension Engine {
  /// Whether there is anything for the shell to do or to release.
  @inlinable @inline(__always)
  var hasOutputs: Bool { interpreter.hasOutput || !steps.isEmpty }

  /// Moves everything for the shell to the outputs, which must be empty. What a turn causes is kept until the turn has
  /// ended (rule E8); listeners are notified of each action.
  @inlinable @inline(__always)
  mutating func collect(into outputs: inout EngineOutputs<R.Action>) {
    if interpreter.isTurnOpen {
      if reportsEachReduction { interpreter.scheduler.takeReports(into: &outputs.steps) }
    } else if hasOutputs {
      // What a turn starts follows from the event that has opened it, for listeners.
      if isTraced { interpreter.traceCause = turnEvent ?? interpreter.traceCause }
      interpreter.scheduler.takeCommands(into: &steps)
      swap(&steps, &outputs.steps)
      interpreter.takeReleased(into: &outputs.released)
    }
    if let carried, !interpreter.isTurnOpen {
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

  /// Appends an output behind all commands of the interpreter so far.
  @usableFromInline
  mutating func emit(_ output: EngineOutput) {
    interpreter.scheduler.takeCommands(into: &steps)
    steps.append(output)
  }
}

// It does not depend on the action type, and so is compiled once.
extension Scheduler {
  /// Turns the reports among the commands into outputs, and keeps the other commands.
  @usableFromInline
  mutating func takeReports(into steps: inout [EngineOutput]) {
    while commandsWithoutReports < commands.count {
      if case .report(let failure) = commands[commandsWithoutReports] {
        steps.append(.report(failure))
        commands.remove(at: commandsWithoutReports)
      } else {
        commandsWithoutReports += 1
      }
    }
  }

  /// Turns the commands into outputs.
  ///
  /// If the turn that starts a run also cancels it, the start makes no output (rule E3).
  @usableFromInline
  mutating func takeCommands(into steps: inout [EngineOutput]) {
    if commands.isEmpty { return }
    for index in commands.indices {
      switch commands[index] {
      case .start(let token):
        if let operation = started(token) { steps.append(.start(token, operation)) }
      case .recover(let token, let error):
        if let operation = started(token) { steps.append(.startCatch(token, operation, thrown: error)) }
      case .cancel(let token): steps.append(.cancel(token))
      case .report(let failure): steps.append(.report(failure))
      case .resume(let waiter, let outcomes): steps.append(.settle(waiter, outcomes))
      case .refuse(let waiter): steps.append(.answer(waiter, false))
      case .cutShort(let waiter): steps.append(.cutShort(waiter))
      }
    }
    commandsWithoutReports = 0
    // `removeLast` is faster than `removeAll`.
    if commands.count == 1 {
      commands.removeLast()
    } else {
      commands.removeAll(keepingCapacity: commands.count <= 1_024)
    }
  }
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
    let number = interpreter.nextEventNumber()
    notes.append(EngineNote(number, after: cause, shape, action, origin))
    return number
  }

  /// Notes an event that follows from the event at hand. From now on it is the event at hand. Without a listener it
  /// does nothing.
  mutating func noteOther(_ kind: TraceEvent<Never>.Kind) {
    guard isTraced else { return }
    takeNotes()
    let number = interpreter.nextEventNumber()
    notes.append(EngineNote(number, after: interpreter.traceCause, kind))
    interpreter.traceCause = number
  }

  /// Takes over what the interpreter has noted about runs.
  @inlinable @inline(__always)
  mutating func takeNotes() {
    if interpreter.hasNotes { takeNotesNow() }
  }

  /// The same, if there are any.
  @inlinable
  mutating func takeNotesNow() {
    for note in interpreter.takeNotes() {
      notes.append(EngineNote(note.number, after: note.cause, note.kind))
    }
    guard interpreter.hasDroppedFollowUps else { return }
    for action in interpreter.takeDroppedFollowUps() {
      notes.append(EngineNote(interpreter.nextEventNumber(), after: turnEvent, .dropped, action, .followUp))
    }
  }

  /// The run that sent an action, and the number of the event that mentioned it first, if that was reported.
  @inlinable
  mutating func sender(_ token: Token) -> (TraceOrigin, UInt64?) {
    let run = interpreter.tracedSender(token)
    let birth = run.flatMap { interpreter.hasReported($0) ? $0.birth : nil }
    return (TraceOrigin(form: .run, run: run), birth)
  }

  /// Numbers an event that a shell notes by itself.
  package mutating func nextEventNumber() -> UInt64 { interpreter.nextEventNumber() }
}
