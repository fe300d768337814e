// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// What a search of states finds is what a full search finds, if runs call mocks.
///
/// ```sh
/// EFFECTS_LONG_TESTS=1 EFFECTS_COMPARE_FEATURES=10000 EFFECTS_COMPARE_SEED=1 \
///   swift test -c release -Xswiftc -enable-testing --filter OutcomeTests
/// ```
struct OutcomeTests {
  /// Explores a random feature. With a target, a violation if these actions are reduced, in this order and before others.
  private func explore(
    _ feature: RandomFeature, _ search: Exploration.Search, target: [Int]? = nil
  ) async -> (search: SearchInTest, outcomes: Set<ComparedMocks.Outcome>) {
    var outcomes: Set<ComparedMocks.Outcome> = []
    let budget = if case .full = search { Comparison.most } else { 20 * Comparison.most }
    let search = await SearchInTest(search, budget: budget) { schedule in
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

  @Test func `Final states and violations of random features are those of all orders`() async {
    let size = Comparison.Size()
    var (compared, schedules, ended, outcomes) = (0, 0, 0, 0)
    for number in 0..<UInt64(size.features) {
      let feature = RandomFeature(seed: size.seed &* 2_000_000 &+ number)
      let level = number % 2 == 0 ? .steps : Exploration.Level.allCases[Int(number / 2 % 3)]
      let full = await explore(feature, .full(level))
      guard full.search.result.completeLevel == level else { continue }
      let states = await explore(feature, .states(level))
      #expect(states.search.result.completeLevel == level, "\(feature)")
      #expect(states.outcomes == full.outcomes, "\(feature)")
      compared += 1
      schedules += full.search.result.completeCount
      ended += states.search.result.completeCount
      outcomes += full.outcomes.count
      // One of the states of a schedule, as a violation.
      var numbers = SeededNumbers(seed: number)
      let orders = full.outcomes.map(\.reduced).sorted { $0.lexicographicallyPrecedes($1) }
      let order = orders[numbers.next(below: orders.count)]
      let target = Array(order.prefix(1 + numbers.next(below: max(1, order.count))))
      let failed = await explore(feature, .states(level), target: target)
      #expect(failed.search.result.failures == 1, "\(target) of \(feature)")
    }
    Measured.print("Compared \(compared) features: \(schedules) orders; \(ended) schedules, \(outcomes) outcomes")
    #expect(compared * 5 >= size.features * 3)
    #expect(ended < schedules)
  }

  // MARK: - Outcomes that depend on two steps

  /// A second tap is dropped, unless the store has taken the end of the first run.
  private func taps(_ search: Exploration.Search) async -> Set<[Int]> {
    var outcomes: Set<[Int]> = []
    let search = await SearchInTest(search) { schedule in
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

  @Test func `A second tap comes before or after the end of the first run`() async {
    #expect(await taps(.states(.steps)) == [[10, 20, 11], [10, 11, 20], [10, 11, 20, 21]])
  }

  /// A fault cancels the first run while it yields. Then a second tap starts another run, before the first one goes on.
  private func struckTaps(_ search: Exploration.Search) async -> Set<
    [String]
  > {
    var outcomes: Set<[String]> = []
    let search = await SearchInTest(
      search, faults: .anyOne(of: .cancel("save", atSuspension: 1))
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

  @Test func `A fault comes before or after the turn that starts another run`() async {
    let all = await struckTaps(.full(.steps))
    #expect(all.contains(["1 begins", "2 begins", "1 goes on", "2 goes on"]))
    #expect(await struckTaps(.states(.steps)) == all)
  }

  /// Whether a run is cancelled when it begins, if it is called.
  private func cancelled(_ search: Exploration.Search) async -> Set<[Bool]> {
    var outcomes: Set<[Bool]> = []
    let search = await SearchInTest(search) { schedule in
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

  @Test func `A cancelled run is not called, or called before or after its cancel`() async {
    #expect(await cancelled(.states(.answers)) == [[], [true], [false]])
  }

  /// What two runs do, one of which stops behind its action, if a cancel can reach it there. Then it posts nothing until it is
  /// cancelled.
  private func reached(_ search: Exploration.Search) async -> Set<[String]> {
    var outcomes: Set<[String]> = []
    let search = await SearchInTest(search) { schedule in
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
    #expect(search.text == nil)
    return outcomes
  }

  @Test func `Other code comes between an action and the next line of its closure`() async {
    let all = await reached(.states(.steps))
    #expect(all.isSuperset(of: [["begins", "other", "goes on"], ["begins", "other", "is cancelled"]]))
    #expect(all == (await reached(.full(.steps))))
  }
}
