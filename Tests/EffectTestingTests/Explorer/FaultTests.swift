// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// What goes wrong on purpose, together with every order.
struct FaultTests {
  private struct State: Equatable {
    var isLoading = false
    var loaded = 0
    var hasFailed = false
  }

  private enum Action: Sendable { case load, loaded, failed }

  private func feature(
    catches: Bool = true, timeout: Duration? = nil, counts: Bool = false
  ) -> Planted<State, Action> {
    Planted { state, action in
      switch action {
      case .load:
        state.isLoading = true
        let load = Effect<Action>.run(id: "load", overlap: .restart) { send in
          send(.loaded)
        } catch: { _, send in
          if catches { send(.failed) }
        }
        return timeout.map { load.timeout(after: $0) } ?? load
      case .loaded:
        state.isLoading = false
        state.loaded = counts ? state.loaded + 1 : 1
        return .none
      case .failed:
        state.isLoading = false
        state.hasFailed = true
        return .none
      }
    }
  }

  private func account(
    _ reducer: Planted<State, Action>, _ faults: Exploration.Faults, finally: @escaping (State) -> Bool
  ) async -> Exploration {
    await Account(search: .depthFirst(.descend), faults: faults) { schedule in
      schedule.store(initialState: State(), reducer: reducer, finally: finally).send(.load)
    }.result
  }

  @Test func `A run that fails goes to its catch, and a flag that stays behind is found`() async {
    var seen: Set<Bool> = []
    let mended = await account(feature(), .anyOne(of: .fail("load"))) { state in
      seen.insert(state.hasFailed)
      return !state.isLoading
    }
    #expect("\(mended)" == "complete at grain descend: 2 schedules")
    #expect(seen == [false, true])
    let bug = await account(feature(catches: false), .anyOne(of: .fail("load"))) { !$0.isLoading }
    #expect(bug.failure == "descend: u d c1 e0 e0")
  }

  @Test func `A run that hangs needs a time limit`() async {
    let bug = await account(feature(), .anyOne(of: .hang("load"))) { !$0.isLoading }
    #expect(bug.failure == "descend: u d c1 e0")
    let mended = await account(feature(timeout: .seconds(5)), .anyOne(of: .hang("load"))) { !$0.isLoading }
    #expect(mended.completeGrain == .descend)
  }

  @Test func `A run that is delayed meets its time limit, or not`() async {
    for (delay, fails) in [(Duration.seconds(1), [false, true]), (.seconds(9), [true])] {
      var seen: Set<Bool> = []
      _ = await account(feature(timeout: .seconds(5)), .anyOne(of: .delay("load", by: delay))) { state in
        seen.insert(state.hasFailed)
        return true
      }
      #expect(seen.isSuperset(of: fails))
    }
  }

  @Test func `An action that comes twice is reduced twice`() async {
    let bug = await account(feature(counts: true), .anyOne(of: .duplicate("load"))) { $0.loaded == 1 }
    #expect(bug.failure == "descend: u d c1 e0 d d")
    let mended = await account(feature(), .anyOne(of: .duplicate("load"))) { $0.loaded == 1 }
    #expect(mended.completeGrain == .descend)
  }

  @Test func `At most one fault strikes a schedule, and each run of the id is struck in some`() async {
    var counts: [Int] = []
    let result = await Account(
      search: .depthFirst(.descend), delivery: .eager, faults: .anyOne(of: .fail("x"), .hang("x"))
    ) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          if action == 0 {
            return .merge(
              [1, 2].map { _ in
                .run(id: "x") {
                  $0(1)
                } catch: { _, send in
                  send(10)
                }
              })
          }
          state += action
          return .none
        },
        finally: { total in
          counts.append(total)
          return true
        })
      run.send(0)
    }.result
    #expect(result.completeGrain == .descend)
    #expect(Set(counts) == [2, 11, 1])
  }
}
