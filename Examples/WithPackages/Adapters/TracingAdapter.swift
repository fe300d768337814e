// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime
import Synchronization
public import Tracing

extension Trace {
  /// Makes a span for each run, and an event in the span for each action that the run sent.
  ///
  /// If the action of one run starts another run, the span of the second is a child of the span of the first.
  @discardableResult
  public func spans(by tracer: some Tracer) -> TraceListening {
    let spans = LiveRuns<any Span>()
    let cause = Mutex(ServiceContext.topLevel)
    return listen { event in
      switch event.kind {
      case .reduced(let action, .run(let run)):
        let span = run.flatMap { spans[$0] }
        span?.addEvent("reduced", of: action)
        cause.withLock { $0 = span?.context ?? .topLevel }
      case .reduced(_, .user): cause.withLock { $0 = .topLevel }
      case .dropped(let action, .run(let run?)): spans[run]?.addEvent("dropped", of: action)
      case .run(let run, .registered):
        guard spans[run] == nil else { return }
        let span = tracer.startSpan(run.label, context: cause.withLock { $0 })
        span.attributes["effects.run"] = Int64(run.number)
        span.attributes["effects.id"] = run.description.id.map { "\($0)" }
        span.attributes["effects.input"] = run.description.input.map { "\($0)" }
        span.attributes["effects.line"] = "\(run.description.site)"
        spans[run] = span
      case .run(let run, .attemptFailed(let error, _)): spans[run]?.recordError(error)
      case .run(let run, .ended(let outcome)):
        spans[run]?.end(with: outcome)
        spans[run] = nil
      default: break
      }
    }
  }
}

extension Span {
  fileprivate func addEvent(_ name: String, of action: some Sendable) {
    addEvent(SpanEvent(name: name, attributes: ["effects.action": .string("\(action)")]))
  }

  fileprivate func end(with outcome: EffectOutcome) {
    attributes["effects.outcome"] = "\(outcome)"
    if let error = outcome.error { recordError(error) }
    // An error that a `catch` has handled is not an error of the span.
    if case .failed(let error) = outcome { setStatus(SpanStatus(code: .error, message: "\(error)")) }
    end()
  }
}
