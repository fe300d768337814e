// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Testing

@testable import live_search

/// Sessions that are recorded and replayed.
struct SearchRecordingTests {
  private static let found = Findings(
    matches: [Match(file: "a/é.txt", line: 3, text: "\"swift\" \u{1B}[2J\n")], searched: 2, matched: 1,
    skipped: ["b: Permission denied"])

  @Test(
    arguments: [
      (.typed("e\u{301}"), "{\"typed\":{\"_0\":\"e\u{301}\"}}"),
      (.erased, #"{"erased":{}}"#),
      (.cleared, #"{"cleared":{}}"#),
      (.queryChanged("a/b"), #"{"queryChanged":{"_0":"a/b"}}"#),
      (.started, #"{"started":{}}"#),
      (.found(Findings(searched: 1)), #"{"found":{"_0":{"matched":0,"matches":[],"searched":1,"skipped":[]}}}"#),
      (.found(found), nil),
      (.finished, #"{"finished":{}}"#),
      (.failed("no\u{0}"), nil),
    ] as [(Search.Action, String?)])
  func `Every action is written and read`(action: Search.Action, text: String?) throws {
    let bytes = try Search.codec.encodeAction(action)
    if let text { #expect(String(decoding: bytes, as: UTF8.self) == text) }
    #expect(try Search.codec.decodeAction(bytes) == action)
  }

  @Test(arguments: [Search.Phase.idle, .waiting, .searching, .finished, .failed("Sources: gone")])
  func `Every state is written and read`(phase: Search.Phase) throws {
    var state = Search.State(query: "s\u{1F44D}", phase: phase, limit: 3)
    state.results.add(Self.found, limit: state.limit)
    #expect(try Search.codec.decodeState(Search.codec.encodeState(state)) == state)
  }

  @Test(arguments: ["", "ab"])
  func `What was typed is one character`(text: String) {
    #expect(throws: DecodingError.self) { try Search.codec.decodeAction(Array(#"{"typed":{"_0":"\#(text)"}}"#.utf8)) }
  }

  // MARK: - Replaying

  @Test func `What a store did leads to the same states again`() async throws {
    let (recording, states) = try await session()
    // The first query is replaced; its search may or may not have started and reported something before that.
    #expect(recording.steps.count >= 5)
    var replay = try Replay(recording, reducer: Search.replaying, codec: Search.codec)
    for step in recording.steps {
      try replay.step()
      #expect(try step.state.map(Search.codec.decodeState) == replay.state)
    }
    #expect(replay.state == states)
    #expect(try replay.firstDivergence() == nil)
  }

  @Test func `A changed reducer is found at the first action that it reduces differently`() async throws {
    let (recording, _) = try await session()
    let changed = Reduce<Search.State, Search.Action> { state, action in
      if case .found = action { state.results.skipped += 1 }
      return Search.replaying.reduce(into: &state, action: action)
    }
    let first = try recording.steps.firstIndex { step in
      if case .found = try Search.codec.decodeAction(step.action) { true } else { false }
    }
    var replay = try Replay(recording, reducer: changed, codec: Search.codec)
    let divergence = try #require(try replay.firstDivergence())
    #expect(divergence.index == first)
    #expect(divergence.replayed.results.skipped == divergence.recorded.results.skipped + 1)
  }

  /// Two queries, the second one before the first has been answered.
  private func session() async throws -> (Recording, Search.State) {
    let reducer = Search(pause: .zero) { _ in
      AsyncThrowingStream { search in
        search.yield(Self.found)
        search.yield(Findings(searched: 1))
        search.finish()
      }
    }
    let store = Store(initialState: Search.State(), reducer: reducer)
    let recorder = try await store.record(with: Search.codec)
    store.send(.queryChanged("old"))
    await store.send(.typed("!")).finish()
    return (try recorder.recording, await store.state)
  }

  // MARK: - The session that is kept beside the tests

  @Test func `The test that is kept is the one the program prints for it`() throws {
    let kept = try String(contentsOfFile: file("RecordedSessionTests.swift"), encoding: .utf8)
    let printed = try testSource(of: Recording(contentsOfFile: file("Resources/session.recording")))
    #expect(kept == "// This source file is part of swift-effects. License: Apache-2.0.\n\n\(printed)")
  }

  private func file(_ name: String, beside test: StaticString = #filePath) -> String {
    URL(fileURLWithPath: "\(test)").deletingLastPathComponent().appendingPathComponent(name).path
  }
}
