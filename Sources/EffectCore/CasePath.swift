// This source file is part of swift-effects. License: Apache-2.0.

/// Puts a value into one case of an enum, and takes it out: like a key path, but for a case.
///
/// ```swift
/// let row = CasePath(App.Action.row)
/// let fast = CasePath(embed: App.Action.row, extract: { if case .row(let action) = $0 { action } else { nil } })
/// ```
///
/// Both are the same path. The first one reads the payload by reflection, which takes longer.
///
/// - Warning: Declare each path with a `let` of its own. Of two in one declaration, `static let a = CasePath(Action.a), b = …`,
///   the compiler gives both the function of the first, so `b` makes and finds the case `a`. It says nothing.
/// - Isolation: both closures may be called from any thread. They should be pure and fast.
/// - Laws: extracting what was embedded gives it back, and embedding what was extracted gives the root back.
/// - Origin: prisms of functional languages; `CasePath` of swift-case-paths.
public struct CasePath<Root, Value>: Sendable {
  /// Puts a value into the case.
  public let embed: @Sendable (Value) -> Root
  /// Takes the value out; `nil` for another case.
  public let extract: @Sendable (Root) -> Value?

  /// Makes a path from the two directions. The name of a case can be the first one.
  ///
  /// - Parameters:
  ///   - embed: makes the root of a value, for example `Action.row`.
  ///   - extract: gives the value back, and `nil` for another case.
  public init(
    embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.embed = embed
    self.extract = extract
  }

  /// The path on into a case of the value.
  ///
  /// - Laws: associative. Extracting gives `nil` if any case on the path is another one.
  /// - Parameter path: leads from this path's value to the inner one.
  /// - Returns: a path from this root to the inner value.
  public func appending<Leaf>(path: CasePath<Value, Leaf>) -> CasePath<Root, Leaf> {
    CasePath<Root, Leaf>(
      embed: { [embed] leaf in embed(path.embed(leaf)) },
      extract: { [extract] root in extract(root).flatMap(path.extract) })
  }
}

extension CasePath {
  /// Makes a path into a case with two values. The name of the case can be the first direction here as well.
  ///
  /// ```swift
  /// let row = CasePath(embed: App.Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  /// ```
  ///
  /// - Parameters:
  ///   - embed: makes the root of both values, for example `Action.row`.
  ///   - extract: gives both values back, and `nil` for another case.
  public init<First, Second>(
    embed: @escaping @Sendable (First, Second) -> Root, extract: @escaping @Sendable (Root) -> Value?
  ) where Value == (First, Second) {
    self.init(embed: { value in embed(value.0, value.1) }, extract: extract)
  }
}
