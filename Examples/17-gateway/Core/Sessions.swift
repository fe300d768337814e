// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// The clients that have signed in.
final class Sessions: Sendable {
  private struct Open {
    var tokens: Set<String> = []
    /// Oldest first.
    var order: [String] = []
  }

  private static let most = 10_000
  private let users: [String: String]
  private let open = Mutex(Open())

  init(users: [String: String]) {
    self.users = users
  }

  /// A new session, or nil if the password is wrong. If there are too many, the oldest ends.
  func signIn(_ name: String, _ password: String) -> String? {
    guard users[name] == password else { return nil }
    var random = SystemRandomNumberGenerator()
    let token = (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
    open.withLock { open in
      if open.order.count == Self.most { open.tokens.remove(open.order.removeFirst()) }
      open.tokens.insert(token)
      open.order.append(token)
    }
    return token
  }

  func contains(_ authorization: String?) -> Bool {
    guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
    return open.withLock { $0.tokens.contains(String(authorization.dropFirst("Bearer ".count))) }
  }
}
