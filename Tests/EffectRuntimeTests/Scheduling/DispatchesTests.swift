// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Suite struct DispatchesTests {
  @Test func `A dispatch is found by its number, also one that was added late`() {
    var (slots, dispatches) = (Slots(), Dispatches())
    var tokens: [UInt64: Token] = [:]
    for number: UInt64 in [1, 4, 9, 12, 5] {
      let index = slots.allocateRoot(.dispatch(number))
      tokens[number] = slots.token(index)
      dispatches.add(number, slots.token(index))
    }
    for number: UInt64 in 0...13 { #expect(dispatches.find(number) == tokens[number], "\(number)") }
  }

  @Test func `Dispatches that have finished are removed in time, the others never`() {
    var (slots, dispatches) = (Slots(), Dispatches())
    var kept: [UInt64: Token] = [:]
    for number: UInt64 in 0..<1_000 {
      let index = slots.allocateRoot(.dispatch(number))
      dispatches.add(number, slots.token(index))
      if number % 100 == 0 {
        kept[number] = slots.token(index)
      } else {
        _ = slots.free(index)
        dispatches.removed(liveIn: slots)
      }
    }
    for (number, token) in kept { #expect(dispatches.find(number) == token) }
    #expect((0..<1_000).count { dispatches.find($0) != nil } < 100)
  }
}
