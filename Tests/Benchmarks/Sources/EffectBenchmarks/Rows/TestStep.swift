// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectTesting
internal import Synchronization

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
      rivals: [Rival("bare step", .shown) { await bareSteps() }])
  ]

  private static let steps = 5_000

  /// What every test of this reducer has to do: it reduces the action, executes one task on an executor of its own, reduces
  /// what the task has sent, and compares the state twice. There is no effect, no store and no message of a failure.
  private static func bareSteps() async -> Double {
    let executor = HeldJobs()
    let sent = Sent()
    var (state, expected) = (Dialogue.State(), Dialogue.State())
    return await nanoseconds(per: steps) {
      for number in 1...steps {
        _ = Dialogue.change(&state, by: .ask(number))
        Task(executorPreference: executor) { sent.action.withLock { $0 = .answer(number) } }
        expected.question = number
        precondition(state == expected, "the first state is wrong")
        executor.runAll()
        if let action = sent.action.withLock({ $0.take() }) { _ = Dialogue.change(&state, by: action) }
        expected.answer = number
        precondition(state == expected, "the second state is wrong")
      }
    }
  }
}

private final class Sent: Sendable {
  let action = Mutex<Dialogue.Action?>(nil)
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
    guard let number = Self.change(&state, by: action) else { return .none }
    return .run { send in send(.answer(number)) }
  }

  /// Changes the state. Returns the number that a task is to answer.
  static func change(_ state: inout State, by action: Action) -> Int? {
    switch action {
    case .ask(let number):
      state.question = number
      return number
    case .answer(let number):
      state.answer = number
      return nil
    }
  }
}
