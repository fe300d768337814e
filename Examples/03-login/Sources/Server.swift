// This source file is part of swift-effects. License: Apache-2.0.

/// A server in memory, which takes a while and counts the sessions it opens.
actor Server {
  private(set) var opened = 0
  private(set) var counted: [String] = []
  private var isReachable = true

  func open(_ name: String, _ password: Password) async throws -> Session {
    try await Task.sleep(for: .milliseconds(50))
    guard isReachable else { throw Problem.networkDown }
    guard password == Password("swordfish") else { throw Problem.wrongPassword }
    opened += 1
    return Session(number: opened, name: name)
  }

  func count(_ event: String) {
    counted.append(event)
  }

  func setReachable(_ isReachable: Bool) {
    self.isReachable = isReachable
  }
}
