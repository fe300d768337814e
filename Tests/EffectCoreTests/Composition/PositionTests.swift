// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@Suite struct `Key paths as ids` {
  private struct State {
    var rows: [Int] = []
    var sheet: Int?
    let fixed = 1
  }

  @Test func `A key path is one id, for each static type (M1)`() {
    let writable: any WritableKeyPath<State, [Int]> & Sendable = \.rows
    let plain: any KeyPath<State, [Int]> & Sendable = \.rows
    #expect(EffectID(writable) == EffectID(plain))
    #expect(EffectID(writable).hashValue == EffectID(plain).hashValue)
    #expect(EffectID(\State.rows) != EffectID(\State.fixed))
    #expect("\(Effect<Int>.cancel(scope: \State.sheet))" == #"cancel(scope: \State.sheet)"#)
  }

  @Test func `The scope of a child is the key path of its state (M1)`() {
    let child = Reduce<Int?, Int> { _, _ in .run(id: "load", overlap: .restart) { _ in } }
    let parent = Scope(\State.sheet, action: CasePath<Int, Int>(embed: { $0 }, extract: { $0 })) { child }
    var state = State()
    #expect(
      parent.reduce(into: &state, action: 1).runs.map(\.id) == [EffectID("load").scoped(by: EffectID(\State.sheet))])
  }
}
