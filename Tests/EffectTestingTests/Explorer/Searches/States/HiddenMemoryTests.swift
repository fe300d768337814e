// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import EffectTesting

/// Memory that no state shows.
struct HiddenMemoryTests {
  /// A reducer that reads a lock that a run writes: nothing shows that the order of the two matters.
  private func hidden(_ search: Exploration.Search) async -> (text: String?, states: Set<Int>) {
    var states: Set<Int> = []
    let search = await SearchInTest(search, checks: true) { schedule in
      let memory = Shared(0)
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          if action == 1 {
            return .run { _ in
              memory.value = 7
              await Task.yield()
            }
          }
          state = memory.value
          return .none
        },
        finally: { state in
          states.insert(state)
          return true
        })
      run.send(1)
      run.send(2)
    }
    return (search.text, states)
  }

  @Test func `Memory that a reducer shares with a run is a part of the state`() async {
    for search in [Exploration.Search.full(.steps), .states(.steps)] {
      let found = await hidden(search)
      #expect(found.text == nil && found.states == [0, 7])
    }
  }

  @Test func `Memory that only runs share is not lost`() async {
    for kind in [Exploration.Search.full(.steps), .states(.steps)] {
      var sums: Set<Int> = []
      let search = await SearchInTest(kind, checks: true) { schedule in
        let memory = Shared(0)
        let run = schedule.store(
          initialState: 0,
          reducer: Reduce<Int, Int> { _, _ in
            .run { _ in
              let read = memory.value
              await Task.yield()
              memory.value = read + 1
            }
          },
          finally: { _ in
            sums.insert(memory.value)
            return true
          })
        run.send(1)
        run.send(1)
      }
      #expect(search.text == nil && sums == [1, 2])
    }
  }
}
