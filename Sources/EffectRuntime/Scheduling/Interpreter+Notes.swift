// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// What happened, for listeners.
extension Interpreter {
  /// Whether events are noted.
  package var isTraced: Bool {
    get { scheduler.notes.isOn }
    set {
      if newValue != isTraced { droppedFollowUps = [] }
      scheduler.notes.turn(on: newValue)
    }
  }

  /// The number of the event whose consequences are noted next.
  @inlinable
  package var traceCause: UInt64? {
    get { scheduler.notes.cause }
    set { scheduler.notes.cause = newValue }
  }

  /// Numbers an event that the engine or a shell notes.
  @inlinable
  package mutating func nextEventNumber() -> UInt64 { scheduler.notes.next() }

  /// Whether there is anything to report. It is read after every step, and so does not depend on the type of actions.
  @inlinable
  package var hasNotes: Bool { _read { yield scheduler.notes.hasNotes || scheduler.notes.hasDrops } }

  /// Returns what has happened to runs since the last call.
  @inlinable
  package mutating func takeNotes() -> [TraceNote] { scheduler.notes.take() }

  /// Whether actions of the turn were dropped with their branch.
  @inlinable
  package var hasDroppedFollowUps: Bool { _read { yield scheduler.notes.hasDrops } }

  /// Returns those actions, and removes them.
  @usableFromInline
  package mutating func takeDroppedFollowUps() -> [Action] {
    scheduler.notes.clearDrops()
    var dropped: [Action] = []
    swap(&dropped, &droppedFollowUps)
    return dropped
  }

  /// The run that sent an action, by the token; `nil` if the run has returned or the attempt has ended.
  @inlinable
  package mutating func tracedSender(_ token: Token) -> TraceRun? { scheduler.tracedSender(token) }

  /// Whether the event that mentions a run first has its number by now.
  @inlinable
  package func hasReported(_ run: TraceRun) -> Bool { scheduler.notes.hasReported(run) }

  /// A closure is handed over to tasks, one of which reports when it calls the closure.
  @usableFromInline
  mutating func noteHandOver(of token: Token, to body: any ClosureOfRun) {
    scheduler.noteHandOver(of: token, to: body)
  }

  /// A task is about to call the closure of a run.
  @usableFromInline
  mutating func noteCall(of token: Token) { scheduler.noteCall(of: token) }

  /// From now on the shell reports when tasks call closures, with ``noteHandOver(of:to:)`` and ``noteCall(of:)``.
  mutating func notesCalls() { scheduler.notes.reportCalls() }

  /// Notes that a run sleeps on the clock until a moment. Ignored if the run has ended.
  @usableFromInline
  package mutating func noteSleep(of token: Token, until time: Duration) {
    guard scheduler.workTree.contains(token) else { return }
    scheduler.note(token.slot, .sleeping(until: time))
  }
}
