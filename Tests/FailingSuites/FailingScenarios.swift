// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing
import XCTest

/// Fails on purpose, in a child process only: `ReportingTests` reads its output.
@Suite(.enabled(if: FailOnPurpose.isAsked))
struct FailingScenarioTests {
  @Test(arguments: Scenario.all) func scenario(_ scenario: Scenario) async { await scenario.body() }

  @Test func skipped() async { await Scenario.skip() }
}

/// The same under XCTest.
final class FailingScenarioXCTests: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(FailOnPurpose.isAsked, "fails on purpose, in a child process only")
  }

  func testScenarios() async {
    for scenario in Scenario.all { await scenario.body() }
  }

  func testSkipped() async { await Scenario.skip() }
}
