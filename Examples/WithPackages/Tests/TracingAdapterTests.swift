// This source file is part of swift-effects. License: Apache-2.0.

import Adapters
import EffectRuntime
import InMemoryTracing
import Testing
import Tracing

@Suite struct TracingAdapterTests {
  @Test func `Each run is a span with its actions, below the run that caused it`() async throws {
    let tracer = InMemoryTracer()
    let store = Download.store()
    store.trace.spans(by: tracer)
    await store.session()

    let spans = tracer.finishedSpans.sorted { number($0) < number($1) }
    #expect(spans.map(\.operationName) == ["fetch", "parser", "fetch", "fetch"])
    #expect(spans.map { text($0, "effects.id") } == [#""fetch""#, #""parse""#, #""fetch""#, #""fetch""#])
    #expect(spans.map { text($0, "effects.input") } == ["page", nil, "nowhere", "slow"])
    #expect(
      spans.map { text($0, "effects.outcome") } == [
        "finished", "finished", "failed: Unreachable()", "cancelled: byEffect",
      ])
    #expect(
      spans.map { $0.events.map { "\($0.name) \(text($0))" } } == [["reduced fetched(4)"], ["reduced parsed"], [], []])
    #expect(spans.map(\.parentSpanID) == [nil, spans[0].spanID, nil, nil])
    #expect(spans.map { $0.status?.code } == [nil, nil, .error, nil])
    #expect(spans[2].errors.map { $0.error as? Download.Unreachable } == [Download.Unreachable()])
    #expect(spans.allSatisfy { $0.endInstant.nanosecondsSinceEpoch >= $0.startInstant.nanosecondsSinceEpoch })
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test func `A run that waits twice is one span`() async {
    let tracer = InMemoryTracer()
    let store = Download.store()
    store.trace.spans(by: tracer)
    await store.queue()
    #expect(tracer.finishedSpans.map(\.operationName) == ["later", "later"])
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test func `A span that a run opens is a child of the span of the request that caused the run, also behind a queue`()
    async throws
  {
    let tracer = InMemoryTracer()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state += action
        guard action == 1 else { return .none }
        return .run(id: "call", overlap: .enqueue) { send in
          // As a client library does.
          tracer.withSpan("call") { _ in }
          send(10)
        }
      }, carrying: [CarriedValue(ServiceContext.$current)])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...3 {
        group.addTask {
          try await tracer.withSpan("request \(number)") { _ in _ = try await store.request(1) { $0 } }
        }
      }
      try await group.waitForAll()
    }
    let spans = tracer.finishedSpans
    let requests = Set(spans.filter { $0.operationName != "call" }.map(\.spanID))
    #expect(requests.count == 3)
    #expect(Set(spans.filter { $0.operationName == "call" }.map(\.parentSpanID)) == Set(requests.map { $0 }))
  }

  private func number(_ span: FinishedInMemorySpan) -> Int64 {
    guard case .int64(let number)? = span.attributes["effects.run"]?.toSpanAttribute() else { return 0 }
    return number
  }

  private func text(_ span: FinishedInMemorySpan, _ name: String) -> String? {
    guard case .string(let text)? = span.attributes[name]?.toSpanAttribute() else { return nil }
    return text
  }

  private func text(_ event: SpanEvent) -> String {
    guard case .string(let text)? = event.attributes["effects.action"]?.toSpanAttribute() else { return "" }
    return text
  }
}
