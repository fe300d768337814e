// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// What a search of states takes for the contents of a value.
@Suite struct ValueHashTests {
  private struct Hiding: CustomReflectable {
    var hidden = 0
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  private struct Plain {
    var number: Int?
    var rows: [Hashed] = []
  }

  private struct Hashed: Hashable { var text = "" }

  @Test func `A type that makes its own mirror may hide parts, which counts as memory that cannot be seen`() {
    var (values, hasher) = (ValueHash(), Hasher())
    values.add([Plain(number: 1, rows: [Hashed(text: "a")])], to: &hasher)
    #expect(!values.hasMetObjects)
    values.add([Hiding(hidden: 1)], to: &hasher)
    #expect(values.hasMetObjects)
  }
}
