// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The recipe that is often given for optimistic updates: write the change into the cached answer, keep what was there
/// before, put it back if the server refuses, and fetch again at the end.
struct NaiveCache: Reducer {
  struct State: Equatable, Sendable {
    var feed: [Photo] = []
    /// What to put back, by the number of the change.
    var snapshots: [Int: [Photo]] = [:]
    var lastChange = 0
  }

  enum Action: Equatable, Sendable {
    case focused
    case changed(Change)
    case loaded([Photo])
    case settled(Int, isRefused: Bool)
  }

  var server: Server
  /// Whether a change first cancels a fetch that is under way, as the recipe says, and as is often forgotten.
  var cancelsFetch: Bool

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .focused:
      return fetch
    case .loaded(let photos):
      state.feed = photos
      return .none
    case .changed(let change):
      state.lastChange += 1
      let id = state.lastChange
      state.snapshots[id] = state.feed
      change.apply(to: &state.feed)
      return .merge(
        cancelsFetch ? .cancel(id: "fetch") : .none,
        .run(id: change, overlap: .enqueue, input: change) { [server] change, send in
          try await server.send(change)
          send(.settled(id, isRefused: false))
        } catch: { _, send in
          send(.settled(id, isRefused: true))
        })
    case .settled(let id, let isRefused):
      let snapshot = state.snapshots.removeValue(forKey: id)
      if isRefused, let snapshot { state.feed = snapshot }
      return fetch
    }
  }

  private var fetch: Effect<Action> {
    .run(id: "fetch", overlap: .restart) { [server] send in
      send(.loaded(try await server.fetch(.feed, 0).photos))
    }
  }
}
