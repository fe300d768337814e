// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

/// Requirements that no schedule tests.
@Suite struct TestedRequirementsTests {
  private struct State {
    var isLoading = false
  }
  private enum Action: Sendable { case load, wait, loaded, other }

  private func explored(
    _ actions: Action..., requiring requirements: [Exploration.Requirement<State>], id: String = "load"
  ) async -> Account {
    await Account(search: .full(.steps)) { schedule in
      let script = schedule.store(
        initialState: State(),
        reducer: Reduce<State, Action> { state, action in
          switch action {
          case .load:
            state.isLoading = true
            return .run(id: id, overlap: .restart) { send in send(.loaded) }
          case .wait: return .run(id: id, overlap: .restart) { send in try await send.sleep(for: .seconds(1)) }
          case .loaded:
            state.isLoading = false
            return .none
          case .other: return .none
          }
        }, requiring: requirements)
      for action in actions { script.send(action) }
    }
  }

  private static let all: [(name: String, requirement: @Sendable () -> Exploration.Requirement<State>, line: String)] =
    [
      ("nothing dropped", { .nothingDropped }, "`.nothingDropped` needs a run, and none was started."),
      ("heeded", { .cancellationIsHeeded }, "`.cancellationIsHeeded` needs a run that is cancelled, and none was."),
      ("no deadlock", { .noDeadlock() }, "`.noDeadlock()` needs a run, and none was started."),
      (
        "deadlock of", { .noDeadlock(except: "load") },
        #"`.noDeadlock(except:)` names "load", and no run of this id was started."#
      ),
      (
        "while", { .isRunning("load", while: \.isLoading) },
        #"`.isRunning("load", while:)` needs a state for which its condition holds, and there was none."#
      ),
      (
        "exactly while", { .isRunning("load", exactlyWhile: \.isLoading) },
        #"`.isRunning("load", exactlyWhile:)` needs a state for which its condition holds, and there was none."#
      ),
    ]

  @Test(arguments: all.indices) func `A requirement that no schedule tests fails`(index: Int) async {
    let (_, requirement, line) = Self.all[index]
    let account = await explored(.other, requiring: [requirement()])
    let hint = #" Is the id the one that the reducer gives, with its scope (`EffectID("load").scoped(by: "feed")`)?"#
    #expect(
      account.text == """
        No schedule tested this requirement, so it proves nothing:

          \(line)

        The exploration: complete: steps (1). Let the script lead there, or remove it. No order of this script leads there.\(index > 2 ? hint : "")
        """)
    #expect(account.result.failure == "")
    // Cancelled or not, a run of `.wait` sends nothing late.
    let tested =
      index == 1
      ? await explored(.wait, .wait, requiring: [requirement()]) : await explored(.load, requiring: [requirement()])
    #expect(tested.text == nil)
  }

  @Test func `A run that is not cancelled does not test whether cancellation is heeded`() async {
    let uncancelled = await explored(.wait, requiring: [.cancellationIsHeeded])
    #expect(uncancelled.text?.contains("`.cancellationIsHeeded` needs a run that is cancelled, and none was.") == true)
    #expect(await explored(.wait, .wait, requiring: [.cancellationIsHeeded]).text == nil)
    let inOneOrder = await Account(search: .full(.steps)) { schedule in
      let script = schedule.store(
        initialState: State(),
        reducer: Reduce<State, Action> { _, action in
          switch action {
          case .wait: .run(id: "load", overlap: .restart) { send in try await send.sleep(for: .seconds(1)) }
          case .other: .cancel(id: "load")
          case .load, .loaded: .none
          }
        }, requiring: [.cancellationIsHeeded])
      script.sender("ann") { $0.send(.wait) }
      script.sender("bob") { $0.send(.other) }
    }
    #expect(inOneOrder.text == nil)
  }

  @Test func `The requirement that nothing runs at the end holds without a run`() async {
    #expect(await explored(.other, requiring: [.nothingRunsAtTheEnd]).text == nil)
  }

  @Test func `Each id and each condition is checked separately`() async {
    let account = await explored(
      .load,
      requiring: [
        .noDeadlock(except: "load", "other"), .isRunning("load", while: \.isLoading),
        .isRunning("load", while: { _ in false }),
      ])
    #expect(account.text?.contains(#"names "other", and no run of this id was started."#) == true)
    #expect(account.text?.contains(#"names "load""#) == false)
    #expect(account.text?.components(separatedBy: "needs a state") == 1)
  }

  @Test func `It is enough that one schedule tests it, and a replay need not test it`() async {
    let account = await Account { schedule in
      let loads = schedule.choose(3) == 2
      schedule.store(
        initialState: State(),
        reducer: Reduce<State, Action> { _, _ in loads ? .run(id: "load", overlap: .restart) { _ in } : .none },
        requiring: [.nothingDropped]
      ).send(.other)
    }
    #expect(account.text == nil)
    let replayed = await Account(replaying: "u d") { schedule in
      schedule.store(
        initialState: State(), reducer: Reduce<State, Action> { _, _ in .none }, requiring: [.nothingDropped]
      ).send(.other)
    }
    #expect(replayed.text == nil)
  }
}

extension String {
  /// How often the text occurs.
  fileprivate func components(separatedBy text: String) -> Int { ranges(of: text).count }
}
