// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

/// A connection, a listener and a limit, which are stopped together.
private struct Session: Reducer {
  enum Action: Equatable, Sendable { case start, opened, stop }
  let ids: @Sendable () -> [String]

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      return .run(id: "a", overlap: .restart) { send in
        for await _ in AsyncStream(Int.self, { stream in _ = stream.yield(0) }) { send(.opened) }
      }
    case .opened:
      return .merge(
        .run(id: "b", overlap: .restart) { _ in for await _ in AsyncStream(Int.self, { _ in }) {} },
        .run(id: "c", overlap: .restart) { send in try await send.sleep(for: .seconds(10)) })
    case .stop:
      return .cancel(ids: ids())
    }
  }
}

/// A cancel of several ids is the same in a schedule and in its repetition.
@Suite struct CancelOrderTests {
  @Test func `Several ids are cancelled in one order (E3)`() async {
    let account = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(initialState: 0, reducer: Session { ["a", "b", "c"] })
      run.send(.start)
      run.send(.stop)
    }
    #expect(account.text == nil && account.result.completeLevel == .steps, "\(account.text ?? "")")
  }

  @Test func `The order does not depend on the order of the ids (E3)`() async {
    let account = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(initialState: 0, reducer: Session { ["a", "b", "c"].shuffled() })
      run.send(.start)
      run.send(.stop)
    }
    #expect(account.text == nil && account.result.completeLevel == .steps, "\(account.text ?? "")")
  }
}
