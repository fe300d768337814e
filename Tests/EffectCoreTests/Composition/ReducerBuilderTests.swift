// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

/// Reducers that are included under a condition, which is checked when the list is made.
@Suite struct `Reducers under conditions` {
  private struct Adds: Reducer {
    let number: Int
    func reduce(into state: inout Int, action: Void) -> Effect<Void> {
      state += number
      return .none
    }
  }

  private struct Shouts: Reducer {
    func reduce(into state: inout Int, action: Void) -> Effect<Void> {
      state *= 100
      return .send(())
    }
  }

  private func list(_ isLoud: Bool, _ more: Int?) -> CombineReducers<some Reducer<Int, Void>> {
    CombineReducers {
      Adds(number: 1)
      if isLoud { Shouts() } else { Adds(number: 10) }
      if let more { Adds(number: more) }
    }
  }

  private func result(of list: some Reducer<Int, Void>) -> (Int, Effect<Void>) {
    var state = 0
    let effect = list.reduce(into: &state, action: ())
    return (state, effect)
  }

  @Test func `Either branch is included, with its effect`() {
    let (quiet, nothing) = result(of: list(false, nil))
    #expect(quiet == 11)
    #expect("\(nothing)" == "none")
    let (loud, shout) = result(of: list(true, nil))
    #expect(loud == 100)
    #expect("\(shout)" == "send(())")
  }

  @Test func `A present reducer is included, an absent one has no effect`() {
    #expect(result(of: list(false, 1_000)).0 == 1_011)
    #expect(result(of: list(false, nil)).0 == 11)
  }
}
