// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// A written `cancel` by id or ids that matched nothing (rule V1).
///
/// Often this is correct: there was nothing to cancel. Check it when work continues that should have been cancelled:
/// maybe an id is misspelt, or is in another scope. The text names the ids, and an active one that resembles them.
///
/// - Isolation: a value; usable from any thread.
public struct UnmatchedCancel: Hashable, Sendable {
  /// The ids it names, with the scopes around them. None of them had work that it could reach.
  package let ids: Set<EffectID>
  /// Ids of active or waiting work that differ only by further scopes: the work of children, which a cancel of a parent
  /// does not reach.
  package let idsInside: Set<EffectID>
  /// The line of work of these ids that begins later, in a part to come of a `concatenate` or in a tree that is queued. Known
  /// only in a test store.
  package let laterWork: String?
  /// Ids of active or waiting work that resemble one of the cancel.
  package let similarIDs: Set<EffectID>

  /// Makes a description of a cancel.
  package init(
    _ ids: Set<EffectID>, inside: Set<EffectID> = [], similar: Set<EffectID> = [], later: String? = nil
  ) {
    self.ids = ids
    idsInside = inside
    similarIDs = similar
    laterWork = later
  }
}

extension UnmatchedCancel: CustomStringConvertible {
  /// A short text: `cancel "serach" matched nothing; did you mean "search"?`.
  public var description: String {
    let meant = similarIDs.map(\.description).min()
    return "cancel \(idList) matched nothing\(meant.map { "; did you mean \($0)?" } ?? "")"
  }

  /// The ids in the order of their texts.
  package var idList: String { ids.map(\.description).sorted().joined(separator: ", ") }
}
