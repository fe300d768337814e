// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// A written `cancel` or `flush` by id or ids that matched nothing (rule V1).
///
/// Often this is correct: there was nothing to cancel. Check it when work continues that should have been cancelled:
/// maybe an id is misspelt, or is in another scope.
///
/// - Isolation: a value; usable from any thread.
public struct UnmatchedEffect: Hashable, Sendable {
  /// What the effect does to the work of its ids.
  public enum Operation: String, Hashable, Sendable {
    /// Cancels it.
    case cancel
    /// Cancels its work that has not started.
    case cancelQueued
    /// Ends its wait.
    case flush
  }

  /// What the effect does.
  public let operation: Operation
  /// The ids it names, with the scopes around them. None of them had work that it could reach.
  public let ids: Set<EffectID>

  /// Makes a description of an effect.
  package init(_ operation: Operation, _ ids: Set<EffectID>) {
    self.operation = operation
    self.ids = ids
  }
}

extension UnmatchedEffect: CustomStringConvertible {
  /// A short text: `cancel "serach" matched nothing`.
  public var description: String {
    let word =
      switch operation {
      case .cancel: "cancel"
      case .cancelQueued: "cancel queued:"
      case .flush: "flush"
      }
    return "\(word) \(idList) matched nothing"
  }

  /// The ids in the order of their texts.
  package var idList: String { ids.map(\.description).sorted().joined(separator: ", ") }
}
