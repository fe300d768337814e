// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// In a release build, because a task-local value that is a closure crashed there only.
@Suite struct CollectedFailuresTests {
  private struct Naive: Reducer {
    enum Action: Equatable, Sendable { case start, found }

    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      switch action {
      case .start: return .run { send in send(.found) }
      case .found:
        state += 1
        return .none
      }
    }
  }

  @Test func `A body without a failure returns none`() async {
    #expect(await reportedFailures {} == [])
  }

  @Test func `A violation that an exploration reports is returned`() async {
    let failures = await reportedFailures {
      await explore(initialState: 0, reducer: Naive()) { script in
        script.send(.start)
      } always: { state in
        state == 0
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("`always` does not hold") == true)
  }
}
