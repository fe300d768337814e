// This source file is part of swift-effects. License: Apache-2.0.

/// When a run starts and how long it may take: what the time modifiers of an effect say.
///
/// The stages have a fixed order, whatever the order of the modifiers: the window (debounce or throttle) lets the run
/// through, the delay passes, the id's overlap decides. Then come the attempts, each with its own time limit.
@usableFromInline
package final class RunTiming: Sendable {
  /// What decides which of many runs of an id get through.
  package enum Window: Hashable, Sendable {
    case debounce(for: Duration, maxWait: Duration?)
    case throttle(for: Duration, trailing: Bool)
  }

  /// How often, and after which waits, an attempt that failed is made again.
  package struct Retry: Sendable {
    package let attempts: Int
    package let backoff: Backoff
    package let jitter: Jitter
    package let seed: UInt64
    package let condition: @Sendable (any Error) -> Bool

    /// How long to wait after an attempt has failed; attempts are counted from 1.
    package func wait(after attempt: Int) -> Duration {
      jitter.apply(to: backoff.wait(after: attempt), seed: seed, attempt: attempt)
    }
  }

  package let window: Window?
  package let delay: Duration?
  package let limit: Duration?
  package let retry: Retry?
  /// Why the run is not started at all, but reported. It is stored here because most runs have no timing, and so need
  /// no check.
  package let refusal: MissingChild?

  package init(
    window: Window? = nil, delay: Duration? = nil, limit: Duration? = nil, retry: Retry? = nil,
    refusal: MissingChild? = nil
  ) {
    self.refusal = refusal
    self.window = window
    self.delay = delay
    self.limit = limit
    self.retry = retry
  }

  /// The same timing, with the values of `newer` where it has any.
  func overridden(by newer: RunTiming) -> RunTiming {
    RunTiming(
      window: newer.window ?? window, delay: newer.delay ?? delay, limit: newer.limit ?? limit,
      retry: newer.retry ?? retry, refusal: newer.refusal ?? refusal)
  }
}

extension RunTiming: Equatable {
  /// Compares everything but the condition of a retry, which is a closure.
  @usableFromInline
  package static func == (left: RunTiming, right: RunTiming) -> Bool {
    left.window == right.window && left.delay == right.delay && left.limit == right.limit
      && left.retry?.attempts == right.retry?.attempts && left.retry?.backoff == right.retry?.backoff
      && left.retry?.jitter == right.retry?.jitter && left.retry?.seed == right.retry?.seed
      && (left.refusal == nil) == (right.refusal == nil)
  }
}

extension RunTiming: CustomStringConvertible {
  /// As it is written behind a run: `.debounce(for: 0.3 seconds).timeout(after: 5.0 seconds)`.
  @usableFromInline package var description: String {
    var text = window.map { ".\($0)" } ?? ""
    if let delay { text += ".delay(for: \(delay))" }
    if let limit { text += ".timeout(after: \(limit))" }
    if let retry { text += ".\(retry)" }
    return text
  }
}

extension RunTiming.Window: CustomStringConvertible {
  package var description: String {
    switch self {
    case .debounce(let duration, nil): "debounce(for: \(duration))"
    case .debounce(let duration, let maxWait?): "debounce(for: \(duration), maxWait: \(maxWait))"
    case .throttle(let duration, true): "throttle(for: \(duration))"
    case .throttle(let duration, false): "throttle(for: \(duration), trailing: false)"
    }
  }
}

extension RunTiming.Retry: CustomStringConvertible {
  package var description: String {
    var arguments = ["attempts: \(attempts)"]
    if backoff != .none { arguments.append("backoff: \(backoff)") }
    if jitter != .none { arguments.append("jitter: \(jitter), seed: \(seed)") }
    return "retry(\(arguments.joined(separator: ", ")))"
  }
}
