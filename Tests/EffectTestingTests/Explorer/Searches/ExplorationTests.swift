// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import Testing

@testable import EffectTesting

/// The results that an exploration reports, and the properties that it checks.
struct ExplorationTests {
  private func typing(_ schedule: Exploration.Schedule, _ overlap: Overlap = .restart, queries: Int = 3) {
    let run = schedule.store(
      initialState: .init(), reducer: Queries(overlap: overlap), always: Queries.isFresh)
    for query in 0..<queries { run.send(.typed(query)) }
  }

  // MARK: - Results

  @Test func `A failure says if it shows only the beginning of a state`() async throws {
    let long = await Account { schedule in
      let run = schedule.store(
        initialState: "",
        reducer: Reduce<String, Int> {
          $0 = String(repeating: "a", count: $1); return .none
        },
        always: { $0.isEmpty })
      run.send(2_001)
    }
    let text = try #require(long.text)
    #expect(
      text.contains("\n\nThe beginning of the state (print it in a property to see all of it):\n  \"aaa"), "\(text)")
  }

  @Test func `The standard search climbs all levels`() async {
    let result = await explore { typing($0, queries: 2) }
    #expect(
      "\(result)" == "complete: answers (12 states), timers (12 states), deliveries (24 states), steps (24 states)")
  }

  @Test func `A budget is never exceeded, and a search it stops is not complete`() async {
    let result = await explore(budget: .schedules(100), options: .init(search: .full(.deliveries))) { typing($0) }
    #expect("\(result)" == "stopped at deliveries after 100 schedules; there are more")
    #expect(result.completeLevel == nil)
    let exact = await explore(budget: .schedules(255), options: .init(search: .full(.deliveries))) { typing($0) }
    #expect("\(exact)" == "complete: deliveries (255)")
  }

  @Test(arguments: [Exploration.Search.random(.steps), .priorities(.steps, changes: 2)])
  func `A random search finds the bug and is never complete`(search: Exploration.Search) async {
    let bug = await Account(search: search) { typing($0, .concurrent) }
    #expect(bug.result.failure == "u u d d e0 d")
    let fixed = await explore(budget: .schedules(500), options: .init(search: search)) { typing($0) }
    #expect("\(fixed)" == "500 schedules, chosen at random")
  }

  @Test func `A schedule that reaches a limit is cut and proves nothing`() async {
    let ticking = Planted<Int, Int> { state, action in
      state += action
      return action > 0 ? .none : .timer(id: "timer", overlap: .restart, every: .seconds(1)) { _ in 1 }
    }
    let result = await explore(budget: .schedules(50), options: .init(search: .full(.deliveries), deadlines: 4)) {
      schedule in
      schedule.store(initialState: 0, reducer: ticking, requiring: [.isRunning("timer", while: { _ in true })]).send(0)
    }
    #expect(result.cut == 1)
    #expect(
      "\(result)".hasPrefix(
        "not complete at level deliveries: the one schedule tried; 1 cut at 4 deadlines, while run(\"timer\""))
    #expect(
      "\(result)".contains(
        " (if all its ticks are equal, write the action in place of its closure) slept; in one of them `1` comes 4 times"
      ))
  }

  @Test func `Above a complete level, a result names the level whose schedules were cut, with their number there`() {
    var result = Exploration()
    result.completed = [(.answers, 3, 4)]
    result.cut = 3
    #expect("\(result)" == "complete: answers (4 states)", "these were random ones")
    result.exhausted = Exploration.Exhausted(level: .timers, count: 40, cut: 12, waiting: 0)
    (result.cut, result.limits, result.repeated) = (15, ["20 deadlines"], ["`.check` comes 9 times"])
    #expect(
      "\(result)"
        == "complete: answers (4 states); at timers 12 cut at 20 deadlines; in one of them `.check` comes 9 times")
  }

  // MARK: - Properties

  @Test func `Eventually holds if it has held at any point, also at the beginning`() async {
    let counting = Planted<Int, Int> { state, action in
      state = action
      return .none
    }
    for (value, fails) in [(0, false), (1, false), (2, false), (3, true)] {
      let account = await Account { schedule in
        let run = schedule.store(initialState: 0, reducer: counting, eventually: { $0 == value })
        run.send(1)
        run.send(2)
      }
      #expect((account.result.failure != nil) == fails)
    }
  }

  @Test func `A flag that implies a run is found if it stays set`() async {
    for isMended in [false, true] {
      let account = await Account(search: .full(.steps)) { schedule in
        let run = schedule.store(
          initialState: false,
          reducer: Planted<Bool, String> { state, action in
            switch action {
            case "load":
              state = true
              return .run(id: "load", overlap: .concurrent) { send in send("loaded") }
            case "loaded":
              state = false
              return .none
            default:
              if isMended { state = false }
              return .cancel(id: "load")
            }
          }, requiring: [.isRunning("load", while: { $0 })])
        run.send("load")
        run.send("stop")
      }
      #expect(account.result.failure == (isMended ? nil : "u u d d c0"))
      #expect(
        account.text?.hasPrefix(
          #"`.isRunning("load", while:)` is violated: its condition holds, and no run of "load" is "#)
          == (isMended ? nil : true))
    }
  }

  @Test(arguments: [true, false])
  func `A flag that stays set is found if the run ends without an action`(isCancelled: Bool) async {
    let account = await Account(search: .full(.deliveries)) { schedule in
      let run = schedule.store(
        initialState: false,
        reducer: Planted<Bool, Bool> { state, action in
          state = action
          if isCancelled { return .run(id: "load", overlap: .concurrent) { send in send(false) } }
          return .run(id: "load", overlap: .concurrent) { _ in
            throw Outage()
          } catch: { _, _ in
          }
        }, requiring: [.isRunning("load", while: { $0 })])
      run.send(true)
      if isCancelled { run.cancel("load") }
    }
    #expect(account.result.failure == (isCancelled ? "deliveries: u u d d c0" : "deliveries: u d e0 e0"))
  }

  @Test func `Requirements check the remaining runs and late actions`() async {
    typealias Body = @Sendable (Send<Int>) async throws -> Void
    func failure(_ requirement: Exploration.Requirement<Int>, _ body: @escaping Body) async -> String? {
      await Account { schedule in
        let run = schedule.store(
          initialState: 0,
          reducer: Planted<Int, Int> { _, action in
            action == 0 ? .run(id: "x", overlap: .concurrent) { try await body($0) } : .none
          },
          requiring: [requirement])
        run.send(0)
        run.cancel("x")
      }.text.map { String($0.prefix { $0 != "\n" }) }?.replacing(#/swift:\d+\. .*/#, with: "swift:1.")
    }
    let waits: Body = { _ in await Door(isOpen: false).enter() }
    #expect(await failure(.nothingRunsAtTheEnd, waits) == nil)
    #expect(await failure(.cancellationIsHeeded, waits) == nil)
    let dropped = """
      `.nothingDropped` is violated: an action was dropped, `1` of run("x") at EffectTestingTests/ExplorationTests.swift:1.
      """
    #expect(await failure(.nothingDropped, { $0(1) }) == dropped)
    #expect(await failure(.nothingDropped, { if !Task.isCancelled { $0(1) } }) == dropped)
    let deaf: Body = { _ in await Task.detached { await Door(isOpen: false).enter() }.value }
    #expect(
      await failure(.cancellationIsHeeded, deaf)
        == """
        `.cancellationIsHeeded` is violated: this run was cancelled, and its closure has not returned: run("x") at \
        EffectTestingTests/ExplorationTests.swift:1.
        """
    )
  }

  @Test func `An error that is not caught is a failure`() async {
    let account = await Account { schedule in
      schedule.store(
        initialState: 0, reducer: Planted<Int, Int> { _, _ in .run(name: "bad") { _ in throw Outage() } }
      ).send(0)
    }
    #expect(account.result.failure == "u d e0")
    let beginning = "A run threw an error and has no `catch`: Outage()\n\n  run(name: \"bad\") at "
    #expect(account.text?.hasPrefix(beginning) == true)
  }

  // MARK: - Scripts

  @Test func `A number that the script asks for is a choice`() async {
    var seen: Set<Int> = []
    let result = await explore(options: .init(search: .full(.deliveries))) { schedule in
      seen.insert(schedule.choose(3) * 10 + schedule.choose(2))
      schedule.store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }).send(0)
    }
    #expect(seen == [0, 1, 10, 11, 20, 21])
    #expect(result.completeCount == 6)
  }

  @Test func `Deadlines fire before or after the script goes on, and an advance waits for those due`() async {
    let sleeping = Planted<[Int], Int> { state, action in
      state.append(action)
      guard action == 0 else { return .none }
      return .run { send in
        try await send.sleep(for: .seconds(2))
        send(1)
      }
    }
    var orders: Set<[Int]> = []
    for pause in [Duration.zero, .seconds(1), .seconds(2)] {
      orders = []
      _ = await explore(options: .init(search: .full(.deliveries))) { schedule in
        let run = schedule.store(initialState: [], reducer: sleeping, finally: { orders.insert($0).inserted || true })
        run.send(0)
        if pause > .zero { run.advance(by: pause) }
        run.send(2)
      }
      #expect(orders.contains([0, 1, 2]))
      #expect(orders.contains([0, 2, 1]))
    }
  }

  @Test func `Which of two equal deadlines fires first is a choice`() async {
    var orders: Set<[Int]> = []
    let result = await explore(options: .init(search: .full(.timers))) { schedule in
      let run = schedule.store(
        initialState: [],
        reducer: Planted<[Int], Int> { state, action in
          guard action == 0 else {
            state.append(action)
            return .none
          }
          return .merge(
            (1...2).map { number in
              .run { send in
                try await send.sleep(for: .seconds(1))
                send(number)
              }
            })
        }, finally: { orders.insert($0).inserted || true })
      run.send(0)
    }
    #expect(orders == [[1, 2], [2, 1]])
    #expect(result.completeLevel == .timers)
  }

  // MARK: - Control

  @Test func `Work that moves to another executor is a gap, and the exploration is not complete`() async {
    let result = await explore(budget: .schedules(20)) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          guard action == 0 else { return .none }
          return .run(name: "outside") { send in
            await MainActor.run {}
            send(1)
          }
        })
      run.send(0)
    }
    #expect(result.completeLevel == nil)
    #expect(!result.gaps.isEmpty)
    #expect("\(result)".hasPrefix("not complete at level steps: the one schedule that it can choose tried; outside"))
  }

  @Test func `The text of a result is true for each search`() async {
    /// Ticks for ever, beside two actions that are reduced in one order.
    func ticking(_ schedule: Exploration.Schedule) {
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          action > 0 ? .none : .timer(id: "timer", overlap: .restart, every: .seconds(1)) { _ in 1 }
        })
      run.send(0)
      run.send(2)
    }
    let standard = await explore(budget: .schedules(1_000), options: .init(steps: 12, deadlines: 3), ticking)
    // The random schedules before it were cut as well, and are not included.
    let (count, cut) = (standard.exhausted?.count ?? 0, standard.exhausted?.cut ?? 0)
    #expect(count > 1 && cut > 1 && cut < standard.cut && standard.schedules > count)
    #expect(
      "\(standard)".hasPrefix(
        """
        not complete at level steps: all \(count) schedules tried; \(cut) cut at \
        \(standard.limits.joined(separator: " or ")), while run("timer"
        """))
    let few = await explore(budget: .schedules(2), options: .init(search: .full(.deliveries), deadlines: 3), ticking)
    let stopped = "stopped at deliveries after 2 schedules; there are more; 2 cut at 3 deadlines, while run("
    #expect("\(few)".hasPrefix(stopped))
    let one = await explore(budget: .schedules(1)) { typing($0) }
    #expect("\(one)" == "1 schedule, chosen at random")
    let replayed = await explore(replaying: "u d u e0 d") { typing($0) }
    #expect("\(replayed)" == "replayed 1 schedule")
  }

  @Test func `Work that is outside only in some schedules is a gap, and not a failure`() async {
    var number = 0
    let account = await Account(schedules: 30, search: .random(.steps)) { schedule in
      number += 1
      let isOutside = number > 1
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          guard action == 0 else { return .none }
          return .run(name: "outside") { send in
            if isOutside { await withCheckedContinuation { reply in DispatchQueue.global().async { reply.resume() } } }
            send(1)
          }
        })
      run.send(0)
    }
    #expect(account.text == nil)
    #expect(account.result.failure == nil)
  }

  @Test func `A choice that the explorer does not control is found and named`() async {
    var number = 0
    let account = await Account { schedule in
      number += 1
      let own = number
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          action == 0 ? .run(name: "dice") { send in send(own) } : .none
        })
      run.send(0)
    }
    #expect(
      account.text?.hasPrefix("Uncontrolled nondeterminism: one schedule, run twice, differs in run(name: \"dice\")")
        == true)
  }

  @Test func `A step that is not possible when its schedule is run again ends the search`() async {
    var isFirst = true
    let account = await Account(search: .full(.steps)) { schedule in
      // Nothing else differs.
      if isFirst { _ = schedule.choose(2) }
      isFirst = false
      let run = schedule.store(initialState: 0, reducer: Planted<Int, Int> { _, _ in .none })
      run.send(0)
    }
    #expect(
      account.text?.hasPrefix(
        "Uncontrolled nondeterminism: step 1 of `c0 u d` is not possible when it is run again") == true,
      "\(account.text ?? "")")
    #expect(account.result.schedules == 1)
  }

  // MARK: - Replaying

  @Test func `A replay repeated a thousand times is the same`() async {
    let first = await Account(replaying: "u u d d e0 d") { typing($0, .concurrent) }
    #expect(first.result.failure == "u u d d e0 d")
    for _ in 1...1_000 {
      let again = await Account(replaying: "u u d d e0 d") { typing($0, .concurrent) }
      #expect(again.text == first.text)
    }
  }

  @Test func `A replay that does not fail passes, and one that does not fit reports it`() async {
    let harmless = await Account(replaying: "u d e0 d") { typing($0, .concurrent, queries: 1) }
    #expect(harmless.result.failure == nil && harmless.text == nil)
    let misfit = await Account(replaying: "u u d d e0 d") { typing($0) }
    #expect(
      misfit.text == """
        The schedule does not fit: step 5, `e0`, is not possible. Possible are `c0 c1`.

        If you have fixed the bug, this is expected: remove `replaying:`. If not, the code, the script or `faults:` is not the same as when the schedule was found. Copy all arguments from the failure, or leave `replaying:` out to search again.
        """)
    let stranger = await Account(replaying: "u please") { typing($0) }
    #expect(
      stranger.text == """
        `please` in `replaying: "u please"` is not a step of a schedule. Steps are `u`, `d`, `e0`, `h0`, `r0`, `t0`, \
        `c0` and `s`, some with another number, separated by spaces. A level such as `answers:` may come first. Copy the whole \
        text behind `replaying:` from a failure.
        """)
  }

  @Test func `A failure says what broke, where, and how to run it again`() async {
    let bug = await Account { typing($0, .concurrent) }
    #expect(
      bug.text == """
        After a reduction `always` does not hold. Found by schedule 1 of the search and shortened from 12 steps to 6.

        The order of two actions matters:
          first   `.typed(1)`
          second  `.found(0)` of run 1
        If the second one comes first, all conditions hold.

        Two runs of "search" at EffectTestingTests/Queries.swift:26 were active at the same time, because their overlap is `.concurrent`: .found(0) came from the older one, after the newer one had begun. If only the newest may answer, write `overlap: .restart` there.

        State:
          State(query: 1, results: 0)

        What has happened so far:

        seconds  1  2
          0.000  ●     .typed(0)  ExplorationTests.swift:13
                 │  ●  .typed(1)  ExplorationTests.swift:13
                 ◆  │  .found(0)  from 1

        At the end of the trace run 2 is running.

        1  run("search") at EffectTestingTests/Queries.swift:26
        2  run("search") at EffectTestingTests/Queries.swift:26

        ● starts   ◆ its action is reduced   │ runs
        where a line stops, the run has ended

        Run this schedule alone:
          explore(…, replaying: "u u d d e0 d")
        """)
  }
}
