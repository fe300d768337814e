// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What a shell performs after a call of its engine: first the notes, then the steps, then the releases. Of the steps it
/// performs the cancels first, then the others from left to right (rule E8). A shell reports the next input only after it has
/// performed all of them.
@usableFromInline
package struct EngineOutputs<Action: Sendable> {
  /// What listeners are notified of. Empty while there is none.
  @usableFromInline package var notes: [EngineNote<Action>] = []
  /// What the shell does.
  @usableFromInline package var steps: [EngineOutput] = []
  /// Work that has settled, and errors and outcomes that are not needed any more. Their release may run user code, such as the
  /// `deinit` of a captured object.
  @usableFromInline package var released: [Released] = []

  /// Makes outputs with nothing to do.
  @inlinable
  package init() {}

  /// Whether there is nothing to do.
  @inlinable
  package var isEmpty: Bool { notes.isEmpty && steps.isEmpty && released.isEmpty }
}

/// An event for listeners.
// Its parts are side by side. To copy an enum with the action in a payload costs more than the rest of a report.
@usableFromInline
package struct EngineNote<Action: Sendable> {
  /// The number of the event.
  @usableFromInline package let number: UInt64
  /// The number of the event it follows from.
  @usableFromInline package let cause: UInt64?
  /// What kind of event it is.
  @usableFromInline package let shape: Shape
  /// What the event is about, if it is about one action.
  @usableFromInline package let action: Action?
  /// Where the action comes from.
  @usableFromInline package let origin: TraceOrigin
  /// What the event is about, if it is not about one action.
  @usableFromInline let other: Other?

  /// The kinds of events.
  @usableFromInline
  package enum Shape: UInt8, Sendable {
    /// An action was taken. The shell has the time at which it was accepted.
    case accepted
    /// An action was reduced.
    case reduced
    /// An action was dropped.
    case dropped
    /// An action was refused. The origin has the line of its sender.
    case refused
    /// Anything that is not about one action.
    case other
  }

  /// An event that is not about one action.
  @usableFromInline
  indirect enum Other: Sendable {
    case kind(TraceEvent<Never>.Kind)
  }

  @inlinable
  init(_ number: UInt64, after cause: UInt64?, _ shape: Shape, _ action: Action, _ origin: TraceOrigin) {
    self.number = number
    self.cause = cause
    self.shape = shape
    self.action = action
    self.origin = origin
    other = nil
  }

  @inlinable
  init(_ number: UInt64, after cause: UInt64?, _ other: TraceEvent<Never>.Kind) {
    self.number = number
    self.cause = cause
    shape = .other
    action = nil
    origin = .followUp
    self.other = .kind(other)
  }
}

extension EngineNote {
  /// The cancel that matched nothing, if it is about one.
  @inlinable
  package var unmatched: UnmatchedCancel? {
    guard shape == .other, case .kind(let kind)? = other, case .unmatched(let cancel) = kind else { return nil }
    return cancel
  }

  /// The note as the kind of a ``TraceEvent``.
  ///
  /// - Parameter known: converts the action to the type that listeners get.
  /// - Returns: the kind.
  @usableFromInline
  package func kind<Known>(_ known: (Action) -> Known) -> TraceEvent<Known>.Kind {
    if case .kind(let other)? = other { return Self.kind(other) }
    guard let action else { preconditionFailure("an event of an action has an action") }
    return switch shape {
    case .accepted: .accepted(known(action), origin.source)
    case .reduced: .reduced(known(action), origin.source)
    case .dropped, .other: .dropped(known(action), origin.source)
    case .refused: .refused(known(action), origin.site)
    }
  }

  private static func kind<Known>(_ kind: TraceEvent<Never>.Kind) -> TraceEvent<Known>.Kind {
    switch kind {
    case .run(let run, let event): .run(run, event)
    case .unmatched(let effect): .unmatched(effect)
    case .status(let id, let status): .status(id, status)
    case .dispatchCancelled(let number): .dispatchCancelled(number)
    case .turnSuspended(let actions): .turnSuspended(actions: actions)
    case .budgetExceeded(let steps): .budgetExceeded(steps: steps)
    case .shutdown(let stage): .shutdown(stage)
    case .lost(let count): .lost(count)
    }
  }
}
