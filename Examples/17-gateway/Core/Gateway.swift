// This source file is part of swift-effects. License: Apache-2.0.

public import ServiceLifecycle

/// What a gateway does at a moment, and has done.
public struct Counts: Hashable, Sendable, Codable {
  /// Requests whose upstream call is active.
  public var active = 0
  /// Requests that wait, for a place or for the token.
  public var queued = 0
  /// Requests that were refused because too many were open.
  public var refused = 0
  /// Requests that have their answer, refusals included.
  public var answered = 0
  /// Tokens that were received.
  public var tokens = 0
  /// Whether a shutdown has begun.
  public var isLeaving = false

  /// A gateway that has done nothing yet.
  public init() {}
}

/// A gateway as the front end sees it: how it works is not to be seen.
public struct Gateway: Sendable {
  /// Answers a request for an item. Cancelling the task cancels the upstream call.
  public var get: @Sendable (_ name: String) async -> Answer
  /// The counts of this moment.
  public var counts: @Sendable () async -> Counts
  /// The counts, now and after each change; the newest only, if they are read slowly.
  public var changes: @Sendable () -> AsyncStream<Counts>
  /// Refuses new requests and waits until the open ones are answered, or cancels them after the time.
  public var drain: @Sendable (_ limit: Duration) async -> Void

  /// A gateway that consists of these closures.
  public init(
    get: @escaping @Sendable (_ name: String) async -> Answer,
    counts: @escaping @Sendable () async -> Counts,
    changes: @escaping @Sendable () -> AsyncStream<Counts>,
    drain: @escaping @Sendable (_ limit: Duration) async -> Void
  ) {
    self.get = get
    self.counts = counts
    self.changes = changes
    self.drain = drain
  }
}

/// The life of a gateway. It belongs behind the server in a `ServiceGroup`: so it is shut down before the server, which
/// still delivers the answers.
public struct GatewayService: Service {
  let gateway: Gateway
  let drain: Duration

  /// The life of this gateway.
  public init(_ gateway: Gateway, _ configuration: Configuration) {
    self.gateway = gateway
    self.drain = configuration.drain
  }

  /// Returns when a graceful shutdown has begun and all accepted requests are answered.
  public func run() async throws {
    try await gracefulShutdown()
    await gateway.drain(drain)
  }
}
