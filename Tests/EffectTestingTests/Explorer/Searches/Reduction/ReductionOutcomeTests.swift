// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// What a reduced search finds is what a full search finds.
///
/// ```sh
/// EFFECTS_LONG_TESTS=1 EFFECTS_COMPARE_FEATURES=10000 EFFECTS_COMPARE_SEED=1 \
///   swift test -c release -Xswiftc -enable-testing --filter ReductionOutcomeTests
/// ```
struct ReductionOutcomeTests {
  /// Explores a random feature. With a target, a violation if these actions are reduced, in this order and before others.
  private func explore(
    _ feature: RandomFeature, _ search: Exploration.Search, target: [Int]? = nil
  ) async -> (search: ReducedSearch, outcomes: Set<ComparedMocks.Outcome>) {
    var outcomes: Set<ComparedMocks.Outcome> = []
    // A reduced search may have more classes than a full one has schedules, if jobs stop behind an action.
    let budget = if case .full = search { Comparison.most } else { 20 * Comparison.most }
    let search = await ReducedSearch(search, budget: budget) { schedule in
      let mocks = ComparedMocks(feature)
      let script = schedule.store(
        initialState: [], reducer: ComparedFeature(feature: feature, mocks: mocks),
        always: { $0 != target },
        finally: { state in
          outcomes.insert(mocks.outcome(state))
          return true
        })
      for action in feature.script { script.send(action) }
    }
    return (search, outcomes)
  }

  @Test func `Final states and violations of random features are the same with and without the reduction`() async {
    let size = Comparison.Size()
    var (compared, schedules, classes, outcomes) = (0, 0, 0, 0)
    for number in 0..<UInt64(size.features) {
      let feature = RandomFeature(seed: size.seed &* 2_000_000 &+ number)
      let level = number % 2 == 0 ? .steps : Exploration.Level.allCases[Int(number / 2 % 3)]
      let full = await explore(feature, .full(level))
      guard full.search.result.completeLevel == level else { continue }
      let reduced = await explore(feature, .reduced(level))
      #expect(reduced.search.result.completeLevel == level, "\(feature)")
      // Jobs that have stopped behind an action go on at any time in a reduced search, but not in a full one.
      if !full.search.hasReached {
        #expect(reduced.search.result.completeCount <= full.search.result.completeCount, "\(feature)")
      }
      #expect(reduced.outcomes == full.outcomes, "\(feature)")
      compared += 1
      schedules += full.search.result.completeCount
      classes += reduced.search.result.completeCount
      outcomes += full.outcomes.count
      // One of the states of a schedule, as a violation.
      var numbers = SeededNumbers(seed: number)
      let orders = full.outcomes.map(\.reduced).sorted { $0.lexicographicallyPrecedes($1) }
      let order = orders[numbers.next(below: orders.count)]
      let target = Array(order.prefix(1 + numbers.next(below: max(1, order.count))))
      let failed = await explore(feature, .reduced(level), target: target)
      #expect(failed.search.result.failures == 1, "\(target) of \(feature)")
    }
    Measured.print("Reduced \(compared) features: \(schedules) schedules, \(classes) classes, \(outcomes) outcomes")
    #expect(compared * 5 >= size.features * 3)
    #expect(classes < schedules)
  }

  @Test(arguments: PlantedBugTests.cases)
  func `A planted bug is found by a reduced search, and its fixed version passes`(planted: PlantedBugTests.Case) async {
    // Not all bugs can be found at the level of the fixed version.
    func search(_ kind: (Exploration.Level) -> Exploration.Search, isMended: Bool) async -> ReducedSearch {
      await ReducedSearch(kind(isMended ? planted.level : .steps), checks: true) {
        planted.body($0, isMended)
      }
    }
    let bugs = (await search({ .full($0) }, isMended: false), await search({ .reduced($0) }, isMended: false))
    #expect(bugs.0.result.failures == bugs.1.result.failures && bugs.1.text != nil)
    #expect(bugs.1.result.schedules <= bugs.0.result.schedules)
    let fixed = (await search({ .full($0) }, isMended: true), await search({ .reduced($0) }, isMended: true))
    #expect(fixed.1.text == nil && fixed.1.result.completeLevel == planted.level)
    #expect(fixed.1.result.completeCount <= fixed.0.result.completeCount)
    Measured.print(
      """
      \(planted.name): found by \(bugs.0.result.schedules) and \(bugs.1.result.schedules); \
      fixed, at \(planted.level): \(fixed.0.result.completeCount) schedules, \(fixed.1.result.completeCount) classes
      """)
  }

  // MARK: - Forgotten dependencies that change outcomes

  /// A second tap is dropped, unless the store has taken the end of the first run.
  private func taps(_ rule: StepFacts.Rule?) async -> Set<[Int]> {
    var outcomes: Set<[Int]> = []
    let search = await ReducedSearch(.reduced(.steps), without: rule) { schedule in
      let run = schedule.store(
        initialState: [],
        reducer: Reduce<[Int], Int> { state, action in
          state.append(action)
          guard action % 10 == 0 else { return .none }
          return .run(id: "save", overlap: .drop) { send in
            await Task.yield()
            send(action + 1)
          }
        },
        finally: { state in
          outcomes.insert(state)
          return true
        })
      run.send(10)
      run.send(20)
    }
    #expect(search.text == nil)
    return outcomes
  }

  @Test(arguments: [StepFacts.Rule.endsAreVisible, .turnsUseStore])
  func `A forgotten conflict of turns and ends loses an outcome`(rule: StepFacts.Rule) async {
    let all = await taps(nil)
    #expect(all == [[10, 20, 11], [10, 11, 20], [10, 11, 20, 21]])
    #expect(await taps(rule) != all)
  }

  /// A fault cancels the first run while it yields. Then a second tap starts another run, before the first one goes on.
  private func struckTaps(_ search: Exploration.Search, without rule: StepFacts.Rule? = nil) async -> Set<
    [String]
  > {
    var outcomes: Set<[String]> = []
    let search = await ReducedSearch(
      search, faults: .anyOne(of: .cancel("save", atSuspension: 1)), without: rule
    ) { schedule in
      let diary = Diary<String>()
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { _, action in
          .run(id: "save", overlap: .drop) { _ in
            diary.write("\(action) begins")
            await Task.yield()
            diary.write("\(action) goes on")
          }
        },
        finally: { _ in
          outcomes.insert(diary.all)
          return true
        })
      run.send(1)
      run.send(2)
    }
    #expect(search.text == nil)
    return outcomes
  }

  @Test func `A forgotten conflict of faults and turns loses an outcome`() async {
    let all = await struckTaps(.full(.steps))
    #expect(all.contains(["1 begins", "2 begins", "1 goes on", "2 goes on"]))
    #expect(await struckTaps(.reduced(.steps)) == all)
    #expect(await struckTaps(.reduced(.steps), without: .faultsUseStore) != all)
  }

  /// Whether a run is cancelled when it begins, if it is called.
  private func cancelled(_ rule: StepFacts.Rule?) async -> Set<[Bool]> {
    var outcomes: Set<[Bool]> = []
    let search = await ReducedSearch(.reduced(.answers), without: rule) { schedule in
      let cancelled = Diary<Bool>()
      // Its first job posts nothing and does not end it, so only the turn behind the second line depends on that job.
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { _, action in
          guard action == 0 else { return .cancel(id: "x") }
          return .run(id: "x", overlap: .restart) { _ in
            cancelled.write(Task.isCancelled)
            // Until it is cancelled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
          }
        },
        finally: { _ in
          outcomes.insert(cancelled.all)
          return true
        })
      run.send(0)
      run.send(1)
    }
    #expect(search.text == nil)
    return outcomes
  }

  @Test func `A forgotten turn of an eager step loses an outcome`() async {
    let all = await cancelled(nil)
    #expect(all == [[], [true], [false]])
    #expect(await cancelled(.eagerTurns) != all)
  }

  /// What two runs do, one of which stops behind its action, if a cancel can reach it there. Then it posts nothing until it is
  /// cancelled.
  private func reached(without rule: StepFacts.Rule? = nil) async -> Set<[String]> {
    var outcomes: Set<[String]> = []
    let search = await ReducedSearch(.reduced(.steps), without: rule) { schedule in
      let diary = Diary<String>()
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { _, action in
          switch action {
          case 0:
            .merge(
              .run(id: "x", overlap: .restart) { send in
                diary.write("begins")
                send(1)
                diary.write(Task.isCancelled ? "is cancelled" : "goes on")
                // Until it is cancelled.
                for await _ in AsyncStream<Void>.makeStream().stream {}
              }, .run { _ in diary.write("other") })
          case 1: .none
          default: .cancel(id: "x")
          }
        },
        finally: { _ in
          outcomes.insert(diary.all)
          return true
        })
      run.send(0)
      run.send(2)
    }
    #expect(search.text == nil && search.hasReached)
    return outcomes
  }

  @Test func `A forgotten conflict of the rest of a job and a cancel loses an outcome`() async {
    // Before the search knows that a cancel reaches the run, nothing comes between its action and the next line.
    let order = ["begins", "other", "goes on"]
    #expect(await reached().isSuperset(of: [order, ["begins", "other", "is cancelled"]]))
    #expect(await !reached(without: .jobsShareMemory).contains(order))
  }
}
