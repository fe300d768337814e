// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing
import XCTest

/// Each repetition is a test of its own, as many at a time as the library sees fit. For more of them see ``BusyDay``.
@Suite struct RepeatTests {
  @Test(arguments: 0..<BusyDay.repeats)
  func `Queries, an actor, a stream and a timer, again and again`(_: Int) async {
    #expect(await BusyDay.test() == ["swift"])
  }
}

/// XCTest runs one test after another, so the repetitions are tasks of one test.
final class RepeatXCTests: XCTestCase {
  func testAgainAndAgain() async {
    let passed = await withTaskGroup(of: Int.self) { group in
      let width = 100
      for first in 0..<width {
        group.addTask {
          var passed = 0
          for _ in stride(from: first, to: BusyDay.repeats, by: width) where await BusyDay.test() == ["swift"] {
            passed += 1
          }
          return passed
        }
      }
      return await group.reduce(0, +)
    }
    XCTAssertEqual(passed, BusyDay.repeats)
  }
}
