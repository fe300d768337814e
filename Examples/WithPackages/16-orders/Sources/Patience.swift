// This source file is part of swift-effects. License: Apache-2.0.

/// Tries again what fails: up to `attempts` times while the server is away, and up to five times if it is refused. For code
/// without the framework.
func patiently<Value>(_ attempts: Int, _ body: () async throws -> Value) async throws -> Value {
  var attempt = 1
  while true {
    do {
      return try await body()
    } catch {
      guard attempt < (error is Outage ? attempts : min(5, attempts)) else { throw error }
      let wait = Duration.milliseconds(min(1000, 50 << min(attempt - 1, 5)))
      try await Task.sleep(for: wait * Double.random(in: 0.5...1))
      attempt += 1
    }
  }
}
