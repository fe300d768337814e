// This source file is part of swift-effects. License: Apache-2.0.

import Adapters
import EffectRuntime
import MetricsTestKit
import Testing

@Suite struct MetricsAdapterTests {
  @Test func `Actions and runs are counted, by outcome`() async throws {
    let metrics = TestMetrics()
    let store = Download.store()
    store.trace.measure(by: metrics)
    await store.session()

    func actions(_ kind: String) throws -> Int64 {
      try metrics.expectCounter("effects.actions", [("kind", kind)]).totalValue
    }
    #expect(try actions("reduced") == 6)
    #expect(try actions("dropped") == 0)
    #expect(try actions("refused") == 1)

    func dimensions(_ run: String, _ outcome: String) -> [(String, String)] { [("run", run), ("outcome", outcome)] }
    for (run, outcome) in [
      ("fetch", "finished"), ("parser", "finished"), ("fetch", "failed"), ("fetch", "cancelled"),
    ] {
      #expect(try metrics.expectCounter("effects.runs", dimensions(run, outcome)).totalValue == 1)
      let durations = try metrics.expectTimer("effects.run.duration", dimensions(run, outcome)).values
      #expect(durations.count == 1)
      #expect(durations.allSatisfy { $0 >= 0 })
    }
    #expect(try metrics.expectMeter("effects.runs.live").values.last == 0)
  }

  @Test func `A run that waits twice is counted once`() async throws {
    let metrics = TestMetrics()
    let store = Download.store()
    store.trace.measure(by: metrics)
    await store.queue()
    #expect(try metrics.expectMeter("effects.runs.live").values == [1, 2, 1, 0])
  }

  @Test func `The label of a run can be one of a few`() async throws {
    let metrics = TestMetrics()
    let store = Download.store()
    store.trace.measure(by: metrics, label: { _ in "any" })
    await store.session()
    #expect(try metrics.expectCounter("effects.runs", [("run", "any"), ("outcome", "finished")]).totalValue == 2)
  }
}
