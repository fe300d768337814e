// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// How everything ended that the action of a request caused; see
/// ``Store/request(_:_:)-(_,(R.State,RequestOutcomes)->Value)``.
///
/// A collection of pairs of a run and its outcome. There is one for each run, and each tree under an id, that the
/// action caused, directly or through actions of runs. They are in the order in which they settled. After the first
/// 64, further ones are only counted.
///
/// - A run that never started is in it: dropped on arrival, replaced while it waited, cancelled with its dispatch, or
///   refused with an error (a missing id, a missing child).
/// - A run that is retried is in it once, with the outcome of its last attempt.
/// - A run that was joined (`.join`) is in the outcomes of every joiner, described as the run that executed. If a
///   joiner was cancelled while the run continued for others, its outcome for this joiner is cancelled. What the
///   actions of a joined run cause is in the outcomes of those that owned the run when the action was taken (rule O5).
/// - Isolation: a value.
public struct RequestOutcomes: RandomAccessCollection, Sendable {
  /// How many are kept one by one.
  package static let limit = 64

  private var entries: [(run: EffectRun, outcome: EffectOutcome)] = []
  private var unfinished = 0

  /// How many more there were, after the first 64.
  public private(set) var rest = 0

  /// Makes an empty collection.
  package init() {}

  /// Whether all finished, including those counted in ``rest``: none failed, was cancelled or dropped. An error that a
  /// `catch` handled is not a failure. `true` if there was nothing to do.
  public var allFinished: Bool { unfinished == 0 }

  /// The position of the first pair: 0.
  public var startIndex: Int { 0 }
  /// The position after the last pair that is kept.
  public var endIndex: Int { entries.count }
  /// A run or tree, and how it ended.
  ///
  /// - Parameter position: from 0, in the order in which they settled. One that is not kept traps, as in an array.
  /// - Complexity: O(1).
  public subscript(position: Int) -> (run: EffectRun, outcome: EffectOutcome) { entries[position] }

  /// Notes one that has settled.
  mutating func add(_ run: EffectRun, _ outcome: EffectOutcome) {
    if !outcome.isFinished { unfinished += 1 }
    if entries.count < Self.limit { entries.append((run, outcome)) } else { rest += 1 }
  }
}

extension RequestOutcomes: CustomStringConvertible {
  /// A line for each pair: `run("search", overlap: restart): finished`. The last line counts the ``rest``, if there is
  /// any.
  public var description: String {
    var lines = entries.map { "\($0.run): \($0.outcome)" }
    if rest > 0 { lines.append("and \(rest) more") }
    return lines.joined(separator: "\n")
  }
}
