// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

/// A run is active if and only if a condition holds.
@Suite struct ExactRequirementTests {
  private enum Action: Sendable { case load, loaded, photo, photoLoaded, stop }

  /// Explores a feature whose state is a flag.
  private func explored(
    _ actions: Action..., faults: Exploration.Faults = .none, isExact: Bool = true,
    body: @escaping (inout Bool, Action) -> Effect<Action>
  ) async -> Account {
    await Account(faults: faults) { schedule in
      let script = schedule.store(
        initialState: false, reducer: Planted<Bool, Action>(body),
        requiring: [isExact ? .isRunning("load", exactlyWhile: { $0 }) : .isRunning("load", while: { $0 })])
      for action in actions { script.send(action) }
    }
  }

  private static func load(_ overlap: Overlap) -> Effect<Action> {
    .run(id: "load", overlap: overlap) { send in
      await Task.yield()
      send(.loaded)
    }
  }

  private static let early =
    #"`.isRunning("load", exactlyWhile:)` is violated: its condition does not hold, and a run of "load" is active. "#
    + "Let the action that changes the field cancel the run (`.cancel(id: \"load\")`), or change the field only when the run has "
    + "ended."
  private static let late =
    #"`.isRunning("load", exactlyWhile:)` is violated: its condition holds, and no run of "load" is active. "#
    + "Let the action that sets the field start the run, and the one that ends or cancels the run reset the field."

  @Test func `A flag that is set with the run and reset by its last action is right, also if actions come twice`() async
  {
    for faults in [Exploration.Faults.none, .anyOne(of: .duplicate("load"))] {
      let account = await explored(.load, .load, .stop, faults: faults) { flag, action in
        flag = action == .load
        switch action {
        case .load: return Self.load(.restart)
        case .stop: return .cancel(id: "load")
        default: return .none
        }
      }
      #expect(account.text == nil)
      #expect(account.result.completeLevel == .steps)
    }
  }

  @Test func `A run that has reset the flag may go on with its next attempt and its catch`() async {
    let account = await explored(.load) { flag, action in
      flag = action == .load
      guard action == .load else { return .none }
      return .run(id: "load", overlap: .restart) { send in
        send(.loaded)
        await Task.yield()
        throw TestFailed()
      } catch: { _, send in
        await Task.yield()
        send(.stop)
      }
      .retry(attempts: 2, backoff: .constant(.seconds(1)))
    }
    #expect(account.text == nil)
    #expect(account.result.completeLevel == .steps)
  }

  @Test func `A flag that is never set while the run is active is found`() async {
    let wrong: (inout Bool, Action) -> Effect<Action> = { flag, action in
      guard action == .load else {
        flag = action == .photo
        return .none
      }
      return Self.load(.drop)
    }
    let account = await explored(.load, body: wrong)
    #expect(account.text?.hasPrefix(Self.early) == true, "\(account.text ?? "")")
    let oneWay = await explored(.load, isExact: false, body: wrong)
    #expect(oneWay.text?.contains("needs a state for which its condition holds") == true)
  }

  @Test func `A flag that stays set is found`() async {
    let account = await explored(.load, .stop) { flag, action in
      switch action {
      case .load:
        flag = true
        return Self.load(.drop)
      case .stop: return .cancel(id: "load")
      default:
        flag = false
        return .none
      }
    }
    #expect(account.text?.hasPrefix(Self.late) == true, "\(account.text ?? "")")
  }

  @Test func `A flag is found that the answer of another run resets`() async {
    let account = await explored(.load, .photo) { flag, action in
      switch action {
      case .load:
        flag = true
        return Self.load(.drop)
      case .photo: return .run(id: "photo", overlap: .drop) { send in send(.photoLoaded) }
      default:
        flag = false
        return .none
      }
    }
    #expect(account.text?.hasPrefix(Self.early) == true, "\(account.text ?? "")")
  }

  @Test func `A flag is found that an earlier run resets while a later one is active`() async {
    let account = await explored(.load, .load) { flag, action in
      flag = action == .load
      return action == .load ? Self.load(.concurrent) : .none
    }
    #expect(account.text?.hasPrefix(Self.early) == true, "\(account.text ?? "")")
  }

  @Test func `The work of an id may be a tree`() async {
    let account = await explored(.load) { flag, action in
      flag = action == .load
      guard action == .load else { return .none }
      return .run(id: "part", overlap: .concurrent) { send in send(.loaded) }
        .cancellable(id: "load", overlap: .restart)
    }
    #expect(account.text == nil)
    #expect(account.result.completeLevel == .steps)
  }
}

private struct TestFailed: Error {}
