// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Tracing.md; `TracingTests.swift` compares the two.

import EffectTesting
import Foundation
import Synchronization
import Testing

// listing: codec
extension RecordingCodec where State: Codable & SendableMetatype, Action: Codable & SendableMetatype {
  static var json: Self {
    RecordingCodec(
      encodeState: { try Array(JSONEncoder().encode($0)) },
      decodeState: { try JSONDecoder().decode(State.self, from: Data($0)) },
      encodeAction: { try Array(JSONEncoder().encode($0)) },
      decodeAction: { try JSONDecoder().decode(Action.self, from: Data($0)) })
  }
}
// end

@Suite struct TracingListings {
  // file: feature
  struct Search: Reducer {
    struct State: Equatable, Codable { var query = ""; var results: [String] = [] }
    enum Action: Equatable, Codable, Sendable { case queryChanged(String), found([String]) }

    var find: @Sendable (String) async throws -> [String]

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .queryChanged(let query):
        state = State(query: query)
        return .run(id: "search", overlap: .restart, input: query) { [find] query, send in
          try await send.sleep(for: .milliseconds(300))
          send(.found(try await find(query)))
        }
      case .found(let results):
        state.results = results
        return .none
      }
    }
  }
  // end

  private func store() -> Store<Search> {
    Store(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }), clock: .immediate)
  }

  @Test func `Changes are kept, and drawn below their actions`() async throws {
    let store = store()
    let log = store.trace.log()
    // listing: change-log
    let changes = await store.logChanges()                          // beside `let log = store.trace.log()`
    await store.send(.queryChanged("swift")).finish()
    let drawing = Timeline.text(log.events, changes: changes.differences)
    // end
    #expect(drawing.contains("results[0]:"))
  }

  @Test func `Three ways to listen`() async throws {
    let store = store()
    let said = Mutex<[String]>([])
    let print: @Sendable (TraceEvent<Search.Action>) -> Void = { event in said.withLock { $0.append("\(event.kind)") } }
    // listing: ways
    let listening = store.trace.listen { event in print(event) }      // called as it happens; the store waits
    let log = store.trace.log(newest: 1_000)                          // keeps the newest, to be read later
    let reading = Task {
      for await event in store.trace { print(event) }                 // at its own pace
    }
    // end
    await store.send(.queryChanged("swift")).finish()
    let events = log.events.map { "\($0.kind)" }
    listening.cancel()
    await store.shutdown(.draining)
    await reading.value
    #expect(events.contains("run 1 finished"))
    #expect(said.withLock { $0 }.contains("run 1 finished"))
  }

  /// Returns the printed text.
  func trace() async -> [String] {
    var said: [String] = []
    func print(_ event: TraceEvent<Search.Action>) { said.append("\(event)") }
    let store = TestStore(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }))
    // listing: test
    store.send(.queryChanged("swift")) { $0.query = "swift" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
    for event in store.trace { print(event) }
    // end
    await store.finish()
    return said
  }

  /// Returns what is printed.
  func changes() async -> [String] {
    let said = Mutex<[String]>([])
    let print: @Sendable (String) -> Void = { text in said.withLock { $0.append(text) } }
    let clock = TestClock()
    let store = Store(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }), clock: clock)
    let log = store.trace.makeAsyncIterator()
    store.printChanges(to: print)
    // listing: typing
    store.send(.queryChanged("sw"))
    let search = store.send(.queryChanged("swift"))
    // end
    await sleeping(2, log)
    clock.advance(by: .milliseconds(300))
    await search.finish()
    return said.withLock { $0 }
  }

  /// Returns when a run sleeps.
  private func sleeping(_ number: UInt64, _ events: some AsyncIteratorProtocol<TraceEvent<Search.Action>, Never>) async {
    var events = events
    while let event = await events.next(isolation: #isolation) {
      if case .run(let run, .sleeping) = event.kind, run.number == number { return }
    }
  }

  @Test func `Parts of what happens are printed`() async {
    let store = store()
    let lines = Mutex<[String]>([])
    let logger = Logger { text in lines.withLock { $0.append(text) } }
    // listing: print
    let printing = store.printChanges()                             // everything, to standard output
    // end
    printing.cancel()
    // listing: filters
    store.printChanges(of: \.results) { logger.debug(text: $0) }     // only what changes this field, elsewhere
    store.printChanges(where: { $0 != .queryChanged("") })          // not these actions and what they start
    store.printChanges(ids: ["search"])                             // runs of these ids, and what they send
    // end
  }

  struct Logger: Sendable {
    var write: @Sendable (String) -> Void
    func debug(text: String) { write(text) }
  }

  @Test func `Two values are compared`() {
    var said: [String] = []
    func print(_ value: some Any) { said.append("\(value)") }
    let before = Search.State(query: "sw", results: ["SW"])
    let after = Search.State(query: "swift", results: ["SW", "SWIFT"])
    print(StateDifference(from: before, to: after))
    #expect(
      said == [
        """
        query:
          - "sw"
          + "swift"
        results[1]:
          + "SWIFT"
        """
      ])
  }

  @Test func `A session is recorded, read and replayed step by step`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var said: [String] = []
    func print(_ value: some Any) { said.append("\(value)") }
    let noNetwork: @Sendable (String) async throws -> [String] = { _ in [] }
    let store = store()
    // listing: record
    let recorder = try await store.record(with: .json, to: path)
    // end
    await store.send(.queryChanged("swift")).finish()
    recorder.stop()
    // listing: replay
    let recording = try Recording(contentsOfFile: path)
    var replay = try Replay(recording, reducer: Search(find: noNetwork), codec: .json)
    try replay.jump(to: 1)
    print(replay.state.query)                                         // the state after the first action
    if let divergence = try replay.firstDivergence() {
      print(divergence)                                               // the action, its sender, both states
    }
    // end
    #expect(said == ["swift"])
    #expect(replay.state == Search.State(query: "swift", results: ["SWIFT"]))
    // listing: source
    print(recording.testSource(
      name: "A query is answered", importing: ["MyApp"], reducer: "Search(find: noNetwork)",
      codec: "RecordingCodec<Search.State, Search.Action>.json"))
    // end
    #expect(said[1].contains("@Test func `A query is answered`() async throws {\n"))
  }
}
