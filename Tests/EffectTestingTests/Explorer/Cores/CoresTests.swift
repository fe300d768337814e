// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectTesting

/// An exploration with several cores has the same result, and the same first failure, for any number of them.
@Suite struct CoresTests {
  private struct Search: Sendable, CustomTestStringConvertible {
    var search: Exploration.Search
    var name: String
    /// Whether `explore` without `cores` tries the same schedules.
    var isAlone = true
    var testDescription: String { name }
  }

  private static let searches = [
    Search(search: .levels(upTo: .steps), name: "standard", isAlone: false),
    Search(search: .full(.steps), name: "full"),
    Search(search: .reduced(.steps), name: "reduced", isAlone: false),
    Search(search: .random(.steps), name: "random", isAlone: false),
    Search(search: .priorities(.steps, changes: 3), name: "priorities", isAlone: false),
  ]

  /// How many schedules; the thread sanitizer takes ten times as long.
  #if TSAN
    private static let budgets = [40, 100]
  #else
    private static let budgets = TestSize.isLong ? [1, 40, 777, 2_000] : [1, 40]
  #endif

  private static func script(_ schedule: Exploration.Schedule, _ overlap: Overlap, always: ((Queries.State) -> Bool)?) {
    let server = Server()
    let run = schedule.store(
      initialState: Queries.State(), reducer: Queries(overlap: overlap, find: { await server.find($0) }), always: always
    )
    for query in 0..<3 { run.send(.typed(query)) }
  }

  @Test(arguments: searches, budgets)
  private func `The result does not depend on the number of cores`(search: Search, budget: Int) async {
    var texts: [String] = []
    for cores in [1, 2, 4] {
      let result = await explore(cores: cores, budget: .schedules(budget), options: .init(search: search.search)) {
        Self.script($0, .restart, always: nil)
      }
      #expect(result.schedules <= budget)
      texts.append("\(result)")
    }
    if search.isAlone {
      texts.append(
        "\(await explore(budget: .schedules(budget), options: .init(search: search.search)) { Self.script($0, .restart, always: nil) })"
      )
    }
    #expect(Set(texts).count == 1, "\(texts)")
  }

  @Test func `The largest budget needs no more memory than its schedules`() async {
    let failures = await reportedFailures {
      let result = await explore(cores: 2, budget: .schedules(.max)) {
        Self.script($0, .concurrent, always: { _ in false })
      }
      #expect(result.schedules == 1)
    }
    #expect(failures.count == 1)
  }

  @Test(arguments: searches)
  private func `The failure and its text do not depend on the number of cores`(search: Search) async {
    var found: [[Failure]] = []
    for cores in [1, 2, 4] {
      found.append(
        await failures {
          await explore(cores: cores, options: .init(search: search.search)) {
            Self.script($0, .concurrent, always: Queries.isFresh)
          }
        })
    }
    found.append(
      await failures {
        await explore(options: .init(search: search.search)) { Self.script($0, .concurrent, always: Queries.isFresh) }
      })
    let texts = found.map { $0.map(\.text) }
    #expect(texts[0].count == 1)
    #expect(Set(texts).count == 1, "\(texts)")
  }

  @Test func `A failure of a late part is that of the schedule that a single core finds`() async {
    // Two updates are lost if both runs read before one writes.
    @Sendable func body(_ schedule: Exploration.Schedule) {
      let number = Shared(0)
      let disk = Disk(number)
      let update: Effect<Int> = .run { _ in await disk.set(await disk.get() + 1) }
      let run = schedule.store(
        initialState: 0, reducer: Planted { _, _ in update }, requiring: [.nothingRunsAtTheEnd],
        finally: { _ in number.value == 2 })
      run.send(1)
      run.send(2)
    }
    var texts: Set<[String]> = []
    for cores in [1, 2, 3] {
      let found = await failures {
        await explore(cores: cores, options: .init(search: .full(.steps))) { body($0) }
      }
      texts.insert(found.map(\.text))
    }
    texts.insert(await failures { await explore(options: .init(search: .full(.steps))) { body($0) } }.map(\.text))
    #expect(texts.count == 1)
    #expect(texts.first?.first?.contains("Found by schedule") == true)
  }

  @Test func `An exhaustive search has many parts, and an explorer for each`() async {
    let made = Tally()
    @Sendable func explorer(_ budget: Int) -> Explorer {
      made.increment()
      return Explorer(
        budget: budget, search: .full(.deliveries), seed: 1, settings: ScheduleRunner.Settings())
    }
    let whole = explorer(1_000)
    await whole.search(cores: 2, explorer) { schedule in
      // Three runs that end in any order, and something that waits for them.
      schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, _ in
          let runs = Effect<Int>.merge((0..<3).map { _ in .run { _ in } })
          return .concatenate(runs, .cancel(id: "x"))
        }
      ).send(0)
    }
    #expect(whole.failureText == nil && whole.result.completeCount == 90)
    #expect(made.value > SearchParts.leastCount)
  }

  @Test func `A level that has no budget left is one at which the search has stopped`() async {
    // Two schedules at random, and then the only one at the level `answers`.
    let result = await explore(cores: 2, budget: .schedules(3)) { schedule in
      schedule.store(initialState: 0, reducer: Planted<Int, Int> { _, _ in .none }).send(0)
    }
    #expect(result.schedules == 3 && result.completeLevel == .answers)
    #expect(result.hasMore && result.stopped?.level == .timers && result.stopped?.schedules == 0)
  }

  @Test func `A reduction that is wrong ends the search`() async {
    @Sendable func explorer(_ budget: Int) -> Explorer {
      Explorer(budget: budget, search: .reduced(.steps), seed: 1, settings: ScheduleRunner.Settings())
    }
    let (once, twice) = (explorer(1_000), explorer(1_000))
    twice.phases = once.phases + once.phases
    for whole in [once, twice] {
      await whole.search(cores: 2, explorer) { schedule in
        // Nothing shows that the order of the run and the second action matters.
        let memory = Shared(0)
        let run = schedule.store(
          initialState: 0,
          reducer: Planted<Int, Int> { state, action in
            if action == 1 {
              return .run { _ in
                memory.value = 7
                await Task.yield()
              }
            }
            state = memory.value
            return .none
          }, finally: { _ in true })
        run.send(1)
        run.send(2)
      }
      #expect(whole.failureText?.hasPrefix("The search has left out schedules that matter.") == true)
    }
    #expect(twice.result.schedules == once.result.schedules)
  }

  @Test func `A reduced search has the same classes`() async {
    let alone = await explore(options: .init(search: .reduced(.steps))) {
      Self.script($0, .restart, always: nil)
    }
    let result = await explore(cores: 2, options: .init(search: .reduced(.steps))) {
      Self.script($0, .restart, always: nil)
    }
    #expect(result.completeLevel == .steps)
    #expect("\(result)" == "\(alone)")
  }

  @Test func `Named states and requirements count in all parts together`() async {
    let result = await explore(
      cores: 2, initialState: Queries.State(), reducer: Queries(overlap: .concurrent),
      requiring: [.nothingRunsAtTheEnd], sometimes: ["the older one came last": { $0.results == 0 && $0.query == 1 }],
      options: .init(search: .full(.steps))
    ) { run in
      run.send(.typed(0))
      run.send(.typed(1))
    }
    #expect(result.completeLevel == .steps)
    let line = #line + 2
    let found = await failures {
      await explore(
        cores: 2, initialState: Queries.State(), reducer: Queries(overlap: .restart),
        sometimes: ["the older one came last": { $0.results == 0 && $0.query == 1 }],
        options: .init(search: .full(.steps))
      ) { run in
        run.send(.typed(0))
        run.send(.typed(1))
      }
    }
    #expect(found.map(\.line) == [line])
    let beginning = "No schedule reached this state of `sometimes:`: `the older one came last`."
    #expect(found.first?.text.hasPrefix(beginning) == true)
  }

  @Test func `A schedule is replayed, and no core is a mistake`() async {
    var failure: String?
    let found = await failures {
      failure = await explore(cores: 2) { Self.script($0, .concurrent, always: Queries.isFresh) }.failure
      let again = await explore(cores: 2, replaying: failure) {
        Self.script($0, .concurrent, always: Queries.isFresh)
      }
      #expect(again.schedules == 1)
      #expect(again.failure == failure)
      await explore(cores: 0) { Self.script($0, .concurrent, always: Queries.isFresh) }
    }
    #expect(failure?.isEmpty == false)
    #expect(found.prefix(2).allSatisfy { $0.text.hasPrefix("After a reduction `always` does not hold.") })
    #expect(
      found.dropFirst(2).map(\.text) == ["`cores: 0` runs no schedule. Use 1 or more, for example `cores: 2`."])
  }

  @Test func `A body without a store, and a cancelled caller, end the search`() async {
    let found = await failures { await explore(cores: 2) { _ in } }
    #expect(found.map(\.text) == [FailureText.noStore])
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await explore(cores: 2) { Self.script($0, .restart, always: nil) }
    }
    #expect(await task.value.schedules == 0)
  }
}
