// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// A `cancel` reached a tree that it is itself a part of (rule E6).
///
/// It stops the rest of the tree, including the parts to the right of the `cancel`, which is usually a mistake. So it
/// is reported, once for each pair of lines and store, as an ``EffectFailure`` whose `run` describes the tree. In a
/// `TestStore` it is a test failure.
///
/// - Isolation: a value; usable from any thread.
package struct SelfCancellation: Error {
  /// What the `cancel` names, with the scopes around it.
  package let target: Cancellation
  /// The line of the `cancel`; `nil` if it was written as an enum case, as `.cancel(.everything)` is.
  package let site: CallSite?
  /// The outermost tree that it reached, described as a run is: id, overlap and line.
  package let tree: EffectRun
}

extension SelfCancellation: CustomStringConvertible {
  /// What happened, with the line of the tree, and what to do about it; ``site`` is the other line.
  package var description: String {
    "`cancel(\(target))` is a part of the tree \(tree.id.map { "\($0) " } ?? "")of "
      + "\(tree.site), which it reached: the parts of the tree that had not started were stopped. Move the `cancel` out of "
      + "the tree, in front of it."
  }

  /// Equal for a pair of lines. It does not contain the target, which may differ for each row.
  var key: String { "\(site.map { "\($0)" } ?? "cancel") in \(tree.site)" }
}
