// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

/// What really happened, drawn.
@Suite struct `Drawings of test stores` {
  /// The drawing without the list of runs and the legend.
  private func drawing(_ events: [TraceEvent<some Sendable>]) -> String {
    let lines = Timeline.text(events).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.prefix { !$0.isEmpty }.joined(separator: "\n")
  }

  @Test func `Three queries that sleep before the request (E1)`() async {
    let store = TestStore(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }))
    for query in ["s", "sw", "swi"] {
      store.send(.queryChanged(query), fileID: "App/View.swift", line: 7) { $0.query = query }
      store.advance(by: .milliseconds(100))
    }
    store.advance(by: .milliseconds(200))
    await store.receive(.found(["SWI"])) { $0.results = ["SWI"] }
    await store.finish()
    #expect(
      drawing(store.trace) == #"""
        seconds  1    2    3
                 s    sw   swi
          0.000  ●              .queryChanged("s")  View.swift:7
                 z              1 sleeps until 0.300 s
          0.100  x    ●         .queryChanged("sw")  View.swift:7
                      z         2 sleeps until 0.400 s
          0.200       x    ●    .queryChanged("swi")  View.swift:7
                           z    3 sleeps until 0.500 s
          0.500            ◆    .found(["SWI"])  from 3
        """#)
  }

  @Test func `An attempt that times out, another that works, and a run that waits for both (C2, O1)`() async {
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state += 1
        guard action > 0 else { return .none }
        return .run(id: "load", overlap: .enqueue, input: action) { action, send in
          if send.now < .seconds(2) { try await send.sleep(for: .seconds(9)) }
          send(-action)
        }
        .timeout(after: .seconds(1)).retry(attempts: 3, backoff: .constant(.seconds(1)))
      })
    for action in 1...2 { store.send(action, fileID: "App/View.swift", line: 9) { $0 += 1 } }
    store.advance(by: .seconds(2))
    await store.receive(-1) { $0 += 1 }
    await store.receive(-2) { $0 += 1 }
    await store.finish()
    #expect(
      drawing(store.trace) == #"""
        seconds  1  2
                 1  2
          0.000  ●     1  View.swift:9
                 z  ○  2  View.swift:9
          1.000  ↻  ·  1 fails: timed out after 1.0 seconds, again at 2.000 s
          2.000  ●  ·  1 starts again, attempt 2
                 ◆  ●  -1  from 1
                    ◆  -2  from 2
        """#)
  }
}
