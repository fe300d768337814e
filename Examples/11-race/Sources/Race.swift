// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Five queries, typed one letter after another; the answers come back in another order.
enum Race {
  static let queries = ["s", "sw", "swi", "swif", "swift"]
  static let answers = ["sw", "swift", "swi", "s", "swif"]

  /// Really runs a store, and writes down what happens to it.
  static func run(overlap: Overlap) async -> Timeline {
    let server = Server()
    let store = Store(initialState: Search.State(), reducer: Search(overlap: overlap, server: server))
    var timeline = Timeline(columns: queries)
    for query in queries {
      store.send(.typed(query))
      await server.hasArrived(query)
      timeline.typed(query, cancelling: await server.takeCancelled())
    }
    for query in answers {
      await server.release(query)
      let wasReduced = await server.fate(of: query) == .reduced
      timeline.answered(query, wasReduced: wasReduced, state: await store.state)
    }
    return timeline
  }
}
