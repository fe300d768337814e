// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime
public import Logging

extension Trace {
  /// Logs what happens: failures as errors, failed attempts and refused actions as warnings, everything else at level
  /// `debug`.
  ///
  /// The message is the line that the event prints; the metadata contain the same in parts. Neither is created unless
  /// the logger's level requires it.
  @discardableResult
  public func log(to logger: Logger) -> TraceListening {
    let starts = LiveRuns<Duration>()
    return listen { event in
      var duration: Duration?
      if case .run(let run, let what) = event.kind {
        switch what {
        case .registered: starts[run] = starts[run] ?? event.time
        case .ended:
          duration = starts[run].map { event.time - $0 }
          starts[run] = nil
        default: break
        }
      }
      logger.log(level: event.level, "\(event.kind)", metadata: event.metadata(duration))
    }
  }
}

extension TraceEvent {
  fileprivate var level: Logger.Level {
    switch kind {
    case .run(_, .ended(.failed)): .error
    case .run(_, .attemptFailed), .refused, .lost: .warning
    default: .debug
    }
  }

  fileprivate func metadata(_ duration: Duration?) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["event": "\(number)"]
    metadata["cause"] = cause.map { "\($0)" }
    switch kind {
    case .run(let run, let what):
      metadata["run"] = "\(run.number)"
      metadata["id"] = run.description.id.map { "\($0)" }
      metadata["input"] = run.description.input.map { "\($0)" }
      metadata["name"] = run.description.name.map { "\($0)" }
      metadata["duration"] = duration.map { "\($0)" }
      if case .ended(let outcome) = what { metadata["outcome"] = "\(outcome)" }
    case .accepted(_, .run(let run?)), .reduced(_, .run(let run?)), .dropped(_, .run(let run?)):
      metadata["run"] = "\(run.number)"
    default: break
    }
    return metadata
  }
}
