// This source file is part of swift-effects. License: Apache-2.0.

import Adapters
import EffectRuntime
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing

// swift-format-ignore
// The lines between `listing` and `end` are shown in Docs/Tracing.md.
@Test func `All adapters may listen to one store, and leave`() async throws {
  let handler = InMemoryLogHandler()
  var logger = Logger(label: "download", factory: { _ in handler })
  logger.logLevel = .debug
  let metrics = TestMetrics()
  let tracer = InMemoryTracer()
  let store = Download.store()
  // listing: adapters
  let logging = store.trace.log(to: logger)        // a line for each event, with metadata
  store.trace.measure(by: metrics)                 // counts actions and runs, measures how long runs take
  store.trace.spans(by: tracer)                    // a span for each run, its actions as events
  // end
  await store.send(.fetch("page")).finish()
  #expect(tracer.finishedSpans.count == 2)
  #expect(metrics.counterTotal(label: "effects.runs") == 2)
  #expect(handler.entries.contains { $0.metadata["input"] == "page" })

  logging.cancel()
  await store.send(.fetch("another")).finish()
  #expect(!handler.entries.contains { $0.metadata["input"] == "another" })
  #expect(tracer.finishedSpans.count == 4)
}
