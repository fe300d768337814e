// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Test func `A slot takes no more memory because runs may have time modifiers`() {
  #expect(MemoryLayout<Slots.Slot>.stride <= 56)
}
