// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// A failure that a store reports: an error that no `catch` handled (rule E5), or a mistake in how effects are used.
///
/// ``kind`` says which. The store and all other effects continue. A store passes it to its `onFailure`. In a
/// `TestStore` it is a test failure.
///
/// - Isolation: a value; usable from any thread.
public struct EffectFailure: Sendable {
  /// What was thrown, or a description of the mistake.
  public let error: any Error
  /// The run concerned: the one that threw, arrived last, waits or was not started; with id, input, name and source
  /// line. ``Kind`` names the cases in which it describes something else.
  public let run: EffectRun

  /// Makes a failure. Its kind follows from the type of the error.
  package init(error: any Error, run: EffectRun) {
    self.error = error
    self.run = run
  }
}

// MARK: - Kinds

// To add a kind: add a case here, a line in `kind` and a line in `description`; then a row in the table of
// Docs/Errors.md and a case in `FailureKindTests`.
extension EffectFailure {
  /// What went wrong.
  ///
  /// Later versions may add kinds: a `switch` outside of this package should have a `default`.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// The closure of an active run threw ``EffectFailure/error``, and the run has no `catch`; with `retry`, in its
    /// last attempt.
    case threw
    /// The last attempt of a run without a `catch` took longer than its `timeout`. The error is an
    /// ``/EffectCore/EffectTimeout``.
    case timedOut
    /// An id and its overlap are used in a way that cannot be meant: two lines use one id with different overlaps, work is
    /// inside a tree of its id, or a run's action starts work that is dropped because this run holds the slot.
    case overlapConflict
    /// A `cancel` reached a tree that it is a part of. ``EffectFailure/run`` describes the tree.
    case selfCancellation
    /// An action came for a child whose state does not exist any more; no child reduced it.
    /// ``EffectFailure/run`` has the line that delegates to the child.
    case missingChild
    /// A run was not started, because its `debounce` or `throttle` needs an id and it has none.
    case missingID
    /// A run has sent an action after its closure had returned by itself, for example from a callback. The action was not
    /// reduced. Reported once for each run.
    case sentAfterReturn
    /// A run waited for something that can only happen after the run has ended: `finish()` or `request` of a dispatch
    /// that it belongs to, or `shutdown` of its store. The wait returned at once.
    case waitsForItself
    /// A run waited for work of the store that waits for the run. The wait has ended. The error names the other work.
    case waitsInCircle
    /// The store's clock threw although the sleep was not cancelled, or returned before any time had passed. The run
    /// waits for its time. When that has come, the run continues as soon as the store handles an action or the end
    /// of a run.
    case clockFailed
    /// A control or code assigned to a field that the action of the feature does not list as writable; see
    /// ``/EffectCore/FieldAction``. Nothing was sent. There is no run: ``EffectFailure/run`` has no line of yours.
    case fieldNotWritable
  }

  /// What went wrong. Derived from the type of ``error``.
  ///
  /// - Complexity: O(1).
  public var kind: Kind {
    switch error {
    case is OverlapConflict: .overlapConflict
    case is SelfCancellation: .selfCancellation
    case is MissingChild: .missingChild
    case is MissingID: .missingID
    case is SentAfterReturn: .sentAfterReturn
    case is WaitsForItself: .waitsForItself
    case is WaitsInCircle: .waitsInCircle
    case is ClockFailure: .clockFailed
    case is FieldNotWritable: .fieldNotWritable
    case is EffectTimeout: .timedOut
    default: .threw
    }
  }
}

extension EffectFailure: CustomStringConvertible {
  /// What happened, where, and what to do about it.
  public var description: String {
    switch kind {
    case .missingChild, .overlapConflict: "\(run.site): \(error)"
    case .selfCancellation: "\((error as? SelfCancellation)?.site ?? run.site): \(error)"
    case .missingID: "\(run.site): \(run): \(error)"
    case .waitsForItself: "\(run.site): \(run): \(error)."
    case .sentAfterReturn: "\(run.site): \(run) \(error)"
    case .waitsInCircle: "\(run.site): \(run) \(error)."
    case .clockFailed: "\(run.site): \(run) \(error)"
    case .fieldNotWritable: "\(error)"
    case .timedOut:
      "\(run.site): \(run) \(ValueDescription.brief(error)) and has no `catch`. "
        + "\(Self.catchAdvice) Or give the run more time."
    case .threw where error is EmptySequence: "\(run.site): \(run): \(error)"
    case .threw:
      "\(run.site): \(run) threw \(ValueDescription.brief(error)) and has no `catch`. "
        + "\(Self.catchAdvice) Or catch the error inside the run."
    }
  }

  /// How to handle an error of a run: by an action of the feature.
  package static let catchAdvice = """
    Let the feature handle it: add `catch: { error, send in send(.failed("\\(error)")) }` to the run, and \
    `case failed(String)` to the actions if there is none, and reduce that action.
    """
}

extension EffectFailure {
  /// Equal for failures of which the default handler prints only the first: those of one kind, and of one pair of lines,
  /// one assignment, or one line.
  var key: String {
    let place =
      (error as? OverlapConflict)?.key ?? (error as? SelfCancellation)?.key
      ?? (error as? FieldNotWritable)?.description ?? run.site.description
    return "\(kind) \(place)"
  }
}
