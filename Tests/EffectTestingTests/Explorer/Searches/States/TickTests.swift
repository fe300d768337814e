// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// A timer that always sends the same action forgets its ticks, so a search of states ends.
struct TickTests {
  /// Beside a timer, something wakes between two ticks and something late sleeps from a tick on.
  private struct Watch: Reducer {
    struct State: Hashable, Sendable {
      var ticks = 0
      var woke: Int?
      var late: Int?
      var isStopped = false
    }

    enum Action: Equatable, Sendable { case start, tick, woke, late, stop }

    var isNumbered = false

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .start:
        let timer: Effect<Action> =
          isNumbered
          ? .timer(id: "timer", overlap: .restart, every: .seconds(2)) { _ in .tick }
          : .timer(id: "timer", overlap: .restart, every: .seconds(2), .tick)
        return .merge(
          timer,
          .run { send in
            try await send.sleep(for: .seconds(3))
            send(.woke)
          })
      case .tick:
        state.ticks = min(state.ticks + 1, 3)
        guard state.ticks == 2 else { return .none }
        return .run { send in
          try await send.sleep(for: .seconds(1))
          send(.late)
        }
      case .woke: state.woke = state.ticks
      case .late: state.late = state.ticks
      case .stop:
        state.isStopped = true
        return .cancel(id: "timer")
      }
      return .none
    }
  }

  private func explore(
    _ search: Exploration.Search, _ watch: Watch = Watch(), deadlines: Int = 20, budget: Int = 200_000
  ) async -> (states: Set<Watch.State>, result: Exploration, knowledge: SearchKnowledge) {
    var states: Set<Watch.State> = []
    var settings = ScheduleRunner.Settings()
    settings.deadlineLimit = deadlines
    let explorer = Explorer(budget: budget, search: search, seed: 1, settings: settings)
    explorer.checksRepeats = false
    await explorer.search { schedule in
      schedule.sharesNothing()
      let script = schedule.store(
        initialState: .init(), reducer: watch,
        finally: { state in
          states.insert(state)
          return true
        })
      script.send(.start)
      script.send(.stop)
    }
    return (states, explorer.result, explorer.runner.knowledge)
  }

  @Test(arguments: [(Exploration.Level.timers, 4), (.deliveries, 2)])
  func `All orders of the first deadlines lead only to states that are found`(
    level: Exploration.Level, deadlines: Int
  ) async {
    let found = await explore(.states(level), budget: 20_000)
    #expect(found.result.completeLevel == level, "\(found.result)")
    let all = await explore(.full(level), deadlines: deadlines)
    #expect(all.result.schedules > 500)
    #expect(all.states.isSubset(of: found.states))
    #expect(found.states.contains { $0.ticks == 3 && $0.late == 3 })
    Measured.print("\(level): \(found.result), \(found.states.count) final states; \(all.result), \(all.states.count)")
  }

  private func result(of watch: Watch, stops: Bool = true, finally: ((Watch.State) -> Bool)? = nil) async -> Exploration
  {
    await EffectTesting.explore(
      initialState: .init(), reducer: watch, budget: .schedules(2_000), options: .init(upTo: .timers),
      {
        script in
        script.send(.start)
        if stops { script.send(.stop) }
      }, always: { $0.ticks < 4 }, finally: finally)
  }

  @Test
  func `A timer that the script ends is complete, if it does not count its ticks`() async {
    #expect(await result(of: Watch(), finally: { $0.isStopped }).completeLevel == .timers)
    #expect(await result(of: Watch(isNumbered: true), finally: { $0.isStopped }).completeLevel == .answers)
  }

  @Test
  func `A job that comes late after a tick is not another closure, also if a closure makes the ticks`() async {
    let found = await explore(.states(.timers), Watch(isNumbered: true), deadlines: 6)
    #expect(!found.knowledge.capturesState && !found.knowledge.hasSurprise, "\(found.result)")
    let all = await explore(.full(.timers), Watch(isNumbered: true), deadlines: 3)
    #expect(all.result.schedules > 500)
    #expect(all.states.isSubset(of: found.states))
  }

  @Test
  func `A fault that counts the suspensions of a timer is tried at each of them`() async {
    var ends: Set<Int> = []
    let search = await SearchInTest(
      .states(.answers), budget: 500, faults: .anyOne(of: .cancel("timer", atSuspension: 6))
    ) {
      schedule in
      schedule.sharesNothing()
      let script = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Bool> { _, isTick in
          isTick ? .none : .timer(id: "timer", overlap: .restart, every: .seconds(1), true)
        },
        finally: { state in
          ends.insert(state)
          return true
        })
      script.send(false)
    }
    // Nothing else ends the timer.
    #expect(ends == [0], "\(search.result)")
  }

  @Test
  func `A timer that goes on for ever is complete, but not if something is required of the end`() async {
    let endless = await result(of: Watch(), stops: false)
    #expect(endless.completeLevel == .timers, "\(endless)")
    let failures = await reportedFailures {
      let required = await result(of: Watch(), stops: false, finally: { _ in true })
      #expect(required.completeLevel == nil, "\(required)")
    }
    #expect(failures.count == 1 && failures[0].contains("was never checked"), "\(failures)")
  }
}
