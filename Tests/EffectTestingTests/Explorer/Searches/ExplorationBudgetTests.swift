// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// A search ends when its budget is spent, of schedules or of time.
struct ExplorationBudgetTests {
  /// More schedules than can be run in two seconds.
  private static func endless(_ schedule: Exploration.Schedule) {
    let run = schedule.store(initialState: .init(), reducer: Queries(overlap: .concurrent))
    for query in 0..<8 { run.send(.typed(query)) }
  }

  @Test func `A duration ends the search, which says where`() async {
    let result = await explore(budget: .duration(.seconds(2))) { Self.endless($0) }
    #expect(result.failure == nil && result.completeLevel == nil)
    #expect(result.hasMore && result.stopped?.level == .answers, "\(result)")
    #expect("\(result)".hasPrefix("stopped at answers after "))
    #expect("\(result)".contains("; there are more; the states multiply by run("), "\(result)")
  }

  @Test func `A search that is stopped says what to have less of`() async {
    let runs = await explore(budget: .schedules(1_500)) { schedule in
      let run = schedule.store(initialState: .init(), reducer: Queries(overlap: .concurrent))
      for query in 0..<5 { run.send(.typed(query)) }
    }
    #expect("\(runs)".contains("states; the states multiply by run("), "\(runs)")
    let script = await explore(budget: .schedules(1_500)) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> {
          $0 += $1; return .none
        })
      for number in 1...5 {
        run.sender("\(number)") { sender in
          for _ in 0..<2 { sender.send(number) }
        }
      }
    }
    #expect("\(script)".contains("the actions of the script ("), "\(script)")
    let generated = await explore(budget: .schedules(1_500)) { schedule in
      let run = schedule.store(initialState: .init(), reducer: Queries(overlap: .restart))
      run.send(anyOf: [.typed(0), .typed(1), .typed(2)], upTo: 3)
    }
    #expect("\(generated)".contains("the states multiply by run("), "\(generated)")
    let deadlines = await explore(budget: .schedules(1_500)) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          state += action
          guard action == 0 else { return .none }
          return .merge((1...7).map { number in .send(number).delay(for: .seconds(number)) })
        })
      run.send(0)
      run.send(8)
      run.send(9)
    }
    #expect("\(deadlines)".contains("the states multiply by run(name: \"send\").delay(for: "), "\(deadlines)")
    let complete = await explore(initialState: .init(), reducer: Queries(overlap: .restart)) { run in
      run.send(.typed(0))
    }
    #expect(!"\(complete)".contains("multiply"))
  }

  @Test func `A search that ends before its time is complete`() async {
    let result = await explore(
      initialState: .init(), reducer: Queries(overlap: .restart), budget: .duration(.seconds(86_400))
    ) { run in
      run.send(.typed(0))
      run.send(.typed(1))
    }
    #expect(result.completed.map(\.level) == Exploration.Level.allCases)
    #expect(result.chances == 1_000, "not a share of the time")
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `A duration of nothing fails`(duration: Duration) async {
    let failures = await reportedFailures {
      await explore(budget: .duration(duration)) { Self.endless($0) }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.hasPrefix("`budget: .duration(") == true, "\(failures)")
  }

  @Test func `A level above the highest one is not tried`() async {
    let result = await explore(
      initialState: .init(), reducer: Queries(overlap: .restart), options: .init(upTo: .timers)
    ) { run in
      run.send(.typed(0))
      run.send(.typed(1))
    }
    #expect("\(result)" == "complete: answers (5 states), timers (5 states)")
    let texts = await reportedFailures { result.expectComplete(.deliveries) }
    #expect(texts.first?.hasSuffix("`upTo:` ends the search below this level.") == true, "\(texts)")
    result.expectComplete(.timers)
  }

  @Test func `At the first level a deadline fires only when nothing else can happen`() async {
    var seen: Set<[Int]> = []
    func explored(upTo level: Exploration.Level) async -> Set<[Int]> {
      seen = []
      let result = await explore(
        initialState: [],
        reducer: Reduce<[Int], Int> { state, action in
          state.append(action)
          guard action == 0 else { return .none }
          return .merge(.send(1).delay(for: .seconds(1)), .run { send in send(2) })
        }, options: .init(upTo: level)
      ) { run in
        run.send(0)
      } finally: { state in
        seen.insert(state)
        return true
      }
      result.expectComplete(level)
      return seen
    }
    #expect(await explored(upTo: .answers) == [[0, 2, 1]])
    #expect(await explored(upTo: .timers) == [[0, 2, 1], [0, 1, 2]])
  }
}
