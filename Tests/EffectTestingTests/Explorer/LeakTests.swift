// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// The objects that remain after a schedule.
struct LeakTests {
  @Test func `Runs that still wait when a schedule ends are ended and released`() async {
    let released = Tally()
    var made = 0
    let result = await explore(budget: .schedules(2_000), options: .init(search: .random(.steps))) { schedule in
      let door = Door(isOpen: false)
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { [counted = Counted(released)] _, action in
          guard action < 3 else { return .none }
          return .merge(
            .run(name: "sleeps") { [counted] send in
              try await send.sleep(for: .seconds(1))
              withExtendedLifetime(counted) { _ = send(3) }
            },
            .run(name: "waits") { [counted] _ in
              await door.enter()
              withExtendedLifetime(counted) {}
            },
            .run(id: "queue", overlap: .enqueue) { [counted] send in
              _ = await send.delivered(3)
              withExtendedLifetime(counted) {}
            })
        })
      made += 1
      for action in 0..<3 { run.send(action) }
    }
    #expect(result.schedules == 2_000)
    // All except the objects that the next schedule uses again.
    #expect(released.value >= made - 1)
  }

  @Test func `An action that a run sends after the exploration is not accepted, and leaves nothing behind`() async {
    final class Kept: @unchecked Sendable { var send: Send<Int>? }  // used by one task at a time
    let kept = Kept()
    let result = await explore(
      initialState: 0, reducer: Planted<Int, Int> { _, _ in .run { kept.send = $0 } }
    ) { $0.send(0) }
    #expect("\(result)".hasPrefix("complete: "))
    #expect(kept.send?(1) == false)
  }

  @Test func `A store that schedule after schedule uses remembers no run of an earlier one`() async throws {
    let explorer = Explorer(budget: 100, search: .full(.deliveries), seed: 1, settings: ScheduleRunner.Settings())
    explorer.checksRepeats = false
    await explorer.search { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          state += 1
          let answer = Effect<Int>.run { send in send(1) }
          return action == 0 ? .merge(answer, answer) : .none
        })
      run.send(0)
    }
    #expect(explorer.result.schedules > 1)
    let store = try #require(explorer.runner.spareFeature as? ExploredStore<Planted<Int, Int>>)
    #expect(store.absorbed.count == 2, "the runs of the last schedule")
  }

  @Test func `A schedule uses the store of the schedule before again`() async {
    let explorer = Explorer(budget: 100, search: .full(.deliveries), seed: 1, settings: ScheduleRunner.Settings())
    explorer.checksRepeats = false
    var reused = 0
    await explorer.search { schedule in
      let spare = schedule.runner.spareFeature
      _ = schedule.choose(3)
      schedule.store(initialState: 0, reducer: Planted<Int, Int> { _, _ in .none }).send(0)
      if let spare, schedule.runner.schedule.feature === spare { reused += 1 }
    }
    #expect(reused > 0 && reused == explorer.result.schedules - 1)
  }

  @MainActor
  @Test func `An exploration runs on the isolation of its caller`() async {
    final class Seen { var orders: [[Int]] = [] }
    let seen = Seen()
    let result = await explore(
      initialState: [],
      reducer: Reduce<[Int], Int> { state, action in
        state.append(action)
        return action == 0 ? .merge(.run { send in send(1) }, .run { send in send(2) }) : .none
      }, options: .init(search: .full(.steps))
    ) { run in
      MainActor.assertIsolated()
      run.send(0)
    } finally: { state in
      seen.orders.append(state)
      return true
    }
    #expect("\(result)" == "complete: steps (4)")
    #expect(Set(seen.orders) == [[0, 1, 2], [0, 2, 1]])
  }
}
