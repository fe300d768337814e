// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Restore.md; `RestoreTests.swift` compares the two.

import EffectTesting
import Foundation
import Synchronization
import Testing

@Suite struct RestoreListings {
  // listing: feature
  struct Search: Reducer {
    struct State: Equatable, Codable { var query = ""; var results: [String]? = [] }   // `nil` while it searches
    enum Action: Equatable, Codable, Sendable { case queryChanged(String), found([String]), restored }

    var find: @Sendable (String) async throws -> [String]

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .queryChanged(let query):
        state = State(query: query, results: nil)
        return search(query)
      case .found(let results):
        state.results = results
        return .none
      case .restored:                                               // the search has ended with its process
        return state.results == nil ? search(state.query) : .none
      }
    }

    private func search(_ query: String) -> Effect<Action> {
      .run(id: "search", overlap: .restart, input: query) { [find] query, send in
        send(.found(try await find(query)))
      }
    }
  }
  // end

  private let path = FileManager.default.temporaryDirectory.appending(path: "restore-\(UUID().uuidString)").path
  private let liveSearch: @Sendable (String) async throws -> [String] = { [$0.uppercased()] }

  private func removeFiles() {
    for end in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  @Test func `A search goes on after its process has ended`() async throws {
    defer { removeFiles() }
    do {
      let journal = Journal(path: path, codec: RecordingCodec<Search.State, Search.Action>.json, sync: .system)
      let first = try await Store.restored(
        from: journal, initialState: Search.State(), reducer: Search(find: { _ in try await Task.sleep(for: .seconds(9_999)); return [] }),
        resumingWith: .restored, onJournalFailure: { Issue.record("\($0)") })
      first.store.send(.queryChanged("swift"))
      #expect(await first.store.state.results == nil)
      await first.store.shutdown(.cancelling)
    }
    // listing: restore
    let journal = Journal<Search.State, Search.Action>(
      path: path, codec: .json, sync: .everyTurn)
    let restored = try await Store.restored(
      from: journal, initialState: Search.State(), reducer: Search(find: liveSearch), resumingWith: .restored,
      onJournalFailure: { error in print(error) })                    // its text says what is lost
    let store = restored.store
    // end
    for await state in store.values(\.self) where state.results != nil {
      #expect(state == Search.State(query: "swift", results: ["SWIFT"]))
      break
    }
    // listing: report
    switch restored.report.end {
    case .whole, .unfinished: break                                 // nothing unusual
    case .damaged(let damage): print("\(damage). A copy is at \(restored.report.copy ?? "")")
    }
    // end
    #expect(restored.report.end == .whole && restored.report.isRestored)
    await store.shutdown(.draining)
  }

  @Test func `A journal of version 1 is read by version 2`() async throws {
    defer { removeFiles() }
    do {
      // Version 1 saved only the query.
      let first = RecordingCodec<String, String>(
        encodeState: { try Array(JSONEncoder().encode($0)) }, decodeState: { _ in "" },
        encodeAction: { try Array(JSONEncoder().encode($0)) }, decodeAction: { _ in "" })
      let former = try await Store.restored(
        from: Journal(path: path, codec: first, sync: .system), initialState: "old",
        reducer: Reduce<String, String> { state, action in
          state = action
          return .none
        }, resumingWith: "", onJournalFailure: { Issue.record("\($0)") })
      await former.store.send("newer").finish()
      await former.store.shutdown(.draining)
    }
    // listing: migration
    let codec = RecordingCodec<Search.State, Search.Action>.json.version(2).reading(
      version: 1,                                                 // it saved only the query
      state: { Search.State(query: try JSONDecoder().decode(String.self, from: Data($0))) },
      action: { .queryChanged(try JSONDecoder().decode(String.self, from: Data($0))) })
    // end
    let restored = try await Store.restored(
      from: Journal(path: path, codec: codec, sync: .everyTurn), initialState: Search.State(),
      reducer: Search(find: liveSearch), resumingWith: .restored, onJournalFailure: { Issue.record("\($0)") })
    #expect(restored.report.codecVersion == 1)
    #expect(await restored.store.state.query == "newer")
    await restored.store.shutdown(.draining)
  }

  // listing: test
  @Test func aSearchIsResumed() async {
    let store = TestStore(
      initialState: Search.State(query: "swift", results: nil), reducer: Search(find: { [$0.uppercased()] }))

    store.send(.restored)
    await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
    await store.finish()
  }
  // end
}
