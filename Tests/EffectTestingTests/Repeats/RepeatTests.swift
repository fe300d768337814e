// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing
import XCTest

/// Tests in parallel, which share the repetitions. The test library decides how many run at a time. What it does for
/// each of its cases grows with their number. For more repetitions see ``BusyDay``.
@Suite struct RepeatTests {
  private static let cases = 500

  @Test(arguments: 0..<cases)
  func `Queries, an actor, a stream and a timer, again and again`(first: Int) async {
    for _ in stride(from: first, to: BusyDay.repeats, by: Self.cases) {
      #expect(await BusyDay.test() == ["swift"])
    }
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
