// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import EffectTesting
import Testing

/// Differences of the state in drawings, on request (V5).
@Suite struct `Changes in timelines` {
  private struct Search: Reducer {
    struct State: Equatable { var query = ""; var results: [String] = [] }
    enum Action: Sendable { case typed(String), found(String) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .typed(let query):
        state.query = query
        return .run(id: "search", overlap: .restart, input: query, fileID: "App/Search.swift", line: 7) { query, send in
          send(.found(query.uppercased()))
        }
      case .found(let result):
        state.results.append(result)
        return .none
      }
    }
  }

  @Test func `A timeline shows them below their actions, and only if it is given them (V5)`() async {
    let store = Store(initialState: Search.State(), reducer: Search(), clock: .immediate)
    let log = store.trace.log()
    let changes = await store.logChanges()
    await store.send(.typed("s"), fileID: "App/View.swift", line: 3).finish()
    let text = Timeline.text(log.events, changes: changes.differences)
    let lines = text.split(separator: "\n").map { $0.drop { " 0.●◆│x".contains($0) } }
    #expect(lines.contains("typed(\"s\")  View.swift:3"), "\(text)")
    #expect(lines.contains("query:") && lines.contains("- \"\"") && lines.contains("+ \"s\""), "\(text)")
    #expect(lines.contains("results[0]:") && lines.contains("+ \"S\""), "\(text)")
    #expect(!Timeline.text(log.events).contains("query:"))

    let page = Timeline.html(log.events, changes: changes.differences)
    #expect(page.contains(#""change":"query:\n  - \"\"\n  + \"s\""}"#))
    #expect(!Timeline.html(log.events).contains(#""change":"#))
    #expect(log.events.allSatisfy { $0.json(with: nil) == $0.json })
  }
}
