// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime
public import Metrics

extension Trace {
  /// Counts actions and runs, and measures how long runs take.
  ///
  /// | label | kind | dimensions |
  /// |---|---|---|
  /// | `effects.actions` | counter | `kind`: reduced, dropped, refused |
  /// | `effects.runs` | counter | `run`, `outcome`: finished, failed, cancelled, dropped |
  /// | `effects.run.duration` | timer, from registered to settled | `run`, `outcome` |
  /// | `effects.runs.live` | meter | none |
  ///
  /// - Parameter label: the `run` of the dimensions, by default the name, or else the id. If ids contain row numbers,
  ///   return a label with few different values.
  @discardableResult
  public func measure(
    by factory: any MetricsFactory = MetricsSystem.factory,
    label: (@Sendable (TraceRun) -> String)? = nil
  ) -> TraceListening {
    func counter(_ kind: String) -> Counter {
      Counter(label: "effects.actions", dimensions: [("kind", kind)], factory: factory)
    }
    // Made once: counting an action must cost little.
    let (reduced, dropped, refused) = (counter("reduced"), counter("dropped"), counter("refused"))
    let live = Meter(label: "effects.runs.live", factory: factory)
    let starts = LiveRuns<Duration>()
    return listen { event in
      switch event.kind {
      case .reduced: reduced.increment()
      case .dropped: dropped.increment()
      case .refused: refused.increment()
      case .run(let run, .registered):
        guard starts[run] == nil else { return }
        starts[run] = event.time
        live.increment()
      case .run(let run, .ended(let outcome)):
        let dimensions = [("run", label?(run) ?? run.label), ("outcome", outcome.word)]
        Counter(label: "effects.runs", dimensions: dimensions, factory: factory).increment()
        guard let start = starts[run] else { return }
        starts[run] = nil
        live.decrement()
        Timer(label: "effects.run.duration", dimensions: dimensions, factory: factory).record(
          duration: event.time - start)
      default: break
      }
    }
  }
}
