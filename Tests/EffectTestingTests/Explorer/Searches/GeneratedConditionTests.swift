// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// A door with a lock. It must not be locked while it is open; the button for that is not shown then.
private struct Entrance: Reducer {
  struct State: Equatable {
    var isOpen = false
    var isLocked = false
    var bell = 0
  }
  enum Action: Equatable, Sendable { case open, close, lock, ring(Int) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .open: state.isOpen = true
    case .close: state.isOpen = false
    case .lock: state.isLocked = true
    case .ring(let count): state.bell += count
    }
    return .none
  }

  @Sendable static func isShown(_ state: State, _ action: Action) -> Bool {
    switch action {
    case .open: !state.isLocked && !state.isOpen
    case .close: state.isOpen
    case .lock: !state.isOpen && !state.isLocked
    case .ring(let count): state.bell + count <= 3
    }
  }
}

/// Actions that the search chooses, and that the state must allow.
struct GeneratedConditionTests {
  private func found(
    _ search: Exploration.Search, schedules: Int = 20_000, upTo limit: Int, always: @escaping (Entrance.State) -> Bool
  ) async -> Account {
    await Account(schedules: schedules, search: search) { schedule in
      schedule.store(initialState: Entrance.State(), reducer: Entrance(), always: always)
        .send(
          anyOf: [.open, .close, .lock], .values(1...3).map(Entrance.Action.ring), upTo: limit, where: Entrance.isShown)
    }
  }

  @Test func `An action is sent only in states that allow it`() async {
    // At the levels at which it is reduced at once, the condition is that of the reduction.
    for search in [Exploration.Search.full(.timers), .states(.answers)] {
      let account = await found(search, upTo: 3) { !($0.isOpen && $0.isLocked) && $0.bell <= 3 }
      #expect(account.text == nil)
      #expect(account.result.completeLevel != nil, "\(account.result)")
    }
  }

  @Test func `An action may be sent before the one that forbids it is reduced`() async {
    for search in [Exploration.Search.full(.deliveries), .states(.deliveries)] {
      let account = await Account(schedules: 20_000, search: search) { schedule in
        schedule.sharesNothing()
        schedule.store(initialState: Entrance.State(), reducer: Entrance(), always: { !($0.isOpen && $0.isLocked) })
          .send(anyOf: [.open, .lock], upTo: 2, where: Entrance.isShown)
      }
      #expect(account.text != nil, "\(account.result)")
    }
  }

  @Test func `What is possible is tried, and a failure shows only actions that were sent`() async throws {
    for search in [Exploration.Search.full(.timers), .states(.timers), .random(.timers)] {
      let text = try #require(await found(search, upTo: 4) { !($0.isLocked && $0.bell == 3) }.text)
      #expect(text.contains("script.send(.lock)") && text.contains("script.send(.ring(3))"), "\(text)")
      #expect(!text.contains("script.send(.close)") && !text.contains("script.send(.open)"), "\(text)")
    }
  }

  @Test func `Where actions may wait, the state may change between a send and its reduction`() async {
    let account = await found(.states(.deliveries), upTo: 2) { !($0.isOpen && $0.isLocked) }
    #expect(account.text?.hasPrefix("After a reduction `always` does not hold.") == true)
  }

  @Test(arguments: [false, true])
  func `The order of an answer and a conditional action is not left out`(hasSender: Bool) async {
    /// Whether the button that a load enables was pressed before or after the second load.
    func ends(_ search: Exploration.Search) async -> Set<[Int]> {
      var ends: Set<[Int]> = []
      let account = await Account(search: search) { schedule in
        let run = schedule.store(
          initialState: [],
          reducer: Reduce<[Int], Int> { state, action in
            state.append(action)
            return action == 0 ? .run { send in send(1) } : .none
          },
          finally: {
            ends.insert($0)
            return true
          })
        run.send(0)
        func press(_ run: Exploration.Script<Int>) {
          run.send(anyOf: [2], upTo: 1) { (state: [Int], _) in state.contains(1) }
        }
        if hasSender { run.sender("ann") { press($0) } } else { press(run) }
      }
      #expect(account.text == nil)
      return ends
    }
    for level in Exploration.Level.allCases {
      #expect(await ends(.full(level)) == [[0, 1], [0, 1, 2]], "\(level)")
      #expect(await ends(.states(level)) == [[0, 1], [0, 1, 2]], "\(level)")
    }
  }

  @Test func `A sender of its own may have conditions`() async {
    let account = await Account(search: .states(.answers)) { schedule in
      let run = schedule.store(
        initialState: Entrance.State(), reducer: Entrance(), always: { !($0.isOpen && $0.isLocked) && $0.bell <= 3 })
      run.sender("ann") { $0.send(anyOf: [.open, .lock], upTo: 2, where: Entrance.isShown) }
      run.sender("bob") { $0.send(anyOf: [.ring(2), .close], upTo: 2, where: Entrance.isShown) }
    }
    #expect(account.text == nil && account.result.completeLevel == .answers, "\(account.result)")
  }

  @Test func `A condition of another state is a mistake that names both types`() async {
    let account = await Account { schedule in
      schedule.store(initialState: Entrance.State(), reducer: Entrance())
        .send(anyOf: [.open], upTo: 1) { (state: Int, _) in state > 0 }
    }
    #expect(account.text?.contains("takes a state of the type `Int`") == true, "\(account.text ?? "")")
    #expect(account.text?.contains("Entrance.State") == true)
  }
}
