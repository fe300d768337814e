// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A quiz where points are earned.
struct Quiz: Reducer {
  struct State: Equatable, Sendable {
    var points: Int
    var page = Page()
  }

  /// What belongs to the quiz alone.
  struct Page: Equatable, Sendable {
    var solved = 0
  }

  enum Action: Equatable, Sendable {
    case answered(String)
    case checked(isRight: Bool)
  }

  var check: @Sendable (String) async throws -> Bool

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .answered(let answer):
      return .run(id: "check", overlap: .drop, input: answer) { [check] answer, send in
        send(.checked(isRight: try await check(answer)))
      } catch: { _, send in
        send(.checked(isRight: false))
      }
    case .checked(let isRight):
      if isRight {
        state.points += 5
        state.page.solved += 1
      }
    }
    return .none
  }
}
