// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import XCTest

/// The same calls under XCTest. `ReportingTests` shows that no failure is lost there.
final class ExploreXCTests: XCTestCase {
  func testEveryOrder() async {
    let result = await explore(initialState: .init(), reducer: Queries(), options: .init(upTo: .deliveries)) { run in
      for query in 0..<3 { run.send(.typed(query)) }
    } always: { state in
      Queries.isFresh(state)
    }
    XCTAssertEqual("\(result)", "complete: answers (7 states), timers (7 states), deliveries (15 states)")
  }

  @MainActor func testEveryOrderWithMocksOnTheMainActor() async {
    let result = await explore(options: .init(upTo: .deliveries)) { schedule in
      MainActor.assertIsolated()
      let server = Server()
      let run = schedule.store(
        initialState: .init(), reducer: Queries(find: { await server.find($0) }), always: Queries.isFresh)
      run.send(.typed(0))
      run.send(.typed(1))
    }
    XCTAssertEqual("\(result)", "complete: answers (12 states), timers (12 states), deliveries (24 states)")
  }

  func testReplay() async {
    let result = await explore(initialState: .init(), reducer: Queries(), replaying: "u d e0 d") { run in
      run.send(.typed(0))
    } always: { state in
      Queries.isFresh(state)
    }
    XCTAssertNil(result.failure)
    XCTAssertEqual(result.schedules, 1)
  }
}
