// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// One thing that happened in a store, reported to the listeners of its ``Store/trace``.
///
/// ```swift
/// store.trace.listen { event in print(event) }
/// // 12  0.300 s  reduced .found(["SWIFT"]) from run 2  (after 11)
/// ```
///
/// - Ordering: events are numbered in the order in which the store handled them. An action is `accepted`, then
///   `reduced` or `dropped`. The results of its effect follow, with the action's number as their ``cause``.
/// - Isolation: a value. It keeps the action; of a run it keeps only the description, never its closure.
public struct TraceEvent<Action: Sendable>: Sendable {
  /// The number of the event, counted from 1 in each store, as long as there is a listener. A listener gets the numbers
  /// without gaps, except that ``Kind/lost(_:)`` stands for the events that it has missed.
  public let number: UInt64
  /// When it happened, by the store's clock, since the store was made. Events of one turn share the time at which the
  /// turn began; `accepted` has the time of the call. Zero if no listener needs times.
  @inlinable
  public var time: Duration { moment }
  /// The number of the event from which it follows; `nil` if the cause is outside of the store.
  public let cause: UInt64?
  /// What happened.
  public let kind: Kind
  /// Set by the shell that reports the event.
  @usableFromInline package var moment: Duration

  /// Makes an event. The engine leaves the time to its shell.
  @inlinable
  package init(number: UInt64, time: Duration = .zero, cause: UInt64?, kind: Kind) {
    self.number = number
    moment = time
    self.cause = cause
    self.kind = kind
  }

  /// What can happen.
  public enum Kind: Sendable {
    /// An action was accepted by the store, and is reduced or dropped in its turn.
    case accepted(Action, TraceSource)
    /// An action was reduced.
    case reduced(Action, TraceSource)
    /// An action was not reduced, because its run had been cancelled, replaced or had ended (rule E1), or its branch of
    /// a `concatenate` or tree was cancelled.
    case dropped(Action, TraceSource)
    /// An action came after ``Store/shutdown(_:)`` and was refused.
    case refused(Action, CallSite?)
    /// Something happened to a run.
    case run(TraceRun, TraceRun.Event)
    /// A written `cancel` by id or ids matched nothing (rule V1). A `cancel` by scope, type or
    /// everything, or one that composition adds, does not cause this event.
    case unmatched(UnmatchedCancel)
    /// The status of an id differs from the one last reported; reported at the end of a turn or budget slice.
    // Indirect, because it is larger than all others, and every event takes as much memory as the largest.
    indirect case status(EffectID, EffectStatus)
    /// ``StoreTask/cancel(isolation:)`` was called, or a task was cancelled that waited for the dispatch.
    case dispatchCancelled(UInt64)
    /// A turn grew longer than the store allows; the rest of it waits behind what other senders have sent (rule T5).
    case turnSuspended(actions: Int)
    /// A send, a cancel or a query on the store's own isolation did more work than the budget of a scheduled drain
    /// (rule L1). The number is that of the whole call.
    case budgetExceeded(steps: Int)
    /// The store is shutting down, or has ended.
    case shutdown(TraceShutdown)
    /// This many events before this one are missing, because a listener was slower than the store, or a log was full.
    case lost(Int)
  }
}

extension TraceEvent {
  /// The same event, with its action converted to another type.
  @usableFromInline
  package func map<Other>(_ convert: (Action) -> Other) -> TraceEvent<Other> {
    let kind: TraceEvent<Other>.Kind =
      switch kind {
      case .accepted(let action, let source): .accepted(convert(action), source)
      case .reduced(let action, let source): .reduced(convert(action), source)
      case .dropped(let action, let source): .dropped(convert(action), source)
      case .refused(let action, let site): .refused(convert(action), site)
      case .run(let run, let event): .run(run, event)
      case .unmatched(let cancel): .unmatched(cancel)
      case .status(let id, let status): .status(id, status)
      case .dispatchCancelled(let number): .dispatchCancelled(number)
      case .turnSuspended(let actions): .turnSuspended(actions: actions)
      case .budgetExceeded(let steps): .budgetExceeded(steps: steps)
      case .shutdown(let progress): .shutdown(progress)
      case .lost(let count): .lost(count)
      }
    return TraceEvent<Other>(number: number, time: time, cause: cause, kind: kind)
  }
}

/// Where an action comes from.
public enum TraceSource: Sendable {
  /// `send` of the store: the number of the dispatch, counted from 1, and the line; `nil` for a request, and for a send
  /// before the first listener.
  case user(dispatch: UInt64, CallSite?)
  /// The `send` of a run; `nil` if the run has returned, or the attempt has ended, before the action was taken.
  case run(TraceRun?)
  /// A `send` effect of an action in the same turn.
  case followUp
}

/// The progress of a shutdown.
public enum TraceShutdown: Hashable, Sendable {
  /// A shutdown has begun that cancels everything, or a draining one cancels the rest.
  case cancelling
  /// A shutdown has begun in which work ends by itself.
  case draining
  /// The store has ended: no work remains.
  case ended
}
