// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// What a shell tells those who listen.
extension Interpreter {
  /// Whether what happens is noted.
  package var isTraced: Bool {
    get { registry.notes.isOn }
    set {
      if newValue != isTraced { droppedFollowUps = [] }
      registry.notes.turn(on: newValue)
    }
  }

  /// The number of the event whose consequences are noted next.
  @inlinable
  package var traceCause: UInt64? {
    get { registry.notes.cause }
    set { registry.notes.cause = newValue }
  }

  /// Numbers an event that the shell tells of by itself.
  @inlinable
  package mutating func nextEventNumber() -> UInt64 { registry.notes.next() }

  /// Whether there is anything to tell. Asked after every step, so without the type of actions.
  @inlinable
  package var hasNotes: Bool { _read { yield !registry.notes.list.isEmpty || registry.notes.hasDrops } }

  /// What has happened to runs.
  @inlinable
  package mutating func takeNotes() -> [TraceNote] {
    var notes: [TraceNote] = []
    swap(&notes, &registry.notes.list)
    return notes
  }

  /// Whether actions of the turn were dropped with their branch.
  @inlinable
  package var hasDroppedFollowUps: Bool { _read { yield registry.notes.hasDrops } }

  /// Those actions.
  @usableFromInline
  package mutating func takeDroppedFollowUps() -> [Action] {
    registry.notes.hasDrops = false
    var dropped: [Action] = []
    swap(&dropped, &droppedFollowUps)
    return dropped
  }

  /// In whose name an action came; `nil` if that run is gone.
  @usableFromInline
  package mutating func tracedSender(_ token: Token) -> TraceRun? { registry.tracedSender(token) }

  /// A closure is handed over to tasks, one of which says so when it calls it.
  @usableFromInline
  mutating func noteHandOver(of token: Token, to body: RunTask) {
    registry.noteHandOver(of: token, to: body)
  }

  /// A task is about to call the closure of a run.
  @usableFromInline
  mutating func noteCall(of token: Token) { registry.noteCall(of: token) }

  /// Hands closures over to tasks that say when they call them, with ``noteHandOver(of:to:)`` and ``noteCall(of:)``.
  mutating func notesCalls() { registry.notes.areCallsReported = true }

  /// A run sleeps on the clock.
  @usableFromInline
  package mutating func noteSleep(of token: Token, until time: Duration) {
    guard registry.slots.contains(token) else { return }
    registry.note(token.slot, .sleeping(until: time))
  }
}
