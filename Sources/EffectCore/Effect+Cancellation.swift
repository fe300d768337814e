// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Cancelling and naming

extension Effect {
  /// Cancels the runs and trees of an id, active and queued.
  ///
  /// - Ordering: acts when it is interpreted, before anything to its right and after everything to its left. After
  ///   that no action of a cancelled run is ever reduced, not even one already sent (rule E1).
  /// - Cancellation: a queued run never starts; a run that was registered earlier in the same turn does not either. A part to come
  ///   of a `concatenate` is not reached by its own id; if nothing else has the id, a test shows a warning.
  /// - Errors: what a cancelled run throws is ignored (rule E4). If the id has no active or queued work, nothing is
  ///   cancelled, and a trace gets an event (rule V1). A cancel inside a tree that it reaches stops the rest of that
  ///   tree, and is reported as misuse (rule E6).
  /// - Complexity: O(work cancelled).
  ///
  /// - Parameters:
  ///   - id: the id, without the scopes around the effect. An optional is used by its value; `nil` cancels nothing.
  ///   - fileID: the file that a report about this cancel names.
  ///   - line: likewise.
  /// - Returns: the effect.
  public static func cancel(
    id: some Hashable & Sendable, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    guard let id = EffectID.unwrapping(id) else { return .none }
    return .cancel(.id(id.at(fileID, line)))
  }

  /// Cancels all work inside a scope: what `effect.scoped(scope)` started, with an id or without, at any depth.
  ///
  /// - Ordering: acts when it is interpreted, as ``cancel(id:fileID:line:)`` does. Sequences in the scope stop
  ///   between two parts, except those that this effect is itself a part of.
  /// - Complexity: O(work in the scope), whatever else is active.
  /// - Parameters:
  ///   - scope: what `scoped` was given, or the key path of a combinator's child; without the scopes around this
  ///     effect.
  ///   - fileID: the file that a report about this cancel names.
  ///   - line: likewise.
  /// - Returns: the effect.
  public static func cancel(
    scope: some Hashable & Sendable, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    guard let scope = EffectID.unwrapping(scope) else { return .none }
    return .cancel(.scope(scope.at(fileID, line)))
  }

  /// Cancels the runs and trees of several ids, in no particular order; see ``cancel(id:fileID:line:)``.
  ///
  /// - Complexity: O(work cancelled), plus the number of ids.
  /// - Parameters:
  ///   - ids: the ids, without the scopes around the effect. If there are none, the effect does nothing.
  ///   - fileID: the file that a report about this cancel names.
  ///   - line: likewise.
  /// - Returns: the effect.
  public static func cancel(
    ids: some Sequence<some Hashable & Sendable>, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    .cancel(.ids(Set(ids.compactMap { EffectID.unwrapping($0)?.at(fileID, line) })))
  }

  /// Puts the whole effect under one id: one policy decides about it, one cancel stops all of it.
  ///
  /// - Ordering: the overlap is decided before anything inside is interpreted. While the tree waits in a queue, its
  ///   `send`s and `cancel`s wait with it; if the tree is cancelled or dropped, they are too.
  /// - Cancellation: stops every part, including those that have not been interpreted yet. Runs inside keep their own
  ///   ids as well. Work inside with the id of this tree is a part of it and has no id of its own, which is reported
  ///   (rule E6). The status counts the tree once.
  /// - Complexity: O(1). `none` stays `none`; a single run without an id simply gets this one.
  /// - Parameters:
  ///   - id: the name by which the whole is cancelled and queried. An optional is used by its value; with `nil` the effect stays
  ///     as it is.
  ///   - overlap: what happens when other work of the id is active.
  ///   - fileID: the file that a report about this tree names.
  ///   - line: likewise.
  /// - Returns: the effect as one tree.
  public func cancellable(
    id: some Hashable & Sendable, overlap: Overlap, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    guard let id = EffectID.unwrapping(id) else { return self }
    return switch self {
    case .none: .none
    case .run(let operation) where operation.isPlain: .run(operation.named(id, overlap: overlap))
    default: .tree(self, label: TreeLabel(id: id, overlap: overlap, site: CallSite(fileID: fileID, line: line)))
    }
  }
}
