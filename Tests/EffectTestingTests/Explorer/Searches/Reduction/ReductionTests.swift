// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import Testing

@testable import EffectTesting

/// A reduced search, as a test uses it.
struct ReductionTests {
  private func queries(
    _ count: Int, _ search: Exploration.Search, budget: Int = 1_000_000,
    always: (@Sendable (Queries.State) -> Bool)? = Queries.isFresh
  ) async -> ReducedSearch {
    await ReducedSearch(search, budget: budget, checks: true) { schedule in
      let server = Server()
      let run = schedule.store(
        initialState: .init(), reducer: Queries(find: { await server.find($0) }), always: always)
      for query in 0..<count { run.send(.typed(query)) }
    }
  }

  /// How many classes there are of queries that call an actor: by a model that has the states of the script, the mailbox, the
  /// runs and the actor, and a sleep set for each of them.
  @Test(arguments: [(1, 1), (2, 25), (3, 2_019), (4, 361_983)])
  func `Queries that call an actor have so many classes`(count: Int, classes: Int) async {
    // The largest case takes minutes in debug.
    guard classes < 10_000 || ProcessInfo.processInfo.environment["EFFECTS_REDUCE_QUERIES"] == "\(count)" else {
      return
    }
    let search = await queries(count, .reduced(.steps))
    #expect(search.text == nil)
    #expect("\(search.result)" == "complete: steps (\(Exploration.grouped(classes)))")
    #expect(search.result.schedules == classes)
  }

  @Test func `The standard search climbs the levels, and leaves out equivalent schedules at each`() async {
    let search = await queries(3, .levels(upTo: .steps), budget: 6_000)
    #expect(search.result.completed.map(\.level) == Exploration.Level.allCases)
    #expect(search.result.completeCount == 2_019)
    #expect(search.result.schedules > 2_019)
  }

  @Test func `What is not finished says how many schedules were equivalent to others`() async {
    let search = await ReducedSearch(.reduced(.steps), budget: 1_000) { schedule in
      let server = Server()
      let run = schedule.store(initialState: .init(), reducer: Queries(find: { await server.find($0) }))
      for query in 0..<3 { run.send(.typed(query)) }
    }
    #expect(search.result.completeLevel == nil && search.result.schedules + search.result.redundant == 1_000)
    let redundant = Exploration.grouped(search.result.redundant)
    #expect(
      "\(search.result)"
        == "stopped at steps after \(search.result.schedules) schedules, and \(redundant) that were equivalent to others; "
        + "there are more; \(Exploration.Burden.runs.advice)")
  }

  @Test func `A failure of a reduced search is replayed without it`() async {
    let fails: @Sendable (Queries.State) -> Bool = { !($0.query == 1 && $0.results == 1) }
    let search = await queries(2, .reduced(.steps), always: fails)
    let failure = search.result.failure ?? ""
    #expect(search.result.failures == 1 && !failure.isEmpty)
    let replayed = await Account(replaying: failure) { schedule in
      let server = Server()
      let run = schedule.store(initialState: .init(), reducer: Queries(find: { await server.find($0) }), always: fails)
      for query in 0..<2 { run.send(.typed(query)) }
    }
    #expect(replayed.result.failures == 1)
  }

  /// A reducer that reads a lock that a run writes: nothing shows that the order of the two matters.
  private func hidden(_ search: Exploration.Search) async -> (text: String?, states: Set<Int>) {
    var states: Set<Int> = []
    let search = await ReducedSearch(search, checks: true) { schedule in
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

  @Test func `Memory that a reducer shares with a run is noticed by schedules that are compared`() async {
    let full = await hidden(.full(.steps))
    #expect(full.text == nil && full.states == [0, 7])
    let text = await hidden(.reduced(.steps)).text ?? ""
    #expect(text.hasPrefix("The search has left out schedules that matter."))
    #expect(text.contains("explore(…, replaying: \"u "))
    #expect(text.contains("\n    7\n") && text.contains("\n    0\n"))
  }

  @Test func `Schedules that differ in a violation and not in the state have different outcomes`() async {
    var texts: [String] = []
    for seed in 0..<200 as Range<UInt64> {
      var passes: [Bool] = []
      let explorer = Explorer(budget: 1, search: .reduced(.steps), seed: seed, settings: ScheduleRunner.Settings())
      let agrees = await explorer.agrees(.steps, classes: 1) { schedule in
        let (memory, seen) = (Shared(0), Shared(0))
        let run = schedule.store(
          initialState: 0,
          reducer: Reduce<Int, Int> { _, action in
            if action == 1 {
              return .run { _ in
                memory.value = 7
                await Task.yield()
              }
            }
            seen.value = memory.value
            return .none
          },
          finally: { _ in
            passes.append(seen.value == 0)
            return seen.value == 0
          })
        run.send(1)
        run.send(2)
      }
      // A first schedule with a violation is a failure whatever the second one does.
      if !agrees, passes.prefix(2) == [true, false] { texts.append(explorer.failureText ?? "") }
    }
    #expect(!texts.isEmpty && texts.allSatisfy { $0.contains("violates `finally`") })
  }

  @Test func `Memory that only runs share is not lost`() async {
    for kind in [Exploration.Search.full(.steps), .reduced(.steps)] {
      var sums: Set<Int> = []
      let search = await ReducedSearch(kind, checks: true) { schedule in
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

  @Test func `An equivalent schedule has the same steps in another order, with the same jobs and numbers`() async {
    var changed = 0
    for seed in 0..<40 as Range<UInt64> {
      let explorer = Explorer(budget: 1, search: .levels(upTo: .steps), seed: 1, settings: ScheduleRunner.Settings())
      let body: (Exploration.Schedule) -> Void = { schedule in
        let server = Server()
        let run = schedule.store(initialState: .init(), reducer: Queries(find: { await server.find($0) }))
        for query in 0..<3 { run.send(.typed(query)) }
      }
      let first = await explorer.account(of: RecordedWalk(seed: seed), .steps, isTraced: false) { body($0) }
      guard let walk = first.strategy as? RecordedWalk else {
        Issue.record("no walk")
        return
      }
      #expect(!walk.isOpaque && walk.steps.count == first.steps.count { $0.kind != .choice })
      let second = await explorer.account(of: ReorderedSchedule(walk, seed: seed), .steps, isTraced: false) {
        body($0)
      }
      guard let order = second.strategy as? ReorderedSchedule, !order.isOther else { continue }
      #expect(order.isComplete && second.state == first.state && second.steps.count == first.steps.count)
      if order.isChanged { changed += 1 }
    }
    #expect(changed > 10)
  }
}
