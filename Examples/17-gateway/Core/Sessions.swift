// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// The clients that have signed in.
final class Sessions: Sendable {
  private struct Open {
    var tokens: Set<String> = []
    /// Oldest first.
    var order: [String] = []
  }

  /// What a sign-in leads to.
  enum SignIn: Equatable {
    case session(String)
    case wrong
    /// There were too many wrong passwords. The right one is refused, too, or guessing would go on.
    case refused(retryAfter: Duration)
  }

  private struct Guesses {
    var count = 0
    let first: ContinuousClock.Instant
  }

  /// For each user: a user who signs in often does not end the sessions of others.
  private static let most = 1_000
  /// How many wrong passwords a name may have in this time.
  static let guesses = (most: 10, within: Duration.seconds(60))
  private let users: [String: String]
  private let open: Mutex<[String: Open]> = Mutex([:])
  /// By name. All names without a user share one entry, so that there are never more than users, and one.
  private let wrong: Mutex<[String?: Guesses]> = Mutex([:])

  init(users: [String: String]) {
    self.users = users
  }

  /// A new session, if the password is right. If the user has too many, the oldest ends.
  func signIn(_ name: String, _ password: String, at now: ContinuousClock.Instant = .now) -> SignIn {
    let user = users[name]
    let refusal: SignIn? = wrong.withLock { wrong in
      let key = user == nil ? nil : name
      var guesses = wrong[key] ?? Guesses(first: now)
      if guesses.first + Self.guesses.within <= now { guesses = Guesses(first: now) }
      guard guesses.count < Self.guesses.most else {
        return .refused(retryAfter: guesses.first + Self.guesses.within - now)
      }
      if user == password { return nil }
      guesses.count += 1
      wrong[key] = guesses
      return .wrong
    }
    return refusal ?? .session(begin(name))
  }

  private func begin(_ name: String) -> String {
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
