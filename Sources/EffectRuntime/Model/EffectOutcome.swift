// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// How a run, or a tree under an id, ended.
///
/// Part of the ``RequestOutcomes`` of a request, and of the trace.
///
/// - Isolation: a value; usable from any thread.
public enum EffectOutcome: Sendable {
  /// The closure returned; for a tree, all its parts have settled.
  case finished
  /// The closure threw this error, or ran out of time, and its `catch` closure has returned.
  case handled(any Error)
  /// The closure threw, or ran out of time, and had no `catch`. Or the run was not started because of a mistake, which
  /// is the error (a missing child, or a debounce or throttle without an id).
  case failed(any Error)
  /// It was cancelled, whether it was running or still waiting.
  case cancelled(CancelReason)
  /// It never ran: the overlap ignored it when it arrived, or dropped it for another run while it waited; or its
  /// debounce or throttle did not let it through.
  case dropped

  /// What cancelled it.
  public enum CancelReason: Hashable, Sendable {
    /// A `cancel` effect that reached it, or a tree it was a part of.
    case byEffect
    /// ``StoreTask/cancel(isolation:)``, or the cancellation of a task that waited for the dispatch.
    case byDispatch
    /// A newer run of its id, by `.restart`, or of a tree it was a part of.
    case replaced
    /// A shutdown of the store; see ``Store/shutdown(_:)``.
    case shutdown
  }
}

extension EffectOutcome {
  /// Whether the run ended by itself: it finished, or its `catch` handled what it threw.
  public var isFinished: Bool {
    switch self {
    case .finished, .handled: true
    case .failed, .cancelled, .dropped: false
    }
  }

  /// What the closure threw, with or without a `catch`.
  public var error: (any Error)? {
    switch self {
    case .handled(let error), .failed(let error): error
    case .finished, .cancelled, .dropped: nil
    }
  }
}

extension EffectOutcome: Equatable {
  /// Whether both are the same case with equal reasons or errors. Errors are equal if they have the same type and are
  /// equal. Errors without `==` are equal if their texts are.
  public static func == (left: EffectOutcome, right: EffectOutcome) -> Bool {
    switch (left, right) {
    case (.finished, .finished), (.dropped, .dropped): true
    case (.cancelled(let left), .cancelled(let right)): left == right
    case (.handled(let left), .handled(let right)), (.failed(let left), .failed(let right)): areEqual(left, right)
    case (.finished, _), (.handled, _), (.failed, _), (.cancelled, _), (.dropped, _): false
    }
  }

  private static func areEqual(_ left: any Error, _ right: any Error) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    if let left = left as? any Equatable { return isEqual(left, to: right) }
    return "\(left)" == "\(right)"
  }

  private static func isEqual<Known: Equatable>(_ left: Known, to right: any Error) -> Bool {
    (right as? Known).map { Sameness.areSame(left, $0) } ?? false
  }
}

extension EffectOutcome: CustomStringConvertible {
  /// A short text: `finished`, `handled: offline`, `failed: timedOut`, `cancelled: replaced` or `dropped`.
  public var description: String {
    switch self {
    case .finished: "finished"
    case .handled(let error): "handled: \(ValueDescription.brief(error))"
    case .failed(let error): "failed: \(ValueDescription.brief(error))"
    case .cancelled(let reason): "cancelled: \(reason)"
    case .dropped: "dropped"
    }
  }
}
