// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Suite struct CaughtErrorsTests {
  private struct Offline: Error, Equatable { let number: Int }

  @Test func `The error of each run is kept until it is removed`() {
    var errors = CaughtErrors()
    #expect(errors.isEmpty)
    #expect(errors.remove(of: 1) == nil)
    errors.add(Offline(number: 1), of: 1)
    errors.add(Offline(number: 2), of: 2)
    #expect(errors.remove(of: 3) == nil)
    #expect(errors.remove(of: 1) as? Offline == Offline(number: 1))
    #expect(errors.remove(of: 1) == nil)
    #expect(!errors.isEmpty)
    #expect(errors.remove(of: 2) as? Offline == Offline(number: 2))
    #expect(errors.isEmpty)
  }
}
