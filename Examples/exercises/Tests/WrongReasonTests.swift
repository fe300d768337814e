// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct WrongReasonTests {
  @Test func `The test of the lock passes for a good lock, and fails for bad ones`() async throws {
    await testBlocking(of: PinLock())

    var failures = await reportedFailures { await testBlocking(of: BadLock()) }
    try #require(
      failures.count > 0,
      "`testBlocking` has passed for a lock that opens although it is blocked. Is a lock ever blocked in that test?")

    failures = await reportedFailures { await testBlocking(of: PatientLock()) }
    #expect(
      failures.count > 0,
      """
      `testBlocking` has passed for a lock that counts no wrong PIN, so it was never blocked in that test. \
      `explore(…, sometimes: ["blocked": …])` fails if no schedule reaches a state.
      """)
  }

  /// Counts no wrong PINs.
  private struct PatientLock: Reducer, Sendable {
    func reduce(into state: inout PinLock.State, action: PinLock.Action) -> Effect<PinLock.Action> {
      state.isOpen = action == .entered("2580")
      return .none
    }
  }

  /// Opens with the right PIN, even if it is blocked.
  private struct BadLock: Reducer, Sendable {
    func reduce(into state: inout PinLock.State, action: PinLock.Action) -> Effect<PinLock.Action> {
      state.isOpen = action == .entered("2580")
      if !state.isOpen { state.wrongPins += 1 }
      return .none
    }
  }
}
