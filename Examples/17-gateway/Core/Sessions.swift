// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// The clients that have signed in.
final class Sessions: Sendable {
  private struct Open {
    var tokens: Set<String> = []
    /// Oldest first.
    var order: [String] = []
  }

  /// For each user: a user who signs in often does not end the sessions of others.
  private static let most = 1_000
  private let users: [String: String]
  private let open: Mutex<[String: Open]> = Mutex([:])

  init(users: [String: String]) {
    self.users = users
  }

  /// A new session, or nil if the password is wrong. If the user has too many, the oldest ends.
  func signIn(_ name: String, _ password: String) -> String? {
    guard users[name] == password else { return nil }
    var random = SystemRandomNumberGenerator()
    let token = (0..<2).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
    open.withLock { open in
      var ofUser = open.removeValue(forKey: name) ?? Open()
      if ofUser.order.count == Self.most { ofUser.tokens.remove(ofUser.order.removeFirst()) }
      ofUser.tokens.insert(token)
      ofUser.order.append(token)
      open[name] = ofUser
    }
    return token
  }

  func contains(_ authorization: String?) -> Bool {
    guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
    let token = String(authorization.dropFirst("Bearer ".count))
    return open.withLock { open in open.values.contains { $0.tokens.contains(token) } }
  }
}
