// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[Int], Int>

/// Every ending of `await send.delivered(...)`; for a store that is released meanwhile, see `LifetimeTests`.
@MainActor @Suite struct DeliveryTests {
  private let log = Recorder<String>()
  private let gate = Gate()

  private func makeStore(
    followUpLimit: Int = 1_000_000, drainBudget: Int = 256, onFailure: (@Sendable (EffectFailure) -> Void)? = nil,
    _ effect: @escaping @Sendable (Int) -> Effect<Int>
  ) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { @Sendable [log] state, action in
        state.append(action)
        log.record("\(action)")
        return effect(action)
      }, isolation: MainActor.shared, onFailure: onFailure, followUpLimit: followUpLimit,
      drainBudget: drainBudget)
  }

  @Test(arguments: [1, 256])
  func `Delivered is true when the action and its turn have been reduced`(budget: Int) async {
    let store = makeStore(drainBudget: budget) { [log] action in
      switch action {
      case 1:
        .run { send in
          #expect(await send.delivered(2))
          log.record("delivered")
          #expect(await send.delivered(9))
        }
      case 2..<5: .send(action + 1)
      default: .none
      }
    }
    await store.send(1).finish()
    #expect(log.events == ["1", "2", "3", "4", "5", "delivered", "9"])
  }

  @Test func `Delivered does not wait for the rest of a turn that was put aside (T5)`() async {
    let answered = DispatchSemaphore(value: 0)
    let store = makeStore(followUpLimit: 3) { [log] action in
      if action == 5 { answered.wait() }
      return switch action {
      case 1:
        .run { send in
          log.record("\(await send.delivered(2))")
          answered.signal()
        }
      case 2..<12: .send(action + 1)
      default: .none
      }
    }
    await store.send(1).finish()
    #expect(log.events.filter { $0 != "true" } == (1...12).map { "\($0)" })
    // The first part ends with 4; the second waits at its first action for the answer.
    #expect(log.events.firstIndex(of: "true") == 4 || log.events.firstIndex(of: "true") == 5)
  }

  @Test func `Delivered is false for a run that has ended (E1)`() async {
    let failures = Recorder<EffectFailure.Kind>()
    let store = makeStore(onFailure: { failures.record($0.kind) }) { [log, gate] action in
      action == 1
        ? .run { send in
          Task.detached {
            await gate.pass()
            log.record("\(await send.delivered(2))")
          }
        } : .none
    }
    await store.send(1).finish()
    gate.open()
    await log.wait(for: "false")
    #expect(await store.state == [1])
    #expect(await store.scheduler.droppedActions == 1)
    #expect(failures.events == [.sentAfterReturn])
  }

  @Test func `Delivered is false for a run that was cancelled, also from a task that was not (E1)`() async {
    let store = makeStore { [log, gate] action in
      switch action {
      case 1:
        .run(id: "x", overlap: .concurrent) { send in
          log.record("started")
          await gate.pass()
          log.record("own: \(await send.delivered(2))")
          log.record("detached: \(await Task.detached { await send.delivered(3) }.value)")
        }
      case 10: .cancel(id: "x")
      default: .none
      }
    }
    store.send(1)
    await log.wait(for: "started")
    store.send(10)
    gate.open()
    await log.wait(for: "detached: false")
    #expect(log.events == ["1", "started", "10", "own: false", "detached: false"])
    #expect(await store.state == [1, 10])
  }

  @Test func `Delivered is false as soon as its task is cancelled, and then its action is not reduced (E1)`() async {
    let answered = DispatchSemaphore(value: 0)
    let store = makeStore { [log] action in
      action == 1
        ? .run { send in
          let answer = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await send.delivered(2) }
            group.cancelAll()
            return await group.next()
          }
          log.record("\(answer as Any)")
          answered.signal()
        } : .none
    }
    let dispatch = store.send(1)
    // The main actor, and with it the store, is not free before the answer is there.
    answered.waitBlocking()
    await dispatch.finish()
    // Only the wait was cancelled, not the run.
    #expect(log.events == ["1", "Optional(false)"])
  }

  @Test func `Delivered is false for an action behind one that cancels its run (E1)`() async {
    let store = makeStore { [log, gate] action in
      switch action {
      case 1:
        .run(id: "x", overlap: .concurrent) { send in
          send(10)
          log.record("\(await send.delivered(2))")
          await gate.pass()
        }
      case 10: .cancel(id: "x")
      default: .none
      }
    }
    store.send(1)
    await log.wait(for: "false")
    gate.open()
    await store.send(0).finish()
    #expect(await store.state == [1, 10, 0])
  }

  @Test(arguments: [false, true])
  func `Delivered is true if its turn cancels the run, shown or not (E1, L1)`(
    isShown: Bool
  ) async {
    let store = makeStore { [log] action in
      switch action {
      case 1:
        .run(id: "a", overlap: .concurrent) { send in
          await Task.detached { log.record("\(await send.delivered(2))") }.value
          log.record("answered")
        }
      case 2: .send(3)
      case 3: .cancel(id: "a")
      default: .none
      }
    }
    var iterator = isShown ? store.values(\.count, buffering: .unbounded).makeAsyncIterator() : nil
    _ = await iterator?.next(isolation: #isolation)
    store.send(1)
    await log.wait(for: "answered")
    #expect(log.events == ["1", "2", "3", "true", "answered"])
  }

  @Test func `Delivered is true if its turn replaces the run (E1, O1)`() async {
    let store = makeStore { [log] action in
      switch action {
      case 1, 2:
        .run(id: "a", overlap: .restart) { send in
          guard action == 1 else { return }
          await Task.detached { log.record("\(await send.delivered(2))") }.value
          log.record("answered")
        }
      default: .none
      }
    }
    store.send(1)
    await log.wait(for: "answered")
    #expect(log.events == ["1", "2", "true", "answered"])
  }

  @Test func `A run that is cancelled by a turn of its own action gets true (E1)`() async {
    let store = makeStore { [log] action in
      switch action {
      case 1: .run(id: "x", overlap: .concurrent) { send in log.record("\(await send.delivered(10))") }
      case 10: .cancel(id: "x")
      default: .none
      }
    }
    store.send(1)
    await log.wait(for: "true")
    #expect(await store.state == [1, 10])
  }

  @Test func `A fast sequence waits for the store after each element`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 2...100 { continuation.yield(number) }
    continuation.finish()
    let store = makeStore { action in action == 1 ? .stream(sequence: { stream }) { $0 } : .none }
    await store.send(1).finish()
    #expect(await store.state == Array(1...100))
    #expect(await store.isEmpty)
  }
}
