// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

/// Features that can go on for ever, and features that go on for long and end.
@Suite struct CycleTests {
  enum Action: Sendable, Equatable { case begin, tick, ping, pong, failed, opened, edited, logOut }

  struct State: Equatable, Sendable {
    var isOn = true
    var count = 0
    var isOpen = false
  }

  struct Case: Sendable {
    let name: String
    var script: [Action] = [.begin]
    /// A state that must be reached; an end otherwise.
    var mustOpen = false
    let reduce: @Sendable (inout State, Action, Exploration.Schedule) -> Effect<Action>
  }

  private static func after(_ seconds: Int, _ action: Action) -> Effect<Action> {
    .run { send in
      try await send.sleep(for: .seconds(seconds))
      send(action)
    }
  }

  static let endless: [Case] = [
    Case(name: "a reconnect without a limit", mustOpen: true) { state, action, _ in
      action == .failed || action == .begin ? after(1, .failed) : .none
    },
    Case(name: "a reconnect that may open each time", mustOpen: true) { state, action, schedule in
      if action == .opened { state.isOpen = true }
      guard action == .begin || action == .failed else { return .none }
      return after(1, schedule.choose(2) == 0 ? .failed : .opened)
    },
    Case(name: "a reconnect in a `catch`") { state, action, _ in
      guard action == .begin || action == .failed else { return .none }
      return .run { _ in
        throw Refused()
      } catch: { _, send in
        try? await send.sleep(for: .seconds(2))
        send(.failed)
      }
    },
    Case(name: "two features that answer each other") { _, action, _ in
      switch action {
      case .begin, .pong: .run { send in send(.ping) }
      case .ping: .run { send in send(.pong) }
      default: .none
      }
    },
    Case(name: "two features that answer each other later") { _, action, _ in
      switch action {
      case .begin, .pong: after(1, .ping)
      case .ping: after(2, .pong)
      default: .none
      }
    },
    Case(name: "a debounce that feeds itself") { _, action, _ in
      action == .begin || action == .edited
        ? .run(id: "save", overlap: .restart) { send in send(.edited) }.debounce(for: .seconds(1)) : .none
    },
    Case(name: "a timer that restarts itself") { _, action, _ in
      action == .begin || action == .tick
        ? .run(id: "timer", overlap: .restart) { send in
          try await send.sleep(for: .seconds(1))
          send(.tick)
        } : .none
    },
    Case(name: "a timer that starts again when it was stopped") { state, action, _ in
      switch action {
      case .begin: return after(1, .tick)
      case .tick:
        state.isOn.toggle()
        return after(1, .tick)
      default: return .none
      }
    },
    Case(name: "a counter that begins again") { state, action, _ in
      state.count = (state.count + 1) % 5
      return action == .begin || action == .tick ? after(1, .tick) : .none
    },
    Case(name: "a sequence that begins itself again") { _, action, _ in
      action == .begin || action == .tick
        ? .concatenate(.run { send in try await send.sleep(for: .seconds(1)) }, .run { send in send(.tick) }) : .none
    },
  ]

  static let ending: [Case] = [
    Case(name: "a reconnect with a limit") { state, action, _ in
      state.count += 1
      return state.count < 12 ? after(1, .failed) : .none
    },
    Case(name: "a reconnect until the log-out", script: [.begin, .logOut]) { state, action, _ in
      if action == .logOut { return .cancel(.everything) }
      return after(1, .failed)
    },
    Case(name: "an end that may be taken at any time lets the next run begin", script: [.begin, .tick], mustOpen: true)
    {
      state, action, _ in
      switch action {
      case .begin: return .run(id: "work", overlap: .drop) { _ in }
      case .opened:
        state.isOpen = true
        return .none
      default:
        guard !state.isOpen else { return .none }
        return .merge(.run(id: "work", overlap: .drop) { send in send(.opened) }, after(1, .tick))
      }
    },
    Case(name: "answers until the log-out", script: [.begin, .logOut]) { state, action, _ in
      if action == .logOut { state.isOn = false }
      guard state.isOn else { return .none }
      return .run { send in send(action == .ping ? .pong : .ping) }
    },
    // Behind an end that only a turn can show, neither the script nor a run is offered.
    Case(name: "answers that drop others until the log-out", script: [.begin, .logOut]) { state, action, _ in
      switch action {
      case .logOut: state.isOn = false
      case .ping where state.isOn: return .run(id: "pong", overlap: .drop) { send in send(.pong) }
      case .begin, .pong: if state.isOn { return .run(id: "ping", overlap: .drop) { send in send(.ping) } }
      default: break
      }
      return .none
    },
    Case(name: "answers until a time limit", script: [.begin, .tick]) { state, action, _ in
      switch action {
      case .tick: return after(3, .logOut)
      case .logOut:
        state.isOn = false
        return .none
      default:
        return state.isOn ? .run { send in send(action == .ping ? .pong : .ping) } : .none
      }
    },
    Case(name: "a heartbeat until an answer", script: [.begin, .edited]) { state, action, _ in
      switch action {
      case .edited:
        return .run { send in
          for _ in 0..<3 { await Task.yield() }
          send(.logOut)
        }
      case .logOut: return .cancel(.everything)
      default: return after(1, .tick)
      }
    },
    Case(name: "a timer with twelve ticks") { _, action, _ in
      guard action == .begin else { return .none }
      return .run { send in
        for _ in 0..<12 {
          try await send.sleep(for: .seconds(1))
          send(.tick)
        }
      }
    },
    Case(name: "a debounce of three edits", script: [.edited, .edited, .edited]) { _, action, _ in
      action == .edited
        ? .run(id: "save", overlap: .restart) { send in send(.tick) }.debounce(for: .seconds(1)) : .none
    },
    Case(name: "retries that run out") { _, action, _ in
      guard action == .begin else { return .none }
      return .run { _ in
        throw Refused()
      } catch: { _, send in
        send(.failed)
      }
      .retry(attempts: 6, backoff: .constant(.seconds(1)))
    },
    Case(name: "a switch that goes back", script: [.tick, .tick, .tick, .tick]) { state, _, _ in
      state.isOn.toggle()
      return .none
    },
    Case(name: "a reconnect whose second attempt opens", mustOpen: true) { state, action, _ in
      state.count += 1
      if state.count == 3 { state.isOpen = true }
      return state.count < 3 ? after(1, .failed) : .none
    },
  ]

  private struct Refused: Error {}

  private func explored(_ tried: Case, replaying: String? = nil) async -> Account {
    await Account(replaying: replaying) { schedule in
      schedule.sharesNothing()
      let store = schedule.store(
        initialState: State(),
        reducer: Reduce<State, Action> { state, action in tried.reduce(&state, action, schedule) },
        eventually: tried.mustOpen ? { $0.isOpen } : nil, finally: tried.mustOpen ? nil : { _ in true })
      for action in tried.script { store.send(action) }
    }
  }

  @Test(arguments: endless.map(\.name)) func `A cycle that reaches nothing is a failure`(name: String) async throws {
    let tried = try #require(Self.endless.first { $0.name == name })
    let account = await explored(tried)
    #expect(account.text?.contains("it can repeat for ever") == true, "\(account.text ?? "\(account.result)")")
    #expect(account.text?.contains("These actions repeat for ever:") == true)
    let failure = try #require(account.result.failure)
    let again = await explored(tried, replaying: failure)
    #expect(again.text?.contains("it can repeat for ever") == true, "\(failure): \(again.text ?? "")")
    // The random schedules come first: one in a million of them never opens.
    #expect(account.result.schedules <= (tried.name.contains("may open") ? 1_000 : 200))
  }

  @Test(arguments: ending.map(\.name)) func `What ends is no cycle`(name: String) async throws {
    let tried = try #require(Self.ending.first { $0.name == name })
    let account = await explored(tried)
    #expect(account.text == nil, "\(account.text ?? "")")
  }
}
