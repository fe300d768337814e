// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// Others act between two lines that do not suspend, if one of them sends an action.
struct StoppingJobTests {
  private static let level = Exploration.Search.full(.steps)

  /// All final states of a feature whose script sends 0.
  private func states(
    search: Exploration.Search = level, faults: Exploration.Faults = .none,
    _ reducer: @escaping () -> Planted<[Int], Int>
  ) async -> (Set<[Int]>, Exploration) {
    var seen: Set<[Int]> = []
    let account = await Account(search: search, faults: faults) { schedule in
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

  @Test func `Another run sends between two actions of one job`() async {
    let (orders, result) = await states(
      recorder(
        .merge(
          .run { send in
            send(1)
            send(2)
          },
          .run { send in send(3) })))
    #expect(orders == [[1, 2, 3], [1, 3, 2], [3, 1, 2]])
    #expect(result.completeLevel == .steps)
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
    #expect(result.completeLevel == .steps)
  }

  @Test func `Below the level of steps a job is not interrupted`() async {
    let (orders, result) = await states(
      search: .full(.deliveries),
      recorder(
        .merge(
          .run { send in
            send(1)
            send(2)
          },
          .run { send in send(3) })))
    #expect(orders == [[1, 2, 3], [3, 1, 2]])
    #expect(result.completeLevel == .deliveries)
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
    #expect(result.completeLevel == .steps)
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
    #expect(result.completeLevel == .steps)
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
    #expect(result.completeLevel == .steps)
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
    #expect(result.completeLevel == .steps)
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
    let found = await Account(search: Self.level) { body($0) }
    let text = try #require(found.result.failure)
    #expect(found.text?.contains("`always`") == true)
    let replayed = await Account(replaying: text) { body($0) }
    #expect(replayed.result.failure == text)
    #expect(replayed.result.failures == 1)
    // Chance finds it as well, without knowing before that the job stops.
    let random = await Account(search: .random(.steps)) { body($0) }
    #expect(random.result.failures == 1)
  }

  @Test func `A schedule that is another one when it is begun once more is named as a gap`() async {
    var begun = 0
    let account = await Account(schedules: 1, search: .random(.steps)) { schedule in
      begun += 1
      // A choice that there is only once.
      if begun == 1 { _ = schedule.choose(2) }
      let effect = Effect<Int>.run { send in
        send(1)
        send(2)
      }
      schedule.store(initialState: [], reducer: recorder(effect)()).send(0)
    }
    #expect(begun > 1)
    #expect(account.result.gaps.contains("a schedule that was not the same when it was run again"))
  }

  @Test func `The reduced search has the same outcomes`() async {
    var outcomes: [Set<[Int]>] = []
    for search in [Exploration.Search.full(.steps), .states(.steps)] {
      var seen: Set<[Int]> = []
      let result = await explore(options: .init(search: search)) { schedule in
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
    #expect(result.completeLevel == .steps)
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
    #expect(result.completeLevel == nil)
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
    #expect(result.completeLevel == nil)
    #expect(result.gaps.contains { $0.contains("such as a lock") })
  }

  @Test func `A job that goes on for ever is cut, and ends when its run is cancelled`() async {
    let account = await Account(schedules: 3, search: Self.level, steps: 50) { schedule in
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
