// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Five queries, typed one letter after another; the answers come back in another order.
enum Race {
  static let queries = ["s", "sw", "swi", "swif", "swift"]
  static let answers = ["sw", "swift", "swi", "s", "swif"]

  /// What was seen of a race.
  struct Result {
    /// What happened in the store.
    var events: [TraceEvent<Search.Action>] = []
    /// The answers that were shown with another query than their own.
    var stale: [String] = []
  }

  /// Runs a real store.
  static func run(overlap: Overlap) async -> Result {
    let server = Server()
    let clock = HandClock()
    let store = Store(
      initialState: Search.State(), reducer: Search(overlap: overlap, server: server), clock: clock)
    var trace = store.trace.makeAsyncIterator()
    var result = Result()

    for query in queries {
      clock.advance(by: .milliseconds(100))
      store.send(.typed(query))
      await trace.collect(into: &result.events) { run, event in
        if case .started = event { run.description.input as? String == query } else { false }
      }
      // A closure that is cancelled before it is called may be left out. Here each one must send its request.
      await server.hasArrived(query)
    }
    for query in answers {
      clock.advance(by: .milliseconds(100))
      await server.release(query)
      await trace.collect(into: &result.events) { run, event in
        switch event {
        case .ended(.finished), .returned: run.description.input as? String == query
        default: false
        }
      }
      // An answer that was dropped has changed nothing: the shown answer is that of another query.
      let state = await store.state
      if state.isStale, state.shown == query { result.stale.append(query) }
    }
    return result
  }
}

extension AsyncIteratorProtocol where Failure == Never {
  /// Takes events until a certain event of a run.
  fileprivate mutating func collect<Action>(
    into events: inout [TraceEvent<Action>], until isLast: (TraceRun, TraceRun.Event) -> Bool
  ) async where Element == TraceEvent<Action> {
    while let event = await next(isolation: #isolation) {
      events.append(event)
      if case .run(let run, let happening) = event.kind, isLast(run, happening) { return }
    }
  }
}
