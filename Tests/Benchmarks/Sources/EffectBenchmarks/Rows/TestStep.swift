// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectTesting

/// The cost of a step of a test: an action is sent, the action of the run that it starts is received, and the state is
/// checked after both.
enum TestStepRow {
  static let rows = [
    Row(
      name: "test-step", title: "test step: send + receive, both with state", limit: Limit(most: 4_000),
      framework: Contestant("swift-effects") {
        let store = TestStore(initialState: Dialogue.State(), reducer: Dialogue())
        let each = await nanoseconds(per: steps) {
          for number in 1...steps {
            store.send(.ask(number)) { $0.question = number }
            await store.receive(.answer(number)) { $0.answer = number }
          }
        }
        // A store that finds an unexpected result traps outside of a test, and so does a store that is not finished.
        await store.finish()
        return each
      },
      rivals: [])
  ]

  private static let steps = 5_000
}

private struct Dialogue: Reducer {
  struct State: Equatable {
    var question = 0
    var answer = 0
  }

  enum Action: Equatable, Sendable {
    case ask(Int)
    case answer(Int)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .ask(let number):
      state.question = number
      return .run { send in send(.answer(number)) }
    case .answer(let number):
      state.answer = number
      return .none
    }
  }
}
