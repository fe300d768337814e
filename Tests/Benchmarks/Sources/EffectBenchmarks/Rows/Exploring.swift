// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectTesting
internal import Synchronization

/// The cost of a schedule: queries whose runs do not suspend, each answered at any time after it was typed. Each execution of the
/// script counts, also those with which the explorer checks itself.
enum ExploringRow {
  static let rows = [
    Row(
      name: "explore", title: "one schedule of five queries, all states",
      limit: Limit(most: 11_000, stretch: 8_000),
      framework: Contestant("swift-effects") {
        await measure(Queries(id: nil, overlap: .concurrent), upTo: .answers)
      },
      rivals: [Rival("bare tasks", .shown) { await bareTasks(5, of: 945) }]),
    Row(
      name: "explore-restart", title: "the same where each query replaces the one before, and actions may wait",
      framework: Contestant("swift-effects") {
        await measure(Queries(id: "search", overlap: .restart), upTo: .deliveries)
      },
      rivals: []),
  ]

  private static func measure(_ queries: Queries, upTo level: Exploration.Level) async -> Double {
    var count = 0
    let start = ContinuousClock.now
    for _ in 1...rounds {
      let result = await explore(
        initialState: Queries.State(), reducer: queries, budget: .schedules(1_050), options: .init(upTo: level)
      ) { run in
        count += 1
        for query in 1...5 { run.send(.typed(query)) }
      } always: { state in
        state.results <= 5
      }
      precondition(result.failure == nil)
    }
    return nanoseconds(ContinuousClock.now - start) / Double(count)
  }

  /// What every search of orders of tasks does for a schedule: it makes the tasks on an executor of its own and executes
  /// each once. It chooses no order, and there is no store, no state and no check.
  private static func bareTasks(_ tasks: Int, of orders: Int) async -> Double {
    let executor = HeldJobs()
    let answers = Answers()
    let each = await nanoseconds(per: orders * rounds) {
      for _ in 1...orders * rounds {
        for _ in 1...tasks {
          Task(executorPreference: executor) { answers.count.add(1, ordering: .relaxed) }
        }
        executor.runAll()
      }
    }
    precondition(answers.count.load(ordering: .relaxed) == tasks * orders * rounds, "a task has not been executed")
    return each
  }

  private static let rounds = 10
}

private final class Answers: Sendable {
  let count = Atomic(0)
}

/// Holds jobs until they are run, all on one thread.
// SAFETY: used by one thread, which makes the tasks and runs them; they do not suspend.
final class HeldJobs: TaskExecutor, @unchecked Sendable {
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  func runAll() {
    for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    jobs.removeAll(keepingCapacity: true)
  }
}

struct Queries: Reducer {
  struct State: Equatable {
    var query = 0
    var results = 0
  }

  enum Action: Equatable, Sendable {
    case typed(Int)
    case found(Int)
  }

  var id: EffectID?
  var overlap: Overlap

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let query):
      state.query = query
      state.results = 0
      // Not `id: id`: an optional is cast, which takes as long as the rest of making the effect.
      guard let id else { return .run { send in send(.found(query)) } }
      return .run(id: id, overlap: overlap) { send in send(.found(query)) }
    case .found(let results):
      state.results = results
      return .none
    }
  }
}
