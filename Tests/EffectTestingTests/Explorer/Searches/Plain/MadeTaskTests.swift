// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import EffectTesting

/// Tasks that the code of runs makes belong to the schedule.
struct MadeTaskTests {
  private enum Action: Sendable { case begin, number(Int) }

  /// Explores a feature whose one run executes a client.
  private func explored(
    requiring requirements: [Exploration.Requirement<[Int]>] = [],
    _ client: @escaping @concurrent @Sendable (Send<Action>) async throws -> Void
  ) async -> Account {
    await Account { schedule in
      schedule.store(
        initialState: [],
        reducer: Reduce<[Int], Action> { state, action in
          switch action {
          case .begin: return .run { send in try await client(send) }
          case .number(let number):
            state.append(number)
            return .none
          }
        }, requiring: requirements
      ).send(.begin)
    }
  }

  @Test func `A task that a run makes and awaits is no gap`() async {
    let account = await explored { send in
      let number = Task {
        await Task.yield()
        return 7
      }
      send(.number(await number.value))
    }
    #expect(account.text == nil && account.result.completeLevel == .steps, "\(account.result)")
  }

  @Test func `A task that ends without being awaited is no gap`() async {
    let gate = Shared(0)
    let account = await explored { _ in
      Task { gate.value += 1 }
      Task.detached { gate.value += 1 }
    }
    #expect(account.text == nil && account.result.completeLevel == .steps, "\(account.result)")
    #expect(gate.value > 2)
  }

  @Test func `Two tasks that a run makes proceed in both orders`() async {
    var orders: Set<[Int]> = []
    let account = await Account { schedule in
      let diary = Diary<Int>()
      schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Action> { _, _ in
          .run { _ in
            let first = Task { diary.write(1) }
            let second = Task { diary.write(2) }
            _ = await (first.value, second.value)
          }
        },
        finally: { _ in
          orders.insert(diary.all)
          return true
        }
      ).send(.begin)
    }
    #expect(account.result.completeLevel == .steps && orders == [[1, 2], [2, 1]], "\(account.result)")
  }

  /// Waits until its task is cancelled.
  private static func waitForEver() async { for await _ in AsyncStream<Void>.makeStream().stream {} }

  @Test(arguments: [false, true])
  func `A task that has not ended is named, and can be forbidden`(isForbidden: Bool) async {
    let account = await explored(requiring: isForbidden ? [.nothingRunsAtTheEnd] : []) { _ in
      Task { await Self.waitForEver() }
    }
    if isForbidden {
      #expect(account.text?.contains("a task that run() at ") == true, "\(account.text ?? "")")
    } else {
      #expect(account.result.completeLevel == nil)
      #expect(account.result.waiting.count == 1 && account.result.waiting[0].hasPrefix("a task that "))
    }
  }

  @Test(arguments: [false, true])
  func `A task that has ended is not named although its handle is kept`(isDetached: Bool) async {
    var orders: Set<[Int]> = []
    let account = await Account { schedule in
      let (tasks, log) = (Shared([Task<Void, Never>]()), Shared([Int]()))
      let script = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { _, action in
          .run { _ in
            if action == 2 {
              for task in tasks.value { await task.value }
              log.value.append(2)
            } else if isDetached {
              tasks.value.append(Task.detached { log.value.append(1) })
            } else {
              tasks.value.append(Task { log.value.append(1) })
            }
          }
        },
        finally: { _ in
          orders.insert(log.value)
          return true
        }
      )
      script.send(1)
      script.send(2)
    }
    #expect(account.result.completeLevel == .steps && orders == [[1, 2], [2, 1]], "\(account.result)")
  }

  @Test func `A detached task that has not ended is named`() async {
    let account = await explored { _ in Task.detached { await Self.waitForEver() } }
    #expect(account.text == nil && account.result.completeLevel == nil)
    #expect(account.result.waiting.count == 1, "\(account.result)")
  }

  @Test func `A task that sleeps in real time is a gap`() async {
    let account = await explored { _ in
      Task { try await Task.sleep(for: .milliseconds(1)) }
    }
    #expect(account.text == nil && account.result.completeLevel == nil, "\(account.result)")
  }

  @Test func `A task of the main actor is a gap`() async {
    let account = await explored { _ in
      Task { @MainActor in }
    }
    #expect(account.text == nil && account.result.completeLevel == nil, "\(account.result)")
  }
}
