// This source file is part of swift-effects. License: Apache-2.0.

/// Who may call the upstream service.
public struct AccessToken: Hashable, Sendable {
  /// Sent in the header `Authorization`.
  public let value: String

  /// A token of the upstream service.
  public init(_ value: String) { self.value = value }

  /// A token as it was received; nil if it cannot be sent in a header.
  public init?(received value: String) {
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    self.value = value
  }
}

/// Why the upstream service has no item.
public enum UpstreamFailure: Error, Hashable, Sendable {
  /// It does not accept the token: it has expired.
  case unauthorized
  /// It asks for a pause, of this length if it says so.
  case busy(retryAfter: Duration?)
  /// It is not there, or says that it cannot answer now.
  case unavailable
  /// It has no such item.
  case notFound
  /// It has answered what it should not.
  case strange(status: Int)
  /// The call is not possible, or its answer cannot be read.
  case broken(String)

  /// Any failure of a call.
  public init(_ error: any Error) {
    self = error as? UpstreamFailure ?? .broken("\(error)")
  }
}

/// The calls of the upstream service. A call ends early if its task is cancelled.
public struct UpstreamClient: Sendable {
  /// Gets a new token.
  public var signIn: @Sendable () async throws -> AccessToken
  /// Gets an item.
  public var item: @Sendable (_ name: String, _ token: AccessToken) async throws -> String

  /// A client that makes its calls with these closures.
  public init(
    signIn: @escaping @Sendable () async throws -> AccessToken,
    item: @escaping @Sendable (_ name: String, _ token: AccessToken) async throws -> String
  ) {
    self.signIn = signIn
    self.item = item
  }
}
