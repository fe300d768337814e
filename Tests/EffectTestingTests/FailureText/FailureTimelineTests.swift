// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// The drawing of the test so far, after the text of each failure.
@Suite struct `Timelines in failures` {
  private enum Action: Equatable, Sendable { case type(String), found(String) }

  private struct Search: Reducer {
    func reduce(into state: inout [String], action: Action) -> Effect<Action> {
      switch action {
      case .type(let query):
        return .run(id: "search", overlap: .restart, input: query, fileID: "App/Search.swift", line: 7) { query, send in
          try await send.sleep(for: .milliseconds(300))
          send(.found(query))
        }
      case .found(let result):
        state.append(result)
        return .none
      }
    }
  }

  private func type(_ query: String, in store: TestStore<Search>, line: UInt) {
    store.send(.type(query), fileID: "App/Tests.swift", line: line)
  }

  @Test func `A failed expectation shows when a run was replaced, and how the other one ended`() async {
    let found = await failures {
      let store = TestStore(initialState: [], reducer: Search())
      type("s", in: store, line: 3)
      store.advance(by: .milliseconds(100))
      type("sw", in: store, line: 5)
      store.advance(by: .milliseconds(300))
      await store.receive(.found("sw")) { $0 = ["s"] }
      await store.finish()
    }
    #expect(found.count == 1)
    #expect(
      found.first?.timeline == """
        seconds  1   2
                 s   sw
          0.000  ●       .type("s")  Tests.swift:3
                 z       1 sleeps until 0.300 s
          0.100  x   ●   .type("sw")  Tests.swift:5
                     z   2 sleeps until 0.400 s
          0.400      ◆   .found("sw")  from 2

        At the end of the trace run 2 is running.

        1  run("search", input: "s", overlap: restart) at App/Search.swift:7
        2  run("search", input: "sw", overlap: restart) at App/Search.swift:7

        ● starts   ◆ its action is reduced   x cancelled   z sleeps
        """)
  }

  @Test func `A long drawing has one byte for each mark, because SwiftPM loses parts of long outputs`() async throws {
    let found = await failures {
      let store = TestStore(initialState: [], reducer: Search())
      for line in 1...20 { type("s", in: store, line: UInt(line)) }
      await store.finish()
    }
    let drawing = try #require(found.first?.timeline)
    #expect(drawing.utf8.count > 2_000)
    #expect(drawing.allSatisfy { $0.isASCII })
    #expect(drawing.contains("* starts   x cancelled"))
  }

  @Test func `Each mark has one of one byte, and no two have the same`() {
    let shown = TimelineModel.Mark.allCases.map(\.oneByte)
    #expect(shown.allSatisfy { $0.isASCII })
    #expect(Set(shown).count == shown.count)
  }

  @Test func `The text of an action stays as it is in a long drawing`() async throws {
    let found = await failures {
      let store = TestStore(initialState: [], reducer: Search())
      for line in 1...20 { type("●", in: store, line: UInt(line)) }
      await store.finish()
    }
    let drawing = try #require(found.first?.timeline)
    #expect(drawing.contains(".type(\"●\")"), "\(drawing)")
    #expect(!drawing.contains("│"))
  }

  @Test func `A test without runs is not drawn`() async {
    let found = await failures {
      let store = TestStore(initialState: [], reducer: Search())
      store.send(.found("s"))
      await store.finish()
    }
    #expect(found.map(\.timeline) == [nil])
  }

  @Test func `The drawing of a long test shows its beginning and its end`() async {
    let found = await failures {
      let store = TestStore(initialState: [], reducer: Search())
      for step in 0..<60 {
        type("\(step)", in: store, line: 3)
        store.advance(by: .milliseconds(10))
      }
      await store.finish()
    }
    let drawing = found.first?.timeline ?? ""
    #expect(
      drawing.hasPrefix(
        """
        13 of 60 runs are drawn: first those that fail, lose actions or return late,
        then the active ones, then the newest. 47 runs and 94 rows about them are left
        out.

        seconds  48 49 50 51 52 53 54 55 56 57 58 59 60
                 47 48 49 50 51 52 53 54 55 56 57 58 59
          0.470  *                                      .type("47")  Tests.swift:3
        """))
    #expect(drawing.split(separator: "\n").count < 60)
  }
}
