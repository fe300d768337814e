// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Cancelling and naming

extension Effect {
  /// Cancels the runs and trees of an id, running and queued.
  ///
  /// - Ordering: acts when it is interpreted, before anything to its right and after everything to its left. After
  ///   that no action of a cancelled run is ever reduced, not even one already sent (rule E1).
  /// - Cancellation: a queued run never starts; a run that was asked for earlier in the same turn does not either.
  /// - Errors: what a cancelled run throws is swallowed (rule E4). An id with no live work is nothing to cancel.
  /// - Complexity: O(work cancelled).
  public static func cancel(id: EffectID) -> Effect {
    .cancel(.id(id))
  }

  /// Cancels the runs and trees of an id, running and queued; see ``cancel(id:)-(EffectID)``.
  ///
  /// An optional id means the id in it; without one there is nothing to cancel.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    guard let id = EffectID.unwrapping(id) else { return .none }
    return .cancel(.id(id))
  }

  /// Cancels all work inside a scope: what `effect.scoped(scope)` started, with an id or without, at any depth.
  ///
  /// - Ordering: acts when it is interpreted, as ``cancel(id:)-(EffectID)`` does. Sequences in the scope stop between two
  ///   parts, except those that this effect is itself a part of.
  /// - Complexity: O(work in the scope), whatever else lives.
  public static func cancel(scope: some Hashable & Sendable) -> Effect {
    guard let scope = EffectID.unwrapping(scope) else { return .none }
    return .cancel(.scope(scope))
  }

  /// Cancels the runs and trees of several ids, in no particular order; see ``cancel(id:)-(EffectID)``.
  public static func cancel(ids: some Sequence<some Hashable & Sendable>) -> Effect {
    .cancel(.ids(Set(ids.compactMap { EffectID.unwrapping($0) })))
  }

  /// Puts the whole effect under one id: one policy decides about it, one cancel stops all of it.
  ///
  /// - Ordering: the overlap is decided before anything inside is interpreted. While the tree waits in a queue, its
  ///   `send`s and `cancel`s wait with it; when it is cancelled or dropped, so are they.
  /// - Cancellation: stops every part, including those that have not been interpreted yet. Runs inside keep their own
  ///   ids as well.
  /// - Complexity: O(1). `none` stays `none`; a single run without an id simply gets this one.
  public func cancellable(
    id: EffectID, overlap: Overlap, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    switch self {
    case .none: .none
    case .run(let operation) where operation.isPlain: .run(operation.named(id, overlap: overlap))
    default: .tree(self, label: TreeLabel(id: id, overlap: overlap, site: CallSite(fileID: fileID, line: line)))
    }
  }

  /// Puts the whole effect under one id; see ``cancellable(id:overlap:fileID:line:)-(EffectID,_,_,_)``.
  ///
  /// An optional id means the id in it; without one the effect stays as it is.
  public func cancellable(
    id: some Hashable & Sendable, overlap: Overlap, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    guard let id = EffectID.unwrapping(id) else { return self }
    return cancellable(id: id, overlap: overlap, fileID: fileID, line: line)
  }
}
