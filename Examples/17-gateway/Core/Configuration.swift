// This source file is part of swift-effects. License: Apache-2.0.

/// What both gateways promise.
public struct Configuration: Sendable {
  /// How many calls of the upstream service may be active at once.
  public var limit = 16
  /// How many more requests may be open. A further one is refused.
  public var waiting = 64
  /// The time from the arrival of a request to its answer, with all waits; nil for no limit.
  public var deadline: Duration? = .seconds(2)
  /// How often the upstream service is called for one request, at most.
  public var attempts = 3
  /// The wait after a failure that says nothing about waiting; longer after each attempt.
  public var pause = Duration.milliseconds(50)
  /// How long a refused client should wait.
  public var retryAfter = Duration.seconds(1)
  /// How long a shutdown waits for the answers of requests that were accepted.
  public var drain = Duration.seconds(5)
  /// How many connections of clients may be open, if there are so many file descriptors.
  public var connections = 1_000
  /// How many of them may be event streams. A further one is refused.
  public var streams = 100
  /// How long a connection may be open without a whole request, or not take its answer.
  public var patience = Duration.seconds(10)
  /// The passwords of those who may sign in.
  public var users = ["ann": "secret"]

  /// The defaults.
  public init() {}

  /// How many requests may be open.
  public var mostOpen: Int { limit + waiting }

  /// When to try again after a failed call.
  ///
  /// - Parameters:
  ///   - failure: how the call failed.
  ///   - attempt: how many calls have failed.
  ///   - passed: the time since the request has arrived.
  /// - Returns: the wait, or nil to give up: because the failure would last, or because the answer would come too late.
  public func wait(after failure: UpstreamFailure, attempt: Int, passed: Duration) -> Duration? {
    guard attempt < attempts else { return nil }
    let wait: Duration
    switch failure {
    case .busy(let retryAfter): wait = max(retryAfter ?? .zero, pause * attempt)
    case .unavailable: wait = pause * attempt
    case .unauthorized, .notFound, .strange, .broken: return nil
    }
    guard let deadline else { return wait }
    return passed + wait < deadline ? wait : nil
  }
}
