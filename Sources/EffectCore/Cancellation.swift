// This source file is part of swift-effects. License: Apache-2.0.

/// What a `cancel` effect reaches.
///
/// Each case reaches active and queued runs (rule E3). Inside a feature that was `scoped`, each
/// case, also `everything`, reaches only work of that scope.
public indirect enum Cancellation: Sendable {
  /// The runs and trees of one id.
  case id(EffectID)
  /// The runs and trees of any of these ids.
  case ids(Set<EffectID>)
  /// All work inside a scope: what `effect.scoped(scope)` started, with an id or without, at any depth.
  case scope(EffectID)
  /// The runs and trees whose id satisfies a predicate, inside a scope where one is given.
  case matching(IDPredicate, scope: EffectID?)
  /// All work of the store.
  case everything

  /// All work whose id is a `Value`, and satisfies a condition where one is given.
  ///
  /// ```swift
  /// .cancel(.all(of: DownloadID.self) { $0.host == host })
  /// ```
  ///
  /// - Complexity: cancelling by it is O(active ids of the scope).
  ///
  /// - Parameters:
  ///   - type: the type of the ids.
  ///   - fileID: the file that a report about this cancel names.
  ///   - line: likewise.
  ///   - condition: which ids of the type are meant.
  /// - Returns: the cancellation.
  public static func all<Value: Hashable & Sendable>(
    of type: Value.Type, fileID: StaticString = #fileID, line: UInt = #line,
    where condition: @escaping @Sendable (Value) -> Bool = { _ in true }
  ) -> Cancellation {
    let site = CallSite(fileID: fileID, line: line)
    return .matching(IDPredicate(type: type, site: site, condition: condition), scope: nil)
  }

  /// The line that built the cancellation; `nil` for one that was written as an enum case.
  package var site: CallSite? {
    switch self {
    case .id(let id), .scope(let id): id.site
    // All of them were built by one line.
    case .ids(let ids): ids.first?.site
    case .matching(let predicate, _): predicate.site
    case .everything: nil
    }
  }

  /// The same cancellation for work that lies inside one more scope.
  package func scoped(by scope: EffectID) -> Cancellation {
    switch self {
    case .id(let id): .id(id.inside(scope))
    case .ids(let ids): .ids(Set(ids.map { $0.inside(scope) }))
    case .scope(let inner): .scope(inner.inside(scope))
    case .matching(let predicate, let inner): .matching(predicate, scope: inner?.inside(scope) ?? scope)
    case .everything: .scope(scope)
    }
  }
}

/// A condition on the values of one type of id; made by ``Cancellation/all(of:fileID:line:where:)``.
public struct IDPredicate: Sendable {
  /// The type whose values the condition is about.
  fileprivate let typeName: String
  /// The line that built it.
  package let site: CallSite
  private let matches: @Sendable (EffectID) -> Bool

  init<Value: Hashable & Sendable>(type: Value.Type, site: CallSite, condition: @escaping @Sendable (Value) -> Bool) {
    typeName = ValueDescription.of(type)
    self.site = site
    matches = { id in id.value(as: Value.self).map(condition) ?? false }
  }

  /// Whether the id's value has the type and satisfies the condition.
  ///
  /// - Parameter id: the id, with or without scopes around it; the condition sees the value without them.
  package func callAsFunction(_ id: EffectID) -> Bool {
    matches(id)
  }
}

extension Cancellation: CustomStringConvertible {
  /// As it is printed in the description of an effect.
  public var description: String {
    switch self {
    case .id(let id): "\(id)"
    // Sets have no fixed order; a description needs one.
    case .ids(let ids): "[\(ids.map(\.description).sorted().joined(separator: ", "))]"
    case .scope(let scope): "scope: \(scope)"
    case .matching(let predicate, nil): "all of \(predicate.typeName)"
    case .matching(let predicate, let scope?): "all of \(predicate.typeName), scope: \(scope)"
    case .everything: "everything"
    }
  }
}
