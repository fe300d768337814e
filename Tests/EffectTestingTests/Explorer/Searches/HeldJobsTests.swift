// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import EffectTesting

/// A job that has stopped behind an action goes on before the search tries to let it wait for a cancel.
struct HeldJobsTests {
  /// Its runs send several actions, cancel one another, and have a time limit at the instant at which they would answer.
  private struct Feature: Reducer {
    func run(_ id: EffectID, _ overlap: Overlap, sleep: Int = 0, _ actions: [Int]) -> Effect<Int> {
      .run(id: id, overlap: overlap) { send in
        if sleep > 0 { try await send.sleep(for: .seconds(sleep)) }
        for action in actions { send(action) }
      } catch: { _, send in
        send(99)
      }
    }

    func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
      state.append(action)
      switch action {
      case 1:
        let limited = run("a", .concurrent, sleep: 1, [22]).timeout(after: .seconds(1))
        return .merge(
          run("b", .restart, sleep: 2, [12]), limited.retry(attempts: 2, backoff: .constant(.seconds(1))))
      case 2: return .merge(run("b", .restart, [31]), run("a", .concurrent, [41, 42]))
      case 31: return run("b", .restart, [51, 52])
      default: return .none
      }
    }
  }

  private func explored(
    _ schedules: Int, _ search: Exploration.Search, finally: @escaping ([Int]) -> Bool = { _ in true }
  ) async -> Exploration {
    var result: Exploration?
    _ = await reportedFailures {
      result = await explore(
        initialState: [], reducer: Feature(), budget: .schedules(schedules), options: .init(search: search)
      ) { run in
        run.send(1)
        run.advance(by: .seconds(1))
        run.send(2)
      } finally: {
        finally($0)
      }
    }
    return result ?? Exploration()
  }

  @Test func `An exhaustive search that is stopped has not used its budget for jobs that wait`() async {
    var ends = 0
    let result = await explored(200, .full(.steps)) { _ in
      ends += 1
      return true
    }
    #expect(result.schedules > 100 && ends >= result.schedules, "\(result)")
  }

  @Test func `An exhaustive search finds what a random one finds`() async {
    for search in [Exploration.Search.full(.steps), .random(.steps)] {
      let result = await explored(300, search) { $0.contains(99) }
      #expect(result.failures == 1 && result.schedules < 100)
    }
  }
}
