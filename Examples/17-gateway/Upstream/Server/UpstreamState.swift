// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// How the service behaves; set at run time by `POST /control`.
public struct Control: Sendable, Codable {
  /// How long an item takes.
  public var delayMilliseconds = 20
  /// How many items a token is good for.
  public var tokenUses = Int.max
  /// For how long a token is good.
  public var tokenSeconds = 3_600
  /// The status of the next `failures` requests for an item: 401, 429 or 503.
  public var failureStatus = 503
  /// How many requests fail.
  public var failures = 0
  /// Of how many requests one fails; 0 for none.
  public var failEvery = 0
  /// The seconds of `Retry-After` of an answer with the status 429.
  public var retryAfter = 1

  /// A service that works.
  public init() {}

  /// A member that is missing has its default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func value(_ key: CodingKeys, _ standard: Int) throws -> Int {
      try values.decodeIfPresent(Int.self, forKey: key) ?? standard
    }
    self.init()
    delayMilliseconds = try value(.delayMilliseconds, delayMilliseconds)
    tokenUses = try value(.tokenUses, tokenUses)
    tokenSeconds = try value(.tokenSeconds, tokenSeconds)
    failureStatus = try value(.failureStatus, failureStatus)
    failures = try value(.failures, failures)
    failEvery = try value(.failEvery, failEvery)
    retryAfter = try value(.retryAfter, retryAfter)
    guard (200...599).contains(failureStatus) else {
      throw DecodingError.dataCorruptedError(
        forKey: .failureStatus, in: values, debugDescription: "A status is between 200 and 599.")
    }
  }
}

/// What the service has been asked.
public struct UpstreamCounts: Hashable, Sendable, Codable {
  /// Tokens that were issued.
  public var tokens = 0
  /// Requests for items.
  public var requests = 0
  /// Requests that are being answered, and the most at one time.
  public var active = 0, mostActive = 0
  /// Requests that were answered with an item.
  public var answered = 0
  /// Requests that were refused, or failed on demand.
  public var failed = 0
  /// Requests whose client has left.
  public var left = 0

  /// Nothing yet.
  public init() {}
}

/// The state of the service. Each request has one outcome.
final class UpstreamState: Sendable {
  struct Token {
    var uses: Int
    let until: ContinuousClock.Instant
  }

  enum Decision: Equatable {
    case answer(after: Duration)
    case fail(status: Int, retryAfter: Int)
  }

  private struct Values {
    var control = Control()
    var counts = UpstreamCounts()
    var tokens: [String: Token] = [:]
  }

  private let values: Mutex<Values>

  init(_ control: Control) {
    values = Mutex(Values(control: control))
  }

  var counts: UpstreamCounts { values.withLock { $0.counts } }
  var control: Control {
    get { values.withLock { $0.control } }
    set { values.withLock { $0.control = newValue } }
  }

  func issueToken() -> String {
    values.withLock { values in
      values.counts.tokens += 1
      let now = ContinuousClock.now
      values.tokens = values.tokens.filter { $0.value.until > now && $0.value.uses > 0 }
      let name = "token-\(values.counts.tokens)"
      values.tokens[name] = Token(uses: values.control.tokenUses, until: now + .seconds(values.control.tokenSeconds))
      return name
    }
  }

  func begin(_ token: String) -> Decision {
    values.withLock { values in
      values.counts.requests += 1
      guard let known = values.tokens[token], known.uses > 0, known.until > .now else {
        values.counts.failed += 1
        return .fail(status: 401, retryAfter: 0)
      }
      values.tokens[token]?.uses -= 1
      let every = values.control.failEvery
      let isChosen = every > 0 && values.counts.requests.isMultiple(of: every)
      if values.control.failures > 0 || isChosen {
        if !isChosen { values.control.failures -= 1 }
        values.counts.failed += 1
        return .fail(status: values.control.failureStatus, retryAfter: values.control.retryAfter)
      }
      values.counts.active += 1
      values.counts.mostActive = max(values.counts.mostActive, values.counts.active)
      return .answer(after: .milliseconds(values.control.delayMilliseconds))
    }
  }

  func end(hasLeft: Bool) {
    values.withLock { values in
      values.counts.active -= 1
      if hasLeft { values.counts.left += 1 } else { values.counts.answered += 1 }
    }
  }
}
