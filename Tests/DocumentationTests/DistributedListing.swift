// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/WhatItIsNot.md.

import EffectTesting
import Testing

// listing: feature
struct SharedSearch: Reducer {
  struct State: Equatable, Sendable { var results: [String: [String]] = [:]; var failures: [String: String] = [:] }
  enum Action: Equatable, Sendable { case asked(String), found(String, [String]), failed(String, String) }

  var find: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .asked(let query):                                           // calls with the same query share one run
      return .run(id: "search", overlap: .join(limit: 4), input: query) { [find] query, send in
        send(.found(query, try await find(query)))
      } catch: { error, send in
        send(.failed(query, "\(error)"))
      }
    case .found(let query, let results): (state.results[query], state.failures[query]) = (results, nil)
    case .failed(let query, let message): (state.results[query], state.failures[query]) = (nil, message)
    }
    return .none
  }
}
// end

// listing: desk
import Distributed

distributed actor SearchDesk {
  typealias ActorSystem = LocalTestingDistributedActorSystem

  private let store: Store<SharedSearch>

  init(find: @escaping @Sendable (String) async throws -> [String], actorSystem: ActorSystem) {
    self.actorSystem = actorSystem
    store = Store(initialState: SharedSearch.State(), reducer: SharedSearch(find: find))
  }

  distributed func results(for query: String) async throws -> [String] {
    try await store.request(.asked(query)) { state in
      guard let results = state.results[query] else { throw NotFound(why: state.failures[query] ?? "cancelled") }
      return results
    }
  }
}

struct NotFound: Error, Codable { var why: String }
// end

@Suite struct `A store behind a distributed actor` {
  @Test func `The page shows the code that was compiled and run`() throws {
    try Listings().check("Docs/WhatItIsNot.md", against: ["DistributedListing.swift"])
  }

  @Test func `A desk is found by its name and answers`() async throws {
    // listing: use
    let system = LocalTestingDistributedActorSystem()                 // in production: one that has a network
    let desk = SearchDesk(find: { query in ["\(query).org"] }, actorSystem: system)

    let remote = try SearchDesk.resolve(id: desk.id, using: system)   // elsewhere, by its name
    let results = try await remote.results(for: "swift")              // ["swift.org"]
    // end
    #expect(results == ["swift.org"])
  }

  @Test func `The error that the feature reports reaches the caller`() async throws {
    let system = LocalTestingDistributedActorSystem()
    let desk = SearchDesk(find: { _ in throw Offline() }, actorSystem: system)
    let remote = try SearchDesk.resolve(id: desk.id, using: system)
    await #expect(throws: NotFound.self) { try await remote.results(for: "swift") }
  }

  @Test func `Callers of the same query share one search, as the page says (O5)`() async throws {
    let (questions, asked) = AsyncStream.makeStream(of: String.self)
    let (answers, answer) = AsyncStream.makeStream(of: [String].self)
    let store = Store(initialState: SharedSearch.State(), reducer: SharedSearch(find: { query in
      asked.yield(query)
      for await results in answers { return results }
      return []
    }))
    let first = store.send(.asked("swift"))
    for await query in questions {
      #expect(query == "swift")
      break
    }
    let second = store.send(.asked("swift"))
    #expect(await store.status("search") == EffectStatus(running: 1, input: "swift"))
    answer.yield(["swift.org"])
    await first.finish()
    await second.finish()
    #expect(await store.state.results == ["swift": ["swift.org"]])
  }

  @Test func `Under restart a caller that is replaced gets no results, as the page says (L3)`() async throws {
    let (questions, asked) = AsyncStream.makeStream(of: String.self)
    let store = Store(
      initialState: Lookup.State(), reducer: Lookup(find: { query in
        asked.yield(query)
        if query == "swift" { return ["swift.org"] }
        for await _ in AsyncStream<Never>.makeStream().stream {}
        return []
      }))
    async let first = store.request(.asked("sw")) { $0.results }
    for await _ in questions { break }
    let second = try await store.request(.asked("swift")) { $0.results }
    #expect(try await first == [])
    #expect(second == ["swift.org"])
  }
}
