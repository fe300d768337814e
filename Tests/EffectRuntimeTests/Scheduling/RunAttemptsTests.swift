// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct RunAttemptsTests {
  @Test func `Attempts are counted from 1 for each run (C2)`() {
    var attempts = RunAttempts()
    #expect(attempts.current(of: 1) == 1)
    #expect(attempts.made(by: 1) == nil)
    attempts.begin(1)
    attempts.begin(1)
    attempts.begin(2)
    #expect(attempts.current(of: 1) == 2)
    #expect(attempts.made(by: 1) == 2)
    #expect(attempts.current(of: 2) == 1)
    #expect(attempts.count == 2)
    attempts.forget(1)
    #expect(attempts.made(by: 1) == nil, "the slot belongs to another run")
    attempts.forget(2)
    #expect(attempts.isEmpty)
  }

  @Test func `The end of all attempts is that of the first (C2)`() {
    var attempts = RunAttempts()
    attempts.begin(1, end: .seconds(5))
    attempts.begin(1, end: .seconds(9))
    #expect(attempts.end(of: 1) == .seconds(5))
    #expect(attempts.end(of: 2) == nil)
  }

  @Test func `The next attempt of an exclusive run begins when the closure of the one before has returned`() {
    var attempts = RunAttempts()
    let token = Token(slot: 1, generation: 0)
    attempts.begin(1)
    #expect(attempts.nextIsDue(of: 1) == true)
    attempts.abandon(token, closure: 9, holdsSlot: true)
    #expect(attempts.closure(of: token) == 9)
    #expect(attempts.awaitedClosure(of: 1) == 9)
    #expect(attempts.nextIsDue(of: 1) == false)
    let returned = attempts.closureReturned(token)
    #expect(returned?.closure == 9)
    #expect(returned?.startsNext == true)
    #expect(attempts.awaitedClosure(of: 1) == nil)
    #expect(attempts.closure(of: token) == nil)
    #expect(attempts.closureReturned(token)?.closure == nil)
  }

  @Test func `A closure that returns before the next attempt is due starts nothing`() {
    var attempts = RunAttempts()
    let token = Token(slot: 1, generation: 0)
    attempts.begin(1)
    attempts.abandon(token, closure: 9, holdsSlot: true)
    #expect(attempts.closureReturned(token)?.startsNext == false)
    #expect(attempts.nextIsDue(of: 1) == true)
  }

  @Test(arguments: [true, false])
  func `A run that ends leaves the closure that holds its slot, if there is one`(holdsSlot: Bool) {
    var attempts = RunAttempts()
    let token = Token(slot: 1, generation: 0)
    attempts.begin(1)
    attempts.abandon(token, closure: 9, holdsSlot: holdsSlot)
    #expect(attempts.awaitedClosure(of: 1) == (holdsSlot ? 9 : nil))
    #expect(attempts.leaveClosure(of: 1) == (holdsSlot ? 9 : nil))
    #expect(attempts.leaveClosure(of: 1) == nil)
    #expect(attempts.made(by: 1) == 1)
    attempts.forget(1)
    #expect(attempts.count == 1, "the closure has not returned")
    #expect(attempts.closureReturned(token)?.startsNext == false)
    #expect(attempts.isEmpty)
  }
}
