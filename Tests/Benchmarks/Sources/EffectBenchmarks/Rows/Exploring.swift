// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectTesting

/// What a schedule takes: five queries whose runs do not suspend, each answered at any time after it was typed, in all of
/// their 945 orders.
enum ExploringRow {
  static let rows = [
    Row(
      name: "explore", title: "one schedule of five queries, all 945 orders",
      limit: Limit(most: 10_000, stretch: 6_000),
      framework: Contestant("swift-effects") {
        var schedules = 0
        let each = await nanoseconds(per: 945 * rounds) {
          for _ in 1...rounds {
            schedules += await explore(
              initialState: Queries.State(), reducer: Queries(), search: .depthFirst(.descend), delivery: .eager
            ) { run in
              for query in 1...5 { run.send(.typed(query)) }
            } always: { state in
              state.results == 0 || state.results == state.query
            }.completeCount
          }
        }
        precondition(schedules == 945 * rounds, "not complete, or not all orders")
        return each
      },
      rivals: [])
  ]

  private static let rounds = 10
}

private struct Queries: Reducer {
  struct State: Equatable {
    var query = 0
    var results = 0
  }

  enum Action: Equatable, Sendable {
    case typed(Int)
    case found(Int)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let query):
      state.query = query
      state.results = 0
      return .run(id: "search", overlap: .restart) { send in send(.found(query)) }
    case .found(let results):
      state.results = results
      return .none
    }
  }
}
