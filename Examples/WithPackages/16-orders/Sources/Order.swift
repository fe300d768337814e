// This source file is part of swift-effects. License: Apache-2.0.

/// An order that this process has taken.
struct Order: Hashable, Sendable, Identifiable {
  let id: Int
  /// How often it was taken. Who has a smaller number has lost it.
  let attempt: Int
}

/// What a worker needs from outside.
struct Services: Sendable {
  /// Takes up to this many orders that no process has, or whose lease has expired.
  var take: @Sendable (_ limit: Int) async throws -> [Order]
  /// Extends the leases, and returns the orders that this process still has.
  var renew: @Sendable ([Order]) async throws -> [Order]
  /// Something outside of the database. It may be called again for the same order, so it gets a key.
  var call: @Sendable (_ key: Int) async throws -> Void
  /// Commits the result and the mark in one transaction; false if another process has the order now.
  var finish: @Sendable (Order) async throws -> Bool
  /// Sets the order aside with what went wrong: no process takes it any more.
  var park: @Sendable (Order, _ problem: String) async throws -> Void
  /// An element for new orders, from the return of the call on. Ends when the connection is lost.
  var news: @Sendable () async throws -> AsyncStream<Void>
}
