// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension ManualShell {
  /// Reports what runs of this store have reported as failures. Returns the runs whose failures fail the test.
  @discardableResult
  func reportKeptFailures() -> [Token] {
    Reporter.takeFailures(ofRunsOf: mailbox.identity).compactMap { kept in
      Reporter.report(kept.text + origin(of: kept.run), at: kept.location) ? kept.run : nil
    }
  }

  /// Which run has reported a failure, and what has caused the run. Empty if that is not known any more, or is not traced.
  func origin(of run: Token) -> String {
    let events = log.events
    guard !events.isEmpty, let run = scheduler.tracedSender(run) else { return "" }
    return FailureText.origin(of: run, in: events)
  }
}

extension FailureText {
  /// Names a run that has reported a failure, and the action that has caused it, with their lines.
  static func origin(of run: TraceRun, in events: [TraceEvent<any Sendable>]) -> String {
    let first = events.first { event in
      if case .run(run, .registered) = event.kind { true } else { false }
    }
    let cause = events.first { $0.number == first?.cause }
    let text =
      switch cause?.kind {
      case .reduced(let action, let source): ", caused by \(brief(action))\(sender(source))"
      default: ""
      }
    return "\n\nIt happened in \(place(run.description))\(text)."
  }

  private static func sender(_ source: TraceSource) -> String {
    switch source {
    case .user(_, let site?): " at \(site)"
    case .run(let run?): " from \(place(run.description))"
    case .followUp: " of a `.send` effect"
    case .user(_, nil), .run(nil): ""
    }
  }
}
