// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension TraceEvent: CustomStringConvertible {
  /// One line: number, time, what happened, and after which event.
  public var description: String {
    let after = cause.map { "  (after \($0))" } ?? ""
    return "\(number)  \(TraceText.time(time))  \(kind)\(after)"
  }
}

extension TraceEvent.Kind: CustomStringConvertible {
  /// `reduced .found(["SWIFT"]) from run 2`.
  public var description: String {
    switch self {
    case .accepted(let action, let source): "accepted \(TraceText.of(action)) \(source)"
    case .reduced(let action, let source): "reduced \(TraceText.of(action)) \(source)"
    case .dropped(let action, let source): "dropped \(TraceText.of(action)) \(source)"
    case .refused(let action, let site): "refused \(TraceText.of(action))\(TraceText.place(site))"
    case .run(let run, let event): "\(run.isTree ? "tree" : "run") \(run.number) \(event.text(of: run))"
    case .unmatched(let effect): "\(effect)"
    case .status(let id, let status): "status \(id): \(status)"
    case .dispatchCancelled(let number): "sent action \(number) cancelled"
    case .turnSuspended(let actions): "turn suspended after \(actions) actions"
    case .budgetExceeded(let steps): "budget exceeded: \(steps) steps"
    case .shutdown(let stage): "shutdown: \(stage)"
    case .lost(let count): count == 1 ? "1 event lost" : "\(count) events lost"
    }
  }
}

extension TraceSource: CustomStringConvertible {
  /// `sent at App/View.swift:12`, `from run 2`, `as a follow-up`.
  public var description: String {
    switch self {
    case .user(_, let site): "sent\(TraceText.place(site))"
    case .run(let run?): "from run \(run.number)"
    case .run(nil): "from a run that ended earlier"
    case .followUp: "as a follow-up"
    }
  }
}

extension TraceRun.Event {
  func text(of run: TraceRun) -> String {
    switch self {
    case .registered(.starting): "registered: \(run.description) at \(run.description.site)"
    case .registered(.queued): "queued: \(run.description) at \(run.description.site)"
    case .registered(.waiting(let until)):
      "waiting until \(TraceText.time(until)): \(run.description) at \(run.description.site)"
    case .joined(let other): "joined run \(other.number): \(run.description) at \(run.description.site)"
    case .started(attempt: 1): "started"
    case .started(let attempt): "started, attempt \(attempt)"
    case .attemptFailed(let error, .recovery): "failed: \(ValueDescription.brief(error)); catch follows"
    case .attemptFailed(let error, .retry(let time)):
      "failed: \(ValueDescription.brief(error)); again at \(TraceText.time(time))"
    case .sleeping(let until): "sleeps until \(TraceText.time(until))"
    case .ended(let outcome): "\(outcome)"
    case .returned: "returned"
    }
  }
}

/// The texts of traces.
package enum TraceText {
  /// Writes a time in seconds: with milliseconds if that is exact, otherwise with microseconds.
  ///
  /// - Parameter time: a time of any size; the excess of a microsecond is cut off.
  /// - Returns: for example `0.300 s`.
  package static func time(_ time: Duration) -> String {
    // A longer duration has no components, because its seconds do not fit into 64 bits. An endless sleep is shown with
    // this limit.
    let bounded = min(max(time, .seconds(-Int64.max)), .seconds(Int64.max))
    let (seconds, attoseconds) = (time < .zero ? .zero - bounded : bounded).components
    let micro = attoseconds / 1_000_000_000_000
    let digits = micro % 1_000 == 0 ? 3 : 6
    let fraction = String(digits == 3 ? micro / 1_000 : micro)
    return "\(time < .zero ? "-" : "")\(seconds).\(String(repeating: "0", count: digits - fraction.count))\(fraction) s"
  }

  /// Writes an action as in code, cut after 120 characters.
  package static func of(_ action: some Sendable) -> String { ValueText.of(action, limit: 120) }

  static func place(_ site: CallSite?) -> String { site.map { " at \($0)" } ?? "" }
}
