// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Find as you type. Start reading here: this is all the logic there is; the other files read keys, files and draw.
struct Search: Reducer {
  struct State: Equatable, Codable, Sendable {
    var query = ""
    /// What the search for `query` has found, and nothing else.
    var results = Results()
    var phase = Phase.idle
    /// How many lines are kept to be shown; the others are only counted. This bounds the memory of the whole program.
    /// It affects how an action is reduced, so it is state: a recorded session can be replayed without other settings.
    var limit = 200
  }

  enum Phase: Equatable, Codable, Sendable {
    case idle
    /// The user may still type: the search begins after a pause.
    case waiting
    case searching, finished
    case failed(String)
  }

  enum Action: Equatable, Sendable {
    // From the user.
    case typed(Character)
    case erased
    case cleared
    case queryChanged(String)
    // From the search.
    case started
    case found(Findings)
    case finished
    case failed(String)
  }

  /// How long the user must not type before a search starts.
  var pause = Duration.milliseconds(150)
  /// Does the searching. A dependency is a stored property, so that tests can replace it.
  var find: @Sendable (String) -> any AsyncSequence<Findings, any Error>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let character):
      return search(for: state.query + String(character), &state)
    case .erased:
      return search(for: String(state.query.dropLast()), &state)
    case .cleared:
      return search(for: "", &state)
    case .queryChanged(let query):
      return search(for: query, &state)

    case .started:
      state.phase = .searching
      return .none
    case .found(let findings):
      state.results.add(findings, limit: state.limit)
      return .none
    case .finished:
      state.phase = .finished
      return .none
    case .failed(let message):
      state.phase = .failed(message)
      return .none
    }
  }

  private func search(for query: String, _ state: inout State) -> Effect<Action> {
    // All of the state is new: old results are never shown with a new query.
    state = State(query: query, limit: state.limit)
    guard !query.isEmpty else { return .cancel(id: "search") }
    state.phase = .waiting

    // `restart` cancels the search for the query before. From here on none of its findings is reduced, not even one it
    // has already sent. So `found` need not state which query it answers.
    return .run(id: "search", overlap: .restart, input: query) { [find, pause] query, send in
      try await send.sleep(for: pause)
      send(.started)
      for try await findings in find(query) {
        // Waits until this is in the state: a search that is faster than the screen must not pile up findings.
        guard await send.delivered(.found(findings)) else { return }
      }
      send(.finished)
    } catch: { error, send in
      send(.failed("\(error)"))
    }
  }
}
