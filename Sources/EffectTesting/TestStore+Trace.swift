// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

extension TestStore {
  /// What has happened so far, as a ``/EffectRuntime/Store/trace`` would tell it: the newest 1,000 events.
  ///
  /// An action that is received is `accepted` when its run sends it and `reduced` when the test receives it. It is kept
  /// until then by the test store, as are the actions of the other events.
  ///
  /// - Complexity: O(number of events).
  public var trace: [TraceEvent<R.Action>] {
    log.events.compactMap { $0.typed() }
  }
}

/// What a test store remembers of what happened.
// Without the type of actions, whose metadata would be looked up for each event, and without the lock of a ring that
// several threads share.
@usableFromInline
final class TestLog {
  private static let limit = 1_000
  private var book = TraceBook<any Sendable>()
  /// The event that opened the turn at hand.
  @usableFromInline var turn: UInt64?
  /// Whether a cancel has matched nothing.
  @usableFromInline private(set) var hasUnmatched = false

  deinit { book.free() }

  /// The newest, oldest first; in front of them how many are missing.
  var events: [TraceEvent<any Sendable>] { book.noteOfLost.map { [$0] + book.events } ?? book.events }

  @usableFromInline
  func add(_ kind: TraceEvent<any Sendable>.Kind, _ number: UInt64, after cause: UInt64?, at time: Duration) {
    _ = book.append(TraceEvent(number: number, time: time, cause: cause, kind: kind), Self.limit)
  }

  @usableFromInline
  func add(_ notes: [TraceNote], at time: Duration) {
    for note in notes {
      if case .unmatched = note.content { hasUnmatched = true }
      add(note.kind(of: (any Sendable).self), note.number, after: note.cause, at: time)
    }
  }
}

extension TestLog {
  /// The ids under which runs and trees were registered, in the order of the first of each; and whether these are all.
  var knownIDs: (ids: [EffectID], isWhole: Bool) {
    var ids: [EffectID] = []
    var seen: Set<EffectID> = []
    var isWhole = true
    for event in events {
      switch event.kind {
      case .run(let run, _):
        if let id = run.description.id, seen.insert(id).inserted { ids.append(id) }
      case .lost:
        isWhole = false
      default:
        break
      }
    }
    return (ids, isWhole)
  }
}

// MARK: - Reporting events

extension TestStore {
  /// Notes an event that follows from the one at hand, and makes it the one at hand; answers with its number.
  @inlinable
  @discardableResult
  func tell(_ kind: TraceEvent<any Sendable>.Kind, at time: Duration? = nil) -> UInt64 {
    let cause = interpreter.traceCause
    let number = interpreter.nextEventNumber()
    interpreter.traceCause = number
    log.add(kind, number, after: cause, at: time ?? clock.now.offset)
    return number
  }

  /// Notes what the interpreter has to tell.
  @inlinable
  func tellNotes(at time: Duration? = nil) {
    guard interpreter.hasNotes else { return }
    let now = time ?? clock.now.offset
    log.add(interpreter.takeNotes(), at: now)
    guard interpreter.hasDroppedFollowUps else { return }
    for action in interpreter.takeDroppedFollowUps() {
      log.add(.dropped(action, .followUp), interpreter.nextEventNumber(), after: log.turn, at: now)
      noteDrop(followUp: action)
    }
  }

  /// An action of a run has come in.
  @inlinable
  func tellAccepted(_ action: R.Action, sentBy token: Token) -> (source: TraceSource, number: UInt64) {
    let run = interpreter.tracedSender(token)
    interpreter.traceCause = run?.birth
    let source = TraceSource.run(run)
    return (source, tell(.accepted(action, source)))
  }
}

extension TraceEvent where Action == any Sendable {
  /// The same with the type of the actions.
  func typed<Known: Sendable>() -> TraceEvent<Known>? {
    let kind: TraceEvent<Known>.Kind
    switch self.kind {
    case .accepted(let action as Known, let source): kind = .accepted(action, source)
    case .reduced(let action as Known, let source): kind = .reduced(action, source)
    case .dropped(let action as Known, let source): kind = .dropped(action, source)
    case .refused(let action as Known, let site): kind = .refused(action, site)
    case .run(let run, let event): kind = .run(run, event)
    case .unmatched(let effect): kind = .unmatched(effect)
    case .status(let id, let status): kind = .status(id, status)
    case .dispatchCancelled(let number): kind = .dispatchCancelled(number)
    case .turnSuspended(let actions): kind = .turnSuspended(actions: actions)
    case .budgetExceeded(let steps): kind = .budgetExceeded(steps: steps)
    case .shutdown(let stage): kind = .shutdown(stage)
    case .lost(let count): kind = .lost(count)
    case .accepted, .reduced, .dropped, .refused: return nil
    }
    return TraceEvent<Known>(number: number, time: time, cause: cause, kind: kind)
  }
}
