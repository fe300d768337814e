// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Pages: animation, transaction, withanimation(_:_:), withtransaction(_:_:), previewprovider. See View.swift.

/// `struct Animation`.
public struct Animation: Hashable, Sendable {
  public static let `default` = Animation()
}

/// `struct Transaction`.
public struct Transaction: Sendable {
  public var animation: Animation?
  public init(animation: Animation?) { self.animation = animation }

  /// The one in which present changes are made.
  @TaskLocal static var present: Transaction?
}

/// `func withAnimation`.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
  try withTransaction(Transaction(animation: animation), body)
}

/// `func withTransaction`.
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
  try Transaction.$present.withValue(transaction, operation: body)
}

/// `protocol PreviewProvider`.
@MainActor @preconcurrency
public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}
