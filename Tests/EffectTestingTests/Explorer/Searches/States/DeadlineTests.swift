// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// Deadlines and a log-out: few states, and more orders than any budget.
struct DeadlineTests {
  private struct Loads: Reducer {
    struct State: Equatable, Sendable {
      var loaded: Set<Int> = []
      var failed: Set<Int> = []
      var isOut = false
    }

    enum Action: Equatable, Sendable { case load(Int), loaded(Int), failed(Int), logOut }

    let find: @Sendable (Int) async throws -> Int

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .load(let id):
        return .run(id: id, overlap: .restart, input: id) { [find] id, send in
          send(.loaded(try await find(id)))
        } catch: { _, send in
          send(.failed(id))
        }.timeout(after: .seconds(5))
      case .loaded(let id): state.loaded.insert(id)
      case .failed(let id): state.failed.insert(id)
      case .logOut:
        state = State(isOut: true)
        return .cancel(.everything)
      }
      return .none
    }
  }

  private func explore(_ count: Int, budget: Int = 10_000) async -> Exploration {
    let find = Mock<Int, Int>(answering: { $0 })
    return await EffectTesting.explore(
      initialState: .init(), reducer: Loads(find: find.callAsFunction), budget: .schedules(budget),
      options: .init(upTo: .timers)
    ) { script in
      for id in 1...count { script.send(.load(id)) }
      script.send(.logOut)
    } always: { state in
      !state.isOut || state.loaded.isEmpty && state.failed.isEmpty
    }
  }

  /// A payment that is tried again. If it is given up it is voided, which is tried again as well.
  private struct Payment: Reducer {
    enum Status: Equatable, Sendable { case none, waiting, done, failed }

    struct State: Equatable, Sendable {
      var payment = Status.none
      var void = Status.none
    }

    enum Action: Equatable, Sendable { case pay, paid, notPaid, voided, notVoided, logOut }

    let call: @Sendable (String) async throws -> Void

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .pay:
        state.payment = .waiting
        return work("pay", .paid, .notPaid)
      case .paid: state.payment = .done
      case .notPaid:
        state.payment = .failed
        return void(&state)
      case .voided: state.void = .done
      case .notVoided: state.void = .failed
      case .logOut:
        guard state.payment == .waiting else { return .none }
        state.payment = .none
        return .merge(.cancel(id: "pay"), void(&state))
      }
      return .none
    }

    private func void(_ state: inout State) -> Effect<Action> {
      state.void = .waiting
      return work("void", .voided, .notVoided)
    }

    private func work(_ id: String, _ done: Action, _ failed: Action) -> Effect<Action> {
      .run(id: id, overlap: .restart) { [call] send in
        try await call(id)
        send(done)
      } catch: { _, send in
        send(failed)
      }.timeout(after: .seconds(5)).retry(attempts: 3, backoff: .exponential(from: .seconds(1)))
    }
  }

  @Test
  func `Attempts that run out of time multiply no states when they have returned`() async {
    let call = Mock<String, Void>(answering: { _ in })
    let result = await EffectTesting.explore(
      initialState: .init(), reducer: Payment(call: call.callAsFunction), requiring: [.nothingRunsAtTheEnd],
      options: .init(upTo: .deliveries)
    ) { script in
      script.send(.pay)
      script.send(.logOut)
    } finally: { state in
      state.payment != .waiting && state.void != .waiting
    }
    #expect(result.completeLevel == .deliveries, "\(result)")
    Measured.print("A payment: \(result)")
  }

  /// A timer whose runs have a time limit, which a `catch` follows that has left the slot.
  private struct Renewals: Reducer {
    enum Action: Equatable, Sendable { case begin, due, renewed, failed, end }

    let renew: @Sendable () async throws -> Void

    func reduce(into state: inout [Action], action: Action) -> Effect<Action> {
      switch action {
      case .begin: return .timer(id: "timer", overlap: .drop, every: .seconds(20), .due)
      case .due:
        return .run(id: "renew", overlap: .restart) { [renew] send in
          try await renew()
          send(.renewed)
        } catch: { _, send in
          send(.failed)
        }.timeout(after: .seconds(5))
      case .renewed, .failed: state = [action]
      case .end:
        state = [.end]
        return .cancel(.everything)
      }
      return .none
    }
  }

  @Test
  func `Runs of a timer that run out of time are complete`() async {
    let renew = Mock<Void, Void>(answering: {})
    let result = await EffectTesting.explore(
      initialState: [], reducer: Renewals(renew: renew.callAsFunction), budget: .schedules(2_000),
      options: .init(upTo: .timers)
    ) { script in
      script.send(.begin)
      script.send(.end)
    } finally: { state in
      state == [.end]
    }
    #expect(result.completeLevel == .timers, "\(result)")
    Measured.print("A timer whose runs run out of time: \(result)")
  }

  /// A run that runs out of time, an action that is sent later, and a deadline after both.
  private struct Prompt: Reducer {
    enum Action: Equatable, Sendable { case begin, failed, sent, last }

    func reduce(into state: inout [Action], action: Action) -> Effect<Action> {
      if action != .begin { state.append(action) }
      guard action == .begin else { return .none }
      return .merge(
        .run { send in
          try await send.sleep(for: .seconds(9))
        } catch: { _, send in
          send(.failed)
        }.timeout(after: .seconds(1)),
        .send(.sent).delay(for: .seconds(2)),
        .run { send in
          try await send.sleep(for: .seconds(3))
          send(.last)
        })
    }
  }

  @Test(arguments: Exploration.Level.allCases)
  func `What waits for no answer is not late below the last level`(level: Exploration.Level) async {
    var ends: Set<String> = []
    let search = await SearchInTest(.states(level), budget: 20_000) { schedule in
      schedule.sharesNothing()
      schedule.store(
        initialState: [], reducer: Prompt(),
        finally: { state in
          ends.insert("\(state)")
          return true
        }
      ).send(.begin)
    }
    #expect(search.result.completeLevel == level)
    #expect(ends.count == (level == .steps ? 6 : 1), "\(ends)")
  }

  /// Two runs that run out of time at the same instant. The failure of one begins the other again, unless it is still active.
  private struct Twins: Reducer {
    enum Action: Equatable, Sendable { case begin, failed(Int), again }

    func reduce(into state: inout [Action], action: Action) -> Effect<Action> {
      if action != .begin { state.append(action) }
      switch action {
      case .begin: return .merge(wait(1), wait(2))
      case .failed(1): return .run(id: 2, overlap: .drop) { send in send(.again) }
      default: return .none
      }
    }

    private func wait(_ number: Int) -> Effect<Action> {
      .run(id: number, overlap: .drop) { send in
        try await send.sleep(for: .seconds(9))
      } catch: { _, send in
        send(.failed(number))
      }.timeout(after: .seconds(1))
    }
  }

  @Test
  func `A deadline that is due at the same instant may come before what waits for no answer`() async {
    var ends: Set<String> = []
    let search = await SearchInTest(.states(.timers), budget: 4_000) { schedule in
      schedule.sharesNothing()
      schedule.store(
        initialState: [], reducer: Twins(),
        finally: { state in
          ends.insert("\(state.contains(.again))")
          return true
        }
      ).send(.begin)
    }
    #expect(search.result.completeLevel == .timers)
    #expect(ends == ["true", "false"])
  }

  /// A run that has sent its answers, and has a time limit. Another deadline comes before that.
  private struct Answered: Reducer {
    enum Action: Equatable, Sendable { case begin, first, second, due, failed }

    func reduce(into state: inout [Action], action: Action) -> Effect<Action> {
      if action != .begin { state.append(action) }
      guard action == .begin else { return .none }
      return .merge(
        .run(id: "answer", overlap: .drop) { send in
          send(.first)
          send(.second)
        } catch: { _, send in
          send(.failed)
        }.timeout(after: .seconds(2)),
        .send(.due).delay(for: .seconds(1)))
    }
  }

  @Test(arguments: [Exploration.Level.timers, .deliveries, .steps])
  func `No time passes below the last level while an action or an end waits`(level: Exploration.Level) async {
    var ends: Set<[Answered.Action]> = []
    let search = await SearchInTest(.states(level), budget: 4_000) { schedule in
      schedule.sharesNothing()
      schedule.store(
        initialState: [], reducer: Answered(),
        finally: { state in
          ends.insert(state)
          return true
        }
      ).send(.begin)
    }
    #expect(search.result.completeLevel == level)
    let common: Set<[Answered.Action]> = [[.first, .second, .due], [.due, .first, .second], [.due, .failed]]
    let late: Set<[Answered.Action]> = [[.first, .due, .second], [.first, .second, .due, .failed]]
    #expect(level == .steps ? ends.isSuperset(of: common.union(late)) : ends == common, "\(ends)")
  }

  @Test func `An end that stops the time can be taken before a sleep is over`() async {
    var ends: Set<[String]> = []
    let account = await Account(replaying: "deliveries: u d e0 e0 d r0 t0 e0 d u d") { schedule in
      schedule.sharesNothing()
      let script = schedule.store(
        initialState: [],
        reducer: Reduce<[String], String> { state, action in
          state.append(action)
          guard action == "begin" else { return .none }
          return .merge(
            .run(id: "load", overlap: .drop) { send in send("loaded") },
            .run { send in
              try await send.sleep(for: .seconds(1))
              send("due")
            })
        },
        finally: { state in
          ends.insert(state)
          return true
        })
      script.send("begin")
      script.send("stop")
    }
    #expect(account.text == nil)
    #expect(ends == [["begin", "loaded", "due", "stop"]])
  }

  @Test(arguments: [Exploration.Level.answers, .timers])
  func `No time passes in the script before what waits for no answer`(level: Exploration.Level) async {
    var ticks: Set<[Int]> = []
    let search = await SearchInTest(.states(level), budget: 4_000) { schedule in
      schedule.sharesNothing()
      let script = schedule.store(
        initialState: [Int](),
        reducer: Reduce<[Int], Int> { state, action in
          switch action {
          case -1: return .timer(id: "timer", overlap: .drop, every: .seconds(1)) { $0 }
          case 0: return .cancel(id: "timer")
          default: state.append(action)
          }
          return .none
        },
        finally: { state in
          ticks.insert(state)
          return true
        })
      script.send(-1)
      script.advance(by: .seconds(3))
      script.send(0)
    }
    #expect(ticks.count > 0, "\(search.result)")
    #expect(ticks.allSatisfy { $0.starts(with: [1, 2, 3]) }, "\(ticks)")
  }

  /// A run with two sleeps, and one whose deadline comes between the end of a sleep and what follows it.
  private struct Sleeps: Reducer {
    enum Action: Equatable, Sendable { case begin, woke(Int) }

    func reduce(into state: inout [Int], action: Action) -> Effect<Action> {
      switch action {
      case .begin:
        return .merge(
          .run { send in
            try await withThrowingTaskGroup(of: Void.self) { group in
              for number in 1...2 {
                group.addTask {
                  try await send.sleep(for: .seconds(number))
                  send(.woke(number))
                }
              }
              try await group.waitForAll()
            }
          },
          .run { send in
            try await send.sleep(for: .seconds(2))
            send(.woke(3))
          })
      case .woke(let number):
        state = (state + [number]).sorted()
        return .none
      }
    }
  }

  @Test
  func `A deadline that comes before a job is executed is no deed of that job`() async {
    let result = await EffectTesting.explore(
      initialState: [], reducer: Sleeps(), budget: .schedules(4_000), options: .init(upTo: .timers)
    ) { script in
      script.send(.begin)
    } finally: {
      $0 == [1, 2, 3]
    }
    #expect(result.completeLevel == .timers, "\(result)")
    #expect(!result.hasSurprise)
    #expect(result.completed.allSatisfy { $0.states != nil }, "\(result)")
  }

  @Test(arguments: 1...4)
  func `Runs with a time limit each and a log-out are complete, without a setting`(count: Int) async {
    let result = await explore(count)
    #expect(result.completeLevel == .timers, "\(result)")
    // The same in each process.
    #expect(result.completed.map(\.states) == (await explore(count)).completed.map(\.states))
    Measured.print("\(count) runs: \(result), \(result.spent) schedules")
  }
}
