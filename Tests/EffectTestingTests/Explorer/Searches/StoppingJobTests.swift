// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// Others act between two lines that do not suspend, if one of them sends an action.
struct StoppingJobTests {
  private static let grain = Exploration.Search.depthFirst(.everyJob)

  /// All final states of a feature whose script sends 0.
  private func states(
    search: Exploration.Search = grain, delivery: Exploration.Delivery = .anyTime, faults: Exploration.Faults = .none,
    _ reducer: @escaping () -> Planted<[Int], Int>
  ) async -> (Set<[Int]>, Exploration) {
    var seen: Set<[Int]> = []
    let account = await Account(search: search, delivery: delivery, faults: faults) { schedule in
      let script = schedule.store(
        initialState: [], reducer: reducer(),
        finally: { state in
          seen.insert(state)
          return true
        })
      script.send(0)
    }
    #expect(account.text == nil)
    return (seen, account.result)
  }

  /// A feature that starts work with 0 and records all other actions.
  private func recorder(_ effects: @escaping @autoclosure () -> Effect<Int>) -> () -> Planted<[Int], Int> {
    {
      let effect = effects()
      return Planted { state, action in
        if action == 0 { return effect }
        state.append(action)
        return .none
      }
    }
  }

  @Test(arguments: [Exploration.Delivery.anyTime, .eager])
  func `Another run sends between two actions of one job`(delivery: Exploration.Delivery) async {
    let (orders, result) = await states(
      delivery: delivery,
      recorder(
        .merge(
          .run { send in
            send(1)
            send(2)
          },
          .run { send in send(3) })))
    #expect(orders == [[1, 2, 3], [1, 3, 2], [3, 1, 2]])
    #expect(result.completeGrain == .everyJob)
  }

  @Test func `Every order of three actions of two runs is tried, each in the order of its run`() async {
    func three(_ first: Int) -> Effect<Int> {
      .run { send in
        send(first)
        send(first + 1)
        send(first + 2)
      }
    }
    let (orders, result) = await states(recorder(.merge(three(1), three(4))))
    #expect(orders.count == 20)
    for order in orders {
      #expect(order.filter { $0 < 4 } == [1, 2, 3])
      #expect(order.filter { $0 > 3 } == [4, 5, 6])
    }
    #expect(result.completeGrain == .everyJob)
  }

  @Test func `At the coarse grain a job is not interrupted`() async {
    let (orders, result) = await states(
      search: .depthFirst(.descend),
      recorder(
        .merge(
          .run { send in
            send(1)
            send(2)
          },
          .run { send in send(3) })))
    #expect(orders == [[1, 2, 3], [3, 1, 2]])
    #expect(result.completeGrain == .descend)
  }

  @Test func `A run that was woken sends before the action that follows the wake`() async {
    let (orders, result) = await states {
      let (gate, opener) = AsyncStream<Void>.makeStream()
      return recorder(
        .merge(
          .run { send in
            opener.yield()
            send(1)
          },
          .run { send in
            for await _ in gate {
              send(2)
              break
            }
          }))()
    }
    #expect(orders == [[1, 2], [2, 1]])
    #expect(result.completeGrain == .everyJob)
  }

  @Test func `A run that is woken after an action sends after it`() async {
    let (orders, result) = await states {
      let (gate, opener) = AsyncStream<Void>.makeStream()
      return recorder(
        .merge(
          .run { send in
            send(1)
            opener.yield()
          },
          .run { send in
            for await _ in gate {
              send(2)
              break
            }
          }))()
    }
    #expect(orders == [[1, 2]])
    #expect(result.completeGrain == .everyJob)
  }

  @Test func `An action that waits for its reduction is posted after what another run sends`() async {
    let (orders, _) = await states(
      recorder(
        .merge(
          .run { send in
            send(1)
            _ = await send.delivered(2)
            send(4)
          },
          .run { send in send(3) })))
    #expect(orders == [[1, 2, 3, 4], [1, 3, 2, 4], [3, 1, 2, 4], [1, 2, 4, 3]])
  }

  @Test func `A cancel between two actions of a job drops the second one and is seen after it`() async {
    let noted = Shared<Set<Bool>>([])
    let (orders, result) = await states {
      Planted { state, action in
        if action == 0 {
          return .run(id: "work", overlap: .concurrent) { send in
            send(1)
            send(2)
            noted.value.insert(Task.isCancelled)
          }
        }
        state.append(action)
        return action == 1 ? .cancel(id: "work") : .none
      }
    }
    #expect(orders == [[1]])
    #expect(noted.value == [true, false])
    #expect(result.completeGrain == .everyJob)
  }

  @Test func `A cancellation handler is called between two actions of its scope`() async {
    let called = Shared(0)
    let (_, result) = await states {
      Planted { _, action in
        switch action {
        case 0:
          .run(id: "work", overlap: .concurrent) { send in
            await withTaskCancellationHandler {
              send(1)
              send(2)
            } onCancel: {
              called.value += 1
            }
          }
        case 1: .cancel(id: "work")
        default: .none
        }
      }
    }
    #expect(called.value > 0)
    #expect(result.completeGrain == .everyJob)
  }

  @Test func `A failure between two actions of a job is replayed from its text`() async throws {
    func body(_ schedule: Exploration.Schedule) {
      let script = schedule.store(
        initialState: [],
        reducer: recorder(
          .merge(
            .run { send in
              send(1)
              send(2)
            },
            .run { send in send(3) }))(),
        always: { $0 != [1, 3, 2] })
      script.send(0)
    }
    let found = await Account(search: Self.grain) { body($0) }
    let text = try #require(found.result.failure)
    #expect(found.text?.contains("`always`") == true)
    let replayed = await Account(replaying: text) { body($0) }
    #expect(replayed.result.failure == text)
    #expect(replayed.result.failures == 1)
    // Chance finds it as well, without knowing before that the job stops.
    let random = await Account(search: .random()) { body($0) }
    #expect(random.result.failures == 1)
  }

  @Test func `The reduced search has the same outcomes`() async {
    var outcomes: [Set<[Int]>] = []
    for reduction in [Exploration.Reduction.none, .independentSteps] {
      var seen: Set<[Int]> = []
      let result = await explore(search: .depthFirst(.everyJob), reduction: reduction) { schedule in
        let script = schedule.store(
          initialState: [],
          reducer: recorder(
            .merge(
              .run { send in
                send(1)
                send(2)
                await Task.yield()
                send(5)
              },
              .run { send in send(3) }))(),
          finally: { state in
            seen.insert(state)
            return true
          })
        script.send(0)
        script.send(6)
      }
      result.expectComplete()
      outcomes.append(seen)
    }
    #expect(outcomes[0] == outcomes[1])
  }

  @Test func `An actor that sends twice keeps others out meanwhile`() async {
    actor Desk {
      var count = 0
      func serve(_ send: Send<Int>, _ first: Int) {
        count += 1
        send(first)
        send(first + count)
        count -= 1
      }
    }
    let (orders, result) = await states {
      let desk = Desk()
      return recorder(
        .merge(.run { send in await desk.serve(send, 10) }, .run { send in await desk.serve(send, 20) }))()
    }
    #expect(orders == [[10, 11, 20, 21], [20, 21, 10, 11]])
    #expect(result.completeGrain == .everyJob)
  }

  @Test func `A lock that is held over two actions does not block the search, which is not complete then`() async {
    let (_, result) = await states {
      let lock = Lock(0)
      func two(_ first: Int) -> Effect<Int> {
        .run { send in
          lock.withLock { _ in
            send(first)
            send(first + 1)
          }
        }
      }
      return recorder(.merge(two(1), two(3)))()
    }
    #expect(result.completeGrain == nil)
    #expect(result.gaps.contains { $0.contains("such as a lock") })
  }

  /// The runtime calls the handler while it holds a lock of the child.
  @Test func `A cancellation handler of a child that sends does not block the search`() async {
    let (_, result) = await states(
      recorder(
        .run { send in
          await withTaskGroup { group in
            group.addTask {
              await withTaskCancellationHandler {
                try? await send.sleep(for: .seconds(1))
              } onCancel: {
                send(1)
              }
            }
            await Task.yield()
            group.cancelAll()
          }
        }))
    #expect(result.completeGrain == nil)
    #expect(result.gaps.contains { $0.contains("such as a lock") })
  }

  @Test func `A job that goes on for ever is cut, and ends when its run is cancelled`() async {
    let account = await Account(schedules: 3, search: Self.grain, steps: 50) { schedule in
      let script = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { count, action in
          count += 1
          return action == 0 ? .run { send in while !Task.isCancelled { send(1) } } : .none
        })
      script.send(0)
    }
    #expect(account.result.cut == 3)
    #expect(account.text == nil)
  }
}

// MARK: - Cancels behind an action

extension StoppingJobTests {
  /// Explores a feature whose script sends actions, and collects what its runs note.
  private func notes(
    sending actions: [Int] = [0], cores: Int? = nil,
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
    let result: Exploration
    if let cores {
      result = await explore(cores: cores, search: Self.grain, body)
    } else {
      result = await explore(search: Self.grain, body)
    }
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

  @Test(arguments: [nil, 1, 2])
  func `A run is cancelled by its own action before its next line`(cores: Int?) async {
    let (notes, result) = await notes(cores: cores, Self.checking(after: 1))
    #expect(notes == [["cancelled"], ["goes on"], ["goes on", "awake"]])
    #expect(result.completeGrain == .everyJob)
  }

  @Test(arguments: [nil, 1, 2])
  func `A run is cancelled by the script behind its own action`(cores: Int?) async {
    let (notes, result) = await notes(sending: [0, 2], cores: cores, Self.checking(after: 2))
    #expect(notes == [[], ["cancelled"], ["goes on"], ["goes on", "awake"]])
    #expect(result.completeGrain == .everyJob)
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
    #expect(result.completeGrain == .everyJob)
  }

  /// The run that is cancelled is known to be reached before the other run shows that the schedule must be begun once more.
  @Test(arguments: [nil, 1, 2])
  func `A schedule is repeated in which a cancel has reached a run`(cores: Int?) async {
    let (notes, result) = await notes(cores: cores) { notes in
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
    #expect(result.completeGrain == .everyJob)
    #expect(result.gaps.isEmpty)
  }

  @Test func `At the coarse grain a job of a run with a fault has no parts`() async throws {
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
    let explorer = Explorer(budget: 10, search: .depthFirst(.descend), seed: 1, settings: settings)
    let fine = Explorer(budget: 100, search: .random(), seed: 1, settings: settings)
    fine.countsFailures = true
    await fine.search { body($0) }
    #expect(!fine.runner.knowledge.reachedLines.isEmpty)
    // As where `.standard` goes on with the coarse grain.
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
    let found = await Account(search: Self.grain) { body($0) }
    let text = try #require(found.result.failure)
    #expect(text == "u d h0 d h0 h0 h0")
    let replayed = await Account(replaying: text) { body($0) }
    #expect(replayed.result.failure == text)
    #expect(replayed.result.failures == 1)
    let random = await Account { body($0) }
    #expect(random.result.failures == 1)
  }

  @Test func `A run that a cancel can reach and one that sends twice are on the same line`() async {
    var seen: Set<[Int]> = []
    func run(_ id: EffectID, _ actions: [Int]) -> Effect<Int> {
      .run(id: id, overlap: .concurrent) { send in for action in actions { send(action) } }
    }
    let result = await explore(search: Self.grain) { schedule in
      let script = schedule.store(
        initialState: [],
        reducer: Planted<[Int], Int> { state, action in
          if action == 0 { return .concatenate(run("a", [1]), run("b", [2, 3])) }
          state.append(action)
          return action == 1 ? .cancel(id: "a") : .none
        },
        finally: { state in
          seen.insert(state)
          return true
        })
      script.send(0)
    }
    #expect(seen == [[1, 2, 3]])
    result.expectComplete()
  }

  @Test func `A deadline that cancels a run whose closure has returned reaches no line of it`() async {
    let explorer = Explorer(
      budget: 1_000, search: Self.grain, seed: 1, settings: ScheduleRunner.Settings())
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
    #expect(explorer.result.completeGrain == .everyJob)
    #expect(explorer.runner.knowledge.reachedLines.isEmpty)
  }

  @Test func `A cancellation handler that waits for a lock of a stopped job does not block the search`() async {
    let result = await explore(schedules: 100, search: Self.grain) { schedule in
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
    #expect(result.completeGrain == nil)
    #expect(result.gaps.contains { $0.hasPrefix("a job that waits for what another job holds") })
  }
}
