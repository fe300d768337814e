// This source file is part of swift-effects. License: Apache-2.0.

/// When a run starts and how long it may take: what the time modifiers of an effect say.
///
/// The stages have a fixed order, whatever the order of the modifiers: the window (debounce or throttle) lets the run
/// through, the delay passes, the id's overlap decides. Then come the attempts. Only a time limit depends on the order: before
/// a retry it is for each attempt, after it for all of them together.
@usableFromInline
package final class RunTiming: Sendable {
  /// What decides which of many runs of an id get through.
  package enum Window: Hashable, Sendable {
    case debounce(for: Duration, maxWait: Duration?)
    case throttle(for: Duration, trailing: Bool)
  }

  /// How often, and after which waits, an attempt that failed is made again.
  package struct Retry: Hashable, Sendable {
    package let attempts: Int
    package let backoff: Backoff
  }

  package let window: Window?
  package let delay: Duration?
  /// How long an attempt may take.
  package let limit: Duration?
  package let retry: Retry?
  /// How long all attempts may take together, with the waits between them.
  package let wholeLimit: Duration?
  /// Why the run is not started at all, but reported. It is stored here because most runs have no timing, and so need
  /// no check.
  package let refusal: MissingChild?

  package init(
    window: Window? = nil, delay: Duration? = nil, limit: Duration? = nil, retry: Retry? = nil,
    wholeLimit: Duration? = nil, refusal: MissingChild? = nil
  ) {
    self.refusal = refusal
    self.window = window
    self.delay = delay
    self.limit = limit
    self.retry = retry
    self.wholeLimit = wholeLimit
  }

  /// The same timing, with the values of a modifier that is written after it.
  func overridden(by newer: RunTiming) -> RunTiming {
    var (limit, wholeLimit) = (limit, wholeLimit)
    // The last retry counts, and all time limits before it are for its attempts.
    if newer.retry != nil, let whole = wholeLimit { (limit, wholeLimit) = (whole, nil) }
    if let newer = newer.limit { if retry == nil { limit = newer } else { wholeLimit = newer } }
    return RunTiming(
      window: newer.window ?? window, delay: newer.delay ?? delay, limit: limit, retry: newer.retry ?? retry,
      wholeLimit: wholeLimit, refusal: newer.refusal ?? refusal)
  }
}

extension RunTiming: Equatable {
  /// Compares everything but closures.
  @usableFromInline
  package static func == (left: RunTiming, right: RunTiming) -> Bool {
    left.window == right.window && left.delay == right.delay && left.limit == right.limit
      && left.retry == right.retry && left.wholeLimit == right.wholeLimit
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
    if let wholeLimit { text += ".timeout(after: \(wholeLimit))" }
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
    backoff == .none ? "retry(attempts: \(attempts))" : "retry(attempts: \(attempts), backoff: \(backoff))"
  }
}
