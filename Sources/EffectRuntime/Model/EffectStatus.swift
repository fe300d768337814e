// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What the work of one id is doing: effects are state that can be queried (rules S1 and S2).
///
/// ```swift
/// let search = await store.status("search")                // in a view: `observable.status("search")`
/// search.isRunning                                         // instead of an `isLoading` in the state
/// search.input                                             // the query being looked for
/// ```
///
/// - Isolation: a value; it shows the moment of the query.
public struct EffectStatus: Sendable {
  /// How many runs and trees are active. A run counts from the reduction that starts it until its end has been taken,
  /// after the actions it sent.
  public var running: Int
  /// How many wait for a slot, or for their time (a delay, debounce or throttle).
  public var queued: Int
  /// How many were cancelled and have not returned. None of their actions is reduced any more.
  public var cancelling: Int
  /// The current attempt of the newest active run, counted from 1; 1 if work only waits, and 0 if none runs or waits.
  public var attempt: Int
  /// The input of the newest run that runs or, if none does, that waits. A tree has none.
  public var input: (any Hashable & Sendable)?

  /// Makes a status, for example the expected status in a test. Without arguments, it is the status of an unused id.
  ///
  /// - Parameters:
  ///   - running: how many runs are active.
  ///   - queued: how many wait for their time or for a slot.
  ///   - cancelling: how many were cancelled and have not returned.
  ///   - attempt: the attempt of the newest active run; by default 1 if work runs or waits, otherwise 0.
  ///   - input: the input of the newest run that runs or waits.
  public init(
    running: Int = 0, queued: Int = 0, cancelling: Int = 0, attempt: Int? = nil,
    input: (any Hashable & Sendable)? = nil
  ) {
    self.running = running
    self.queued = queued
    self.cancelling = cancelling
    self.attempt = attempt ?? (running + queued > 0 ? 1 : 0)
    self.input = input
  }

  /// Whether any work runs. Work that waits or was cancelled does not count.
  public var isRunning: Bool { running > 0 }

  /// Whether no work remains: none runs, waits, or has yet to return.
  public var isIdle: Bool { running == 0 && queued == 0 && cancelling == 0 }
}

extension EffectStatus: Equatable {
  /// Whether all properties are equal. Inputs are equal if they have the same type and are equal.
  public static func == (left: EffectStatus, right: EffectStatus) -> Bool {
    left.running == right.running && left.queued == right.queued && left.cancelling == right.cancelling
      && left.attempt == right.attempt && EffectInput.areEqual(left.input, right.input)
  }
}

extension EffectStatus: CustomStringConvertible {
  /// A short text: `1 running, 2 queued, input: "swift"`. It is `idle` if no work runs, waits or has yet to
  /// return.
  public var description: String {
    var parts: [String] = []
    if running > 0 { parts.append("\(running) running") }
    if queued > 0 { parts.append("\(queued) queued") }
    if cancelling > 0 { parts.append("\(cancelling) cancelling") }
    if parts.isEmpty { parts.append("idle") }
    if attempt > 1 { parts.append("attempt \(attempt)") }
    if let input { parts.append("input: \(ValueDescription.brief(input))") }
    return parts.joined(separator: ", ")
  }
}
