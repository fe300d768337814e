// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import Testing

@testable import EffectTesting

/// What a search that was stopped names: with less of it there are fewer states, by about the factor that is said.
@Suite struct StateWeightsTests {
  @Test func `A line that is in several situations multiplies by them, one that is in one does not`() {
    var weights = StateWeights()
    for run in 0..<4 {
      for deadline in 0..<2 {
        weights.begin()
        if run > 0 { weights.add("run", "the run", run) }
        if run > 0 { weights.add("run", isDeadline: true, "its deadline", run == 3 ? 1 : run) }
        if deadline > 0 { weights.add("deadline", isDeadline: true, "the deadline", deadline) }
        weights.add("script", "the script", 1)
        weights.keep()
      }
    }
    // A state that was reached before.
    weights.begin()
    weights.add("script", "the script", 7)
    #expect(weights.heaviest.map(\.name) == ["the run", "the deadline"])
    #expect(weights.heaviest.map(\.factor) == [4, 2])
    #expect(
      weights.advice == "; the states multiply by the run (4 times) and the deadline (2 times): try with fewer of them")
    #expect(StateWeights().advice.isEmpty)
  }

  /// A load with two parts and a time limit, and a note that is written.
  private struct Feature: Reducer {
    enum Action: Sendable { case load, note, loaded, logOut }

    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      switch action {
      case .load:
        .run(id: "load", overlap: .concurrent) { send in
          try await send.sleep(for: .seconds(1))
          await Task.yield()
          send(.loaded)
        } catch: { _, _ in
        }
        .timeout(after: .seconds(5))
      case .note: .run { _ in await Task.yield() }
      case .loaded: .none
      case .logOut: .cancel(.everything)
      }
    }
  }

  private func states(_ script: [Feature.Action], budget: Int = 20_000) async -> (count: Int?, text: String) {
    let explorer = Explorer(
      budget: budget, search: .states(.timers), seed: 1, settings: ScheduleRunner.Settings())
    await explorer.search { schedule in
      schedule.sharesNothing()
      let store = schedule.store(initialState: 0, reducer: Feature())
      for action in script { store.send(action) }
    }
    return (explorer.result.completed.last?.states, "\(explorer.result)")
  }

  @Test func `The factor of the faults is that of all states by those without one`() async throws {
    func result(_ faults: Exploration.Faults, budget: Int) async -> Exploration {
      await SearchInTest(.states(.timers), budget: budget, faults: faults) { schedule in
        schedule.sharesNothing()
        let store = schedule.store(initialState: 0, reducer: Feature())
        for action in [Feature.Action.load, .load, .logOut] { store.send(action) }
      }.result
    }
    let faults = Exploration.Faults.anyOne(of: .fail("load"), .hang("load"))
    let all = try #require(await result(faults, budget: 20_000).completed.last?.states)
    let without = try #require(await result(.none, budget: 20_000).completed.last?.states)
    #expect(all > without * 3, "\(all), \(without)")
    let stopped = await result(faults, budget: all)
    #expect("\(stopped)".contains("the faults ("), "\(stopped)")
  }

  @Test func `With one load less there are fewer states, by more than the factor of a note`() async throws {
    let script: [Feature.Action] = [.load, .load, .load, .note, .logOut]
    let stopped = await states(script, budget: 150)
    #expect(stopped.text.contains("the states multiply by "), "\(stopped.text)")
    #expect(stopped.text.contains("run(\"load\")"), "\(stopped.text)")
    let all = try #require(await states(script).count)
    let withoutLoad = try #require(await states([.load, .load, .note, .logOut]).count)
    let withoutNote = try #require(await states([.load, .load, .load, .logOut]).count)
    #expect(withoutLoad * 2 <= all && withoutLoad < withoutNote, "\(all), \(withoutLoad), \(withoutNote)")
  }
}
