// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// A mistake in how an id and its overlap are used, found when work arrived that met other work (rules O1, O4 and E6).
///
/// It is reported once for each pair of lines and store, as an ``EffectFailure`` whose `run` is the newer work. Nothing is
/// cancelled because of it. In a `TestStore` it is a test failure. Its description says what happened, and what to write.
///
/// - Isolation: a value; usable from any thread.
package struct OverlapConflict: Error {
  /// What is wrong.
  package enum Problem: Hashable, Sendable {
    /// Two lines use one id with different overlaps. The overlap of the work that arrives last is applied, so the result
    /// depends on the order of arrival. Limits and the other arguments of an overlap are not compared.
    case otherOverlap
    /// Work is inside a tree of its id. It is a part of this tree, and has no id of its own.
    case insideItself
    /// A run's action started work that was dropped, or joined the run, because the run itself holds the slot.
    case ownCause
    /// A tree declares `.join`. A tree is not shared: it waits, as with `.enqueue`.
    case joinedTree
  }

  /// What is wrong.
  package let problem: Problem
  /// The work that arrived.
  package let newer: EffectRun
  /// The work that it met: of the same id, or the tree around it. For a tree that declares `.join` it is this tree.
  package let older: EffectRun

  init(_ problem: Problem, newer: EffectRun, older: EffectRun) {
    self.problem = problem
    self.newer = newer
    self.older = older
  }
}

extension OverlapConflict: CustomStringConvertible {
  /// Both lines, and what to do about it.
  package var description: String {
    switch problem {
    case .otherOverlap: "\(newer) met \(older) of \(older.site): \(summary). \(advice)"
    case .insideItself: "\(newer) is inside \(older) of \(older.site): \(summary). \(advice)"
    case .ownCause: "\(newer) was started by an action of \(older) of \(older.site): \(summary). \(advice)"
    case .joinedTree: "\(newer): \(summary). \(advice)"
    }
  }

  /// What is wrong, in a few words.
  package var summary: String {
    switch problem {
    case .otherOverlap: "two overlaps under one id, \(newer.overlap) and \(older.overlap)"
    case .insideItself: "work inside a tree of its id"
    case .ownCause:
      "the run that causes it holds the slot, so it was \(newer.overlap.kind == .join ? "joined" : "dropped")"
    case .joinedTree: "a tree cannot be joined"
    }
  }

  /// What to do about it.
  package var advice: String {
    switch problem {
    case .otherOverlap:
      "The overlap of the last to arrive is applied, so the result depends on their order. Use one overlap for an id, "
        + "or two ids."
    case .insideItself:
      "It is a part of the tree and has no id of its own: the overlap does not decide about it. Remove its id, or give it "
        + "another one."
    case .ownCause:
      "Use `.restart` (the run is replaced), `.enqueue` or `.keepLatest` (the new run waits until it has ended), or another "
        + "id."
    case .joinedTree:
      "It waits, as with `.enqueue`. Declare `.enqueue`, or `.join` at a run."
    }
  }

  /// Equal for a pair of lines, whichever came first.
  var key: String {
    let key = Self.key(newer.site, older.site)
    return problem == .otherOverlap ? key : "\(problem) \(key)"
  }

  /// The key of a pair of lines with different overlaps.
  static func key(_ one: CallSite, _ other: CallSite) -> String {
    let sites = [one.description, other.description].sorted()
    return "\(sites[0])|\(sites[1])"
  }
}
