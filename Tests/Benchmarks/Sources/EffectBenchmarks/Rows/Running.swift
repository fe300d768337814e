// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Rows about runs that end by themselves: the cost of a run from its start to its end.
enum Running {
  static let rows: [Row] = [
    row(
      "run", "start a run, reduce its one action", .startEach, runs: 100_000, rounds: 7, .atMost(0.7, stretch: 0.6),
      .timesFaster(2)),
    row("merge", "merge of 100,000 runs, each", .merge, runs: 100_000, rounds: 7, .atMost(0.8, stretch: 0.6), .shown),
    concatenate, carried, inTurn,
  ]

  /// One after another, as requests of one user: a thread is woken for each.
  private static let inTurn: Row = {
    let runs = 2_000
    @Sendable func measured(_ send: (Turn) -> Void) async -> Double {
      await nanoseconds(per: runs) {
        for _ in 0..<runs {
          let signal = Signal()
          send(.start(signal))
          await signal.wait()
        }
      }
    }
    return Row(
      name: "run-in-turn", title: "start a run, and wait until its one action has been reduced", rounds: 15,
      framework: Contestant("swift-effects") {
        let store = Store(initialState: 0, reducer: Turning())
        return await measured { store.send($0) }
      },
      rivals: [
        Rival("bare", .atMost(5.5, stretch: 1.3)) {
          let store = Bare(0, PlainTurning())
          return await measured { store.send($0) }
        },
        Rival("stream", .shown) {
          let store = StreamStore(0, PlainTurning())
          return await measured { store.send($0) }
        },
      ])
  }()

  /// A request of a server has a context, which its runs need.
  private static let carried: Row = {
    let runs = 100_000
    @Sendable func measured(_ carried: [CarriedValue]) async -> Double {
      let work = Work(runs: runs)
      let store = Store(initialState: work, reducer: Working(), carrying: carried)
      return await Context.$request.withValue("request") {
        // On this thread, which has the value.
        await nanoseconds(per: runs) {
          for _ in 0..<runs { store.send(.startEach) }
          await work.done.wait()
        }
      }
    }
    return Row(
      name: "run-carried", title: "start a run that has a task-local of its sender", rounds: 7,
      framework: Contestant("swift-effects") { await measured([CarriedValue(Context.$request)]) },
      rivals: [Rival("carrying nothing", .atMost(4)) { await measured([]) }])
  }()

  private enum Context {
    @TaskLocal static var request = "none"
  }

  /// Measured against two more: the bare has one task for all parts, and keeps neither the order of ends after actions
  /// (rule E2) nor an isolation that must be entered (rule T1). *Bare, on an actor* keeps both.
  private static let concatenate: Row = {
    let runs = 10_000
    var row = Self.row(
      "concatenate", "concatenate of 10,000 runs, each", .concatenate, runs: runs, rounds: 11, .shown,
      .atMost(2.5, stretch: 1))
    row.rivals.append(
      Rival("bare, ordered ends", .shown) {
        let work = Work(runs: runs)
        let store = OrderedBare(work, PlainWorking())
        return await timed(work, sends: 1) { store.send(.concatenate) }
      })
    row.rivals.append(
      Rival("bare, on an actor", .atMost(12, stretch: 4)) {
        let work = Work(runs: runs)
        let store = IsolatedBare(work, PlainWorking())
        return await timed(work, sends: 1) { store.send(.concatenate) }
      })
    return row
  }()

  private static func row(
    _ name: String, _ title: String, _ action: Work.Action, runs: Int, rounds: Int, _ bare: Goal, _ stream: Goal
  ) -> Row {
    let sends = if case .startEach = action { runs } else { 1 }
    return Row(
      name: name, title: title, rounds: rounds,
      framework: Contestant("swift-effects") {
        let work = Work(runs: runs)
        let store = Store(initialState: work, reducer: Working())
        return await timed(work, sends: sends) { store.send(action) }
      },
      rivals: [
        Rival("bare", bare) {
          let work = Work(runs: runs)
          let store = Bare(work, PlainWorking())
          return await timed(work, sends: sends) { store.send(action) }
        },
        Rival("stream", stream) {
          let work = Work(runs: runs)
          let store = StreamStore(work, PlainWorking())
          return await timed(work, sends: sends) { store.send(action) }
        },
      ])
  }

  /// From the first send until the action of the last run has been reduced.
  private static func timed(_ work: Work, sends: Int, _ send: @escaping @Sendable () -> Void) async -> Double {
    await nanoseconds(per: work.runs) {
      onThreads(1) { for _ in 0..<sends { send() } }
      await work.done.wait()
    }
  }
}

/// The state of these rows: counts the runs whose action was reduced.
private struct Work {
  enum Action: Sendable {
    case startEach
    case merge
    case concatenate
    case ended
  }

  let runs: Int
  let done = Signal()
  private var ended = 0

  init(runs: Int) {
    self.runs = runs
  }

  mutating func end() {
    ended += 1
    if ended == runs { done.give() }
  }
}

private struct Working: Reducer {
  func reduce(into state: inout Work, action: Work.Action) -> Effect<Work.Action> {
    switch action {
    case .startEach: return .run { send in send(.ended) }
    case .merge: return .merge((0..<state.runs).map { _ in .run { send in send(.ended) } })
    case .concatenate: return .concatenate((0..<state.runs).map { _ in .run { send in send(.ended) } })
    case .ended:
      state.end()
      return .none
    }
  }
}

private struct PlainWorking: PlainReducer {
  func reduce(into state: inout Work, action: Work.Action) -> PlainEffect<Work.Action> {
    switch action {
    case .startEach: return .run { send in send(.ended) }
    case .merge: return .merge((0..<state.runs).map { _ in { send in send(.ended) } })
    case .concatenate: return .concatenate((0..<state.runs).map { _ in { send in send(.ended) } })
    case .ended:
      state.end()
      return .none
    }
  }
}

private enum Turn: Sendable { case start(Signal), end(Signal) }

private struct Turning: Reducer {
  func reduce(into state: inout Int, action: Turn) -> Effect<Turn> {
    switch action {
    case .start(let signal): return .run { send in send(.end(signal)) }
    case .end(let signal):
      state += 1
      signal.give()
      return .none
    }
  }
}

private struct PlainTurning: PlainReducer {
  func reduce(into state: inout Int, action: Turn) -> PlainEffect<Turn> {
    switch action {
    case .start(let signal): return .run { send in send(.end(signal)) }
    case .end(let signal):
      state += 1
      signal.give()
      return .none
    }
  }
}
