// This source file is part of swift-effects. License: Apache-2.0.

/// A server in memory. It takes a while, and very long for a photo.
actor Server {
  struct NetworkDown: Error, CustomStringConvertible {
    let description = "no network"
  }

  private(set) var asked = 0
  private var isReachable = true

  func person() async throws -> Person {
    asked += 1
    try await Task.sleep(for: .milliseconds(50))
    guard isReachable else { throw NetworkDown() }
    return Person(name: "Ann")
  }

  func photo(of person: Person) async throws -> Photo {
    try await Task.sleep(for: .seconds(60))
    return Photo(face: "(^_^)")
  }

  func setReachable(_ isReachable: Bool) {
    self.isReachable = isReachable
  }
}
