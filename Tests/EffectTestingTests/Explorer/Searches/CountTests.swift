// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Numbers of schedules, derived by hand or by recurrence. The searches reach them exactly.
struct CountTests {
  @Test func `Three runs that are started at once and send once have 6 orders`() async {
    var orders: Set<[Int]> = []
    let result = await explore(options: .init(search: .full(.timers))) { schedule in
      let run = schedule.store(
        initialState: [],
        reducer: Reduce<[Int], Int> { state, action in
          guard action == 0 else {
            state.append(action)
            return .none
          }
          return .merge((1...3).map { number in .run { send in send(number) } })
        },
        finally: { state in orders.insert(state).inserted || true })
      run.send(0)
    }
    #expect("\(result)" == "complete: timers (6)")
    #expect(orders == [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]])
  }

  /// The k-th answer may come at any time after its request, so there are 1 * 3 * 5 orders of three.
  @Test(arguments: [(1, 1), (2, 3), (3, 15), (4, 105), (5, 945)])
  func `Queries that are answered at any time after they were typed have so many orders`(queries: Int, orders: Int)
    async
  {
    let result = await explore(
      initialState: .init(), reducer: Queries(overlap: .concurrent), options: .init(search: .full(.timers))
    ) { run in
      for query in 0..<queries { run.send(.typed(query)) }
    }
    #expect("\(result)" == "complete: timers (\(orders))")
  }

  /// By the recurrence of `ExplorerCounts`. Under `.restart` a closure that is cancelled before it is called may be
  /// called or not.
  @Test(arguments: [(Overlap.concurrent, 483), (.restart, 255)])
  func `If each delivery is a choice three queries have this number of schedules`(overlap: Overlap, count: Int) async {
    let result = await explore(
      initialState: .init(), reducer: Queries(overlap: overlap), options: .init(search: .full(.deliveries))
    ) { run in
      for query in 0..<3 { run.send(.typed(query)) }
    }
    #expect("\(result)" == "complete: deliveries (\(count))")
  }

  @Test func `An actor in between changes nothing at the level descend`() async {
    let result = await explore(options: .init(search: .full(.deliveries))) { schedule in
      let server = Server()
      let run = schedule.store(initialState: .init(), reducer: Queries(find: { await server.find($0) }))
      for query in 0..<3 { run.send(.typed(query)) }
    }
    #expect("\(result)" == "complete: deliveries (255)")
  }
}
