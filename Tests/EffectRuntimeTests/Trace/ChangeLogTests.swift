// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// State differences in logs, timelines and recordings, on request (V5).
@Suite struct ChangeLogTests {
  private struct Search: Reducer {
    struct State: Equatable { var query = ""; var results: [String] = [] }
    enum Action: Sendable { case typed(String), found(String), noted }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .typed(let query):
        state.query = query
        return .run(id: "search", overlap: .restart, input: query, fileID: "App/Search.swift", line: 7) { query, send in
          send(.found(query.uppercased()))
        }
      case .found(let result):
        state.results.append(result)
        return .send(.noted)
      case .noted:
        return .none
      }
    }

    static let codec = RecordingCodec<State, Action>(
      encodeState: { Array(($0.query + ":" + $0.results.joined(separator: ",")).utf8) },
      decodeState: { _ in State() },
      encodeAction: { Array("\($0)".utf8) },
      decodeAction: { bytes in
        let words = String(decoding: bytes, as: UTF8.self).split(separator: "\"")
        return words[0] == "typed(" ? .typed("\(words[1])") : words[0] == "found(" ? .found("\(words[1])") : .noted
      })
  }

  private func store() -> Store<Search> {
    Store(initialState: Search.State(), reducer: Search(), clock: ManualClock())
  }

  @Test func `Each action that changes the state has a difference, by the number of its event (V5)`() async throws {
    let store = store()
    let log = store.trace.log()
    let changes = await store.logChanges()
    await store.send(.typed("s"), fileID: "App/View.swift", line: 3).finish()
    let reduced = log.events.filter { if case .reduced = $0.kind { true } else { false } }
    #expect(reduced.count == 3)
    #expect(
      reduced.map { changes.differences[$0.number]?.lines } == [
        ["query:", "  - \"\"", "  + \"s\""], ["results[0]:", "  + \"S\""], nil,
      ])
    #expect(changes.differences.count == 2)
  }

  @Test func `A change log begins with the present state, keeps the newest, and ends when it is released (V5)`() async {
    let store = store()
    await store.send(.typed("before")).finish()
    var changes: ChangeLog? = await store.logChanges(newest: 3)
    for number in 1...10 { await store.send(.typed("\(number)")).finish() }
    let kept = changes?.differences.sorted { $0.key < $1.key }.map(\.value.lines.last)
    #expect(kept == ["  + \"9\"", "  + \"9\"", "  + \"10\"", "  + \"10\""].suffix(3))
    #expect(await store.isTraced)
    changes = nil
    await store.send(.typed("after")).finish()
    #expect(await !store.isTraced)
  }

  @Test func `A recording has them as notes (V5)`() async throws {
    let store = store()
    let recorder = try await store.record(with: Search.codec, changes: true)
    await store.send(.typed("s"), fileID: "App/View.swift", line: 3).finish()
    let recording = try recorder.recording
    let notes = recording.notes.filter { $0.text.hasPrefix("changed: ") }
    #expect(notes.map(\.text) == [#"changed: query: - "" + "s""#, #"changed: results[0]: + "S""#])
    #expect(notes.map(\.after) == [1, 2])
    #expect(try Recording(parsing: recording.bytes) == recording)
  }

  @Test func `Without the request a recording has none (V5)`() async throws {
    let store = store()
    let recorder = try await store.record(with: Search.codec)
    await store.send(.typed("s")).finish()
    #expect(try !recorder.recording.notes.contains { $0.text.hasPrefix("changed: ") })
  }
}

extension Store {
  fileprivate var isTraced: Bool { mailbox.isTraced }
}
