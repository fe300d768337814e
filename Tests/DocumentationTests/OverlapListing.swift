// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Overlap.md; `OverlapTests.swift` compares the two.

import EffectTesting

struct Taps: Reducer {
  struct State: Equatable, Sendable { var shown: [String] = [] }
  enum Action: Equatable, Sendable { case tapped(String), found(String) }

  var overlap: Overlap
  var find: @Sendable (String) async -> String

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    // listing: taps
    case .tapped(let word):
      return .run(id: "search", overlap: overlap, input: word) { [find] word, send in
        send(.found(await find(word)))
      }
    // end
    case .found(let result):
      state.shown.append(result)
      return .none
    }
  }
}

/// The effects of the search app, each with a suitable overlap.
struct SearchApp: Reducer {
  struct State: Equatable, Sendable { var query = ""; var marked: [String] = []; var results: [String] = [] }
  enum Action: Equatable, Sendable {
    case opened(String), typed(String), searchTapped, marked(String), noted(String), shown(String), previewed(String)
    case found([String])
  }

  var api: Api

  struct Api: Sendable {
    var count: @Sendable (String) async throws -> Void = { _ in }
    var find: @Sendable (String) async throws -> [String] = { [$0] }
    var mark: @Sendable (String) async throws -> Void = { _ in }
    var save: @Sendable (String) async throws -> Void = { _ in }
    var preview: @Sendable (String) async throws -> String = { $0 }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    // listing: concurrent
    case .opened(let result):                                         // all are counted; none waits for another
      return .run(input: result) { [api] result, _ in try await api.count(result) }
    // end

    // listing: restart
    case .typed(let query):                                           // after more typing the old answer is useless
      state.query = query
      return .run(id: "search", overlap: .restart, input: query) { [api] query, send in
        send(.found(try await api.find(query)))
      }
    // end

    // listing: drop
    case .searchTapped:                                               // a second tap means nothing new
      return .run(id: "submit", overlap: .drop, input: state.query) { [api] query, send in
        send(.found(try await api.find(query)))
      }
    // end

    // listing: enqueue
    case .marked(let result):                                         // on, off, on: the server must get them in order
      state.marked.append(result)
      return .run(id: "mark", overlap: .enqueue, input: result) { [api] result, _ in
        try await api.mark(result)
      }
    // end

    // listing: keepLatest
    case .noted(let text):                                            // no save is interrupted; the newest text follows
      return .run(id: "save", overlap: .keepLatest, input: text) { [api] text, _ in
        try await api.save(text)
      }
    // end

    // listing: join
    case .shown(let result):                                          // two rows, one picture: it is loaded once
      return .run(id: "preview", overlap: .join, input: result) { [api] result, send in
        send(.previewed(try await api.preview(result)))
      }
    // end

    case .previewed(let result):
      state.results.append(result)
      return .none
    case .found(let results):
      state.results = results
      return .none
    }
  }
}
