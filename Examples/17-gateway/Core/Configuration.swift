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
  /// The passwords of those who may sign in.
  public var users = ["ann": "secret"]

  /// The defaults.
  public init() {}

  /// How many requests may be open.
  public var mostOpen: Int { limit + waiting }

  /// When to try again after a failed call.
  ///
  /// - Parameters:
  ///   - error: how the call failed.
  ///   - attempt: how many calls have failed.
  /// - Returns: the wait, or nil to give up: because the failure would last, or because the answer would come too late.
  public func wait(after error: any Error, attempt: Int) -> Duration? {
    switch error as? UpstreamFailure {
    case .busy(let retryAfter?): retryAfter < deadline ?? .seconds(86_400) ? retryAfter : nil
    case .busy(nil), .unavailable: pause * attempt
    case .unauthorized, .notFound, .strange, nil: nil
    }
  }
}
