// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// A cancel reaches a run behind an action that it has sent, before the next line.
struct ReachedRunTests {
  private static let level = Exploration.Search.full(.steps)

  /// Explores a feature whose script sends actions, and collects what its runs note.
  private func notes(
    sending actions: [Int] = [0],
    _ reducer: @escaping @Sendable (Shared<[String]>) -> Planted<Int, Int>
  ) async -> (Set<[String]>, Exploration) {
    let seen = Shared<Set<[String]>>([])
    let body: nonisolated(nonsending) @Sendable (Exploration.Schedule) async -> Void = { schedule in
      let notes = Shared<[String]>([])
      let script = schedule.store(
        initialState: 0, reducer: reducer(notes),
        finally: { _ in
          seen.value.insert(notes.value)
          return true
        })
      for action in actions { script.send(action) }
    }
    let result = await explore(options: .init(search: Self.level), body)
    return (seen.value, result)
  }

  /// 0 starts a run that sends 1 and then notes whether it is cancelled; `cancels` cancels it.
  private static func checking(after cancels: Int) -> @Sendable (Shared<[String]>) -> Planted<Int, Int> {
    { notes in
      Planted { _, action in
        switch action {
        case 0:
          .run(id: "work", overlap: .concurrent) { send in
            send(1)
            notes.value.append(Task.isCancelled ? "cancelled" : "goes on")
            try await send.sleep(for: .seconds(1))
            notes.value.append("awake")
          }
        case cancels: .cancel(id: "work")
        default: .none
        }
      }
    }
  }

  @Test func `A run is cancelled by its own action before its next line`() async {
    let (notes, result) = await notes(Self.checking(after: 1))
    #expect(notes == [["cancelled"], ["goes on"], ["goes on", "awake"]])
    #expect(result.completeLevel == .steps)
  }

  @Test func `A run is cancelled by the script behind its own action`() async {
    let (notes, result) = await notes(sending: [0, 2], Self.checking(after: 2))
    #expect(notes == [[], ["cancelled"], ["goes on"], ["goes on", "awake"]])
    #expect(result.completeLevel == .steps)
  }

  @Test func `A run that ends behind its own action is cancelled by an action of another run`() async {
    let (notes, result) = await notes() { notes in
      Planted { _, action in
        switch action {
        case 0:
          .merge(
            .run(id: "work", overlap: .concurrent) { send in
              send(1)
              notes.value.append(Task.isCancelled ? "cancelled" : "goes on")
            },
            .run { send in send(2) })
        case 2: .cancel(id: "work")
        default: .none
        }
      }
    }
    // Nothing is noted if it is cancelled before it is called.
    #expect(notes == [[], ["cancelled"], ["goes on"]])
    #expect(result.completeLevel == .steps)
  }

  @Test func `A cancellation handler is called when the last action of its scope cancels the run`() async {
    let (notes, result) = await notes { notes in
      Planted { _, action in
        switch action {
        case 0:
          return .run(id: "work", overlap: .concurrent) { send in
            await withTaskCancellationHandler {
              _ = send(1)
            } onCancel: {
              notes.value.append("handled")
            }
          }
        case 1: return .cancel(id: "work")
        default: return .none
        }
      }
    }
    #expect(notes == [[], ["handled"]])
    #expect(result.completeLevel == .steps)
  }

  /// The run that is cancelled is known to be reached before the other run shows that the schedule must be begun once more.
  @Test func `A schedule is repeated in which a cancel has reached a run`() async {
    let (notes, result) = await notes() { notes in
      Planted { _, action in
        switch action {
        case 0:
          .merge(
            .run(id: "work", overlap: .concurrent) { send in
              send(1)
              notes.value.append(Task.isCancelled ? "cancelled" : "goes on")
            },
            .run { send in
              send(2)
              send(3)
            })
        case 1: .cancel(id: "work")
        default: .none
        }
      }
    }
    #expect(notes == [["cancelled"], ["goes on"]])
    #expect(result.completeLevel == .steps)
    #expect(result.gaps.isEmpty)
  }

  @Test func `At the coarse level a job of a run with a fault has no parts`() async throws {
    func body(_ schedule: Exploration.Schedule) {
      let script = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          switch action {
          case 0:
            .run(id: "work", overlap: .concurrent) { send in
              send(1)
              await Task.yield()
              send(2)
              await Task.yield()
            }
          case 1: .cancel(id: "work")
          default: .none
          }
        }, finally: { _ in false })
      script.send(0)
    }
    let faults = Exploration.Faults.seeded(1, oneIn: 1, of: .cancel("work", atSuspension: 2))
    let settings = ScheduleRunner.Settings(faults: faults)
    let explorer = Explorer(budget: 10, search: .full(.deliveries), seed: 1, settings: settings)
    let fine = Explorer(budget: 100, search: .random(.steps), seed: 1, settings: settings)
    fine.countsFailures = true
    await fine.search { body($0) }
    #expect(!fine.runner.knowledge.reachedLines.isEmpty)
    // As where `.standard` goes on with the coarse level.
    explorer.runner.knowledge.reachedLines = fine.runner.knowledge.reachedLines
    await explorer.search { body($0) }
    let text = try #require(explorer.result.failure)
    #expect(!text.dropFirst("descend".count).contains("h"))
    let replayed = await Account(faults: faults, replaying: text) { body($0) }
    #expect(replayed.result.failure == text)
    #expect(replayed.result.failures == 1)
  }

  @Test func `A failure behind an action is replayed, shortened and saved as parts of a job`() async throws {
    func body(_ schedule: Exploration.Schedule) {
      let notes = Shared<[String]>([])
      let script = schedule.store(
        initialState: 0, reducer: Self.checking(after: 1)(notes), finally: { _ in notes.value != ["cancelled"] })
      script.send(0)
    }
    let found = await Account(search: Self.level) { body($0) }
    let text = try #require(found.result.failure)
    #expect(text == "u d h0 d e0")
    let replayed = await Account(replaying: text) { body($0) }
    #expect(replayed.result.failure == text)
    #expect(replayed.result.failures == 1)
    let random = await Account { body($0) }
    #expect(random.result.failures == 1)
  }

  /// The orders of 1, 2 and 3: one run sends 1, which cancels it, and another one sends 2 and 3. Both are on the same line.
  private func orders(
    _ search: Exploration.Search = level,
    _ combine: @escaping @Sendable (Effect<Int>, Effect<Int>) -> Effect<Int>
  ) async -> (orders: Set<[Int]>, result: Exploration) {
    var seen: Set<[Int]> = []
    @Sendable func run(_ id: EffectID, _ actions: [Int]) -> Effect<Int> {
      .run(id: id, overlap: .concurrent) { send in for action in actions { send(action) } }
    }
    let result = await explore(options: .init(search: search)) { schedule in
      let script = schedule.store(
        initialState: [],
        reducer: Planted<[Int], Int> { state, action in
          if action == 0 { return combine(run("a", [1]), run("b", [2, 3])) }
          state.append(action)
          return action == 1 ? .cancel(id: "a") : .none
        },
        finally: { state in
          seen.insert(state)
          return true
        })
      script.send(0)
    }
    return (seen, result)
  }

  @Test func `A run that a cancel can reach and one that sends twice are on the same line`() async {
    let (orders, result) = await orders { .concatenate($0, $1) }
    #expect(orders == [[1, 2, 3]])
    result.expectComplete()
  }

  /// A job that stops behind an action goes on at once in an exhaustive search. Others may act before its next action.
  @Test(arguments: [Exploration.Search.full(.steps), .states(.steps)])
  func `Another run sends between two actions of a run that a cancel can reach`(_ search: Exploration.Search)
    async
  {
    let (orders, result) = await orders(search) { .merge($0, $1) }
    #expect(orders == [[1, 2, 3], [2, 1, 3], [2, 3, 1]])
    result.expectComplete()
  }

  @Test func `A deadline that cancels a run whose closure has returned reaches no line of it`() async {
    let explorer = Explorer(
      budget: 1_000, search: Self.level, seed: 1, settings: ScheduleRunner.Settings())
    await explorer.search { schedule in
      let script = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          guard action == 0 else { return .none }
          return .run(id: "work", overlap: .concurrent) { send in
            send(1)
          } catch: { _, _ in
          }.timeout(after: .seconds(1))
        })
      script.send(0)
    }
    #expect(explorer.result.completeLevel == .steps)
    #expect(explorer.runner.knowledge.reachedLines.isEmpty)
  }

  @Test func `A cancellation handler that waits for a lock of a stopped job does not block the search`() async {
    let result = await explore(budget: .schedules(100), options: .init(search: Self.level)) { schedule in
      let lock = Lock(0)
      let script = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          switch action {
          case 0:
            return .run(id: "work", overlap: .concurrent) { send in
              await withTaskCancellationHandler {
                lock.withLock { _ in
                  send(1)
                  send(2)
                }
              } onCancel: {
                lock.withLock { $0 += 1 }
              }
            }
          case 1: return .cancel(id: "work")
          default: return .none
          }
        })
      script.send(0)
    }
    #expect(result.completeLevel == nil)
    #expect(result.gaps.contains { $0.hasPrefix("a job that waits for what another job holds") })
  }

  @Test func `Each schedule in which a job is held can be replayed`() async {
    func body(_ schedule: Exploration.Schedule, _ finally: @escaping ([Int]) -> Bool) {
      let script = schedule.store(
        initialState: [],
        reducer: Planted<[Int], Int> { state, action in
          state.append(action)
          func run(_ id: EffectID, _ actions: [Int]) -> Effect<Int> {
            .run(id: id, overlap: .drop) { send in
              for action in actions {
                send(action)
                await Task.yield()
              }
            }
          }
          return switch action {
          case 0: .concatenate(run("a", [11, 12]), .cancel(id: "a"))
          case 1: .concatenate(run("b", []), .cancel(id: "a"))
          default: .none
          }
        }, finally: finally)
      script.send(0)
      script.send(1)
    }
    var schedules: [String] = []
    let all = await Account(search: Self.level) { schedule in
      body(schedule) { _ in
        schedules.append(ScheduleStep.text(of: schedule.runner.schedule.steps))
        return true
      }
    }
    #expect(all.result.completeLevel == .steps)
    #expect(schedules.contains { $0.contains("h") })
    for text in schedules {
      var played = ""
      let one = await Account(replaying: text) { schedule in
        body(schedule) { _ in
          played = ScheduleStep.text(of: schedule.runner.schedule.steps)
          return true
        }
      }
      #expect(one.text == nil && played == text)
    }
  }
}
