// This source file is part of swift-effects. License: Apache-2.0.

/// How a request for an item ends.
public enum Answer: Hashable, Sendable {
  /// The item.
  case item(String)
  /// The upstream service has no such item.
  case notFound
  /// Too many requests are open.
  case refused(retryAfter: Duration)
  /// The upstream service is busy or away, also at the last attempt.
  case busy(retryAfter: Duration?)
  /// There was no answer before the deadline.
  case late
  /// The upstream service does what it should not. The text is for the log: it can name addresses.
  case failed(String)
  /// The gateway is shut down.
  case leaving
  /// The client has left, so no code reads this answer.
  case gone

  /// What a client gets for a call that has failed for good.
  ///
  /// - Parameter failure: how it failed.
  public init(_ failure: UpstreamFailure) {
    self =
      switch failure {
      case .busy(let retryAfter): .busy(retryAfter: retryAfter)
      case .unavailable: .busy(retryAfter: nil)
      case .notFound: .notFound
      case .unauthorized: .failed("The upstream service does not accept its own token.")
      case .strange(let status): .failed("The upstream service has answered with the status \(status).")
      case .broken(let problem): .failed("The upstream service could not be called: \(problem)")
      }
  }

  /// The status of HTTP.
  public var status: Int {
    switch self {
    case .item: 200
    case .notFound: 404
    case .failed: 502
    case .refused, .busy, .leaving, .gone: 503
    case .late: 504
    }
  }

  /// The body.
  public var text: String {
    switch self {
    case .item(let text): text
    case .notFound: "There is no such item."
    case .refused: "Too many requests are open. Try again later."
    case .busy: "The upstream service is busy. Try again later."
    case .late: "The upstream service has not answered in time."
    case .failed: "The upstream service has failed."
    case .leaving: "The gateway is shut down."
    case .gone: "The client has left."
    }
  }

  /// The seconds of the header `Retry-After`.
  public var retryAfter: Int? {
    switch self {
    case .refused(let wait), .busy(let wait?): max(1, Int((wait / .seconds(1)).rounded(.up)))
    case .busy, .leaving: 1
    case .item, .notFound, .late, .failed, .gone: nil
    }
  }
}
