// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// A task-local that must not reach any run (rule L6).
private enum Sender {
  @TaskLocal static var name = "none"
}

@Suite struct TurnTests {
  @Test func `A turn longer than the limit lets other actions in and drops nothing (T5)`() async {
    let gate = Gate()
    let store = Store(
      initialState: [Int](),
      reducer: Reduce<[Int], Int> { state, action in
        state.append(action)
        if action == 0 { gate.open() }
        return (0..<1_000).contains(action) ? .send(action + 1) : .none
      }, followUpLimit: 10, drainBudget: 256)
    let long = store.send(0)
    await gate.pass()
    await store.send(5_000).finish()
    await long.finish()
    let state = await store.state
    #expect(state.filter { $0 != 5_000 } == Array(0...1_000))
    #expect(state.count == 1_002)
  }

  @MainActor
  @Test func `An inline send comes between two parts of a long turn, never inside one (T5, L1)`() async {
    let store = Store(
      initialState: [Int](),
      reducer: Reduce<[Int], Int> { @Sendable state, action in
        state.append(action)
        return (0..<24).contains(action) ? .send(action + 1) : .none
      }, isolation: MainActor.shared, followUpLimit: 10, drainBudget: 256)
    let long = store.send(0)
    #expect(await store.state == Array(0...9))
    store.send(99)
    await long.finish()
    #expect(await store.state == Array(0...9) + Array(10...19) + [99] + Array(20...24))
  }

  @Test func `A turn of many actions releases its memory (T5)`() async {
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state += 1
        return action == 0 ? .merge((1...100_000).map { .send($0) }) : .none
      })
    await store.send(0).finish()
    #expect(await store.state == 100_001)
    #expect(await store.core.value.engine.followUps.actions.capacity <= 4_096)
  }

  @MainActor
  @Test func `Nested sends from a reducer only enqueue (L1, T1)`() async {
    let log = Recorder<String>()
    let box = StoreBox()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { @Sendable _, action in
        log.record("enter \(action)")
        if action < 3 { MainActor.assumeIsolated { _ = box.store?.send(action + 1) } }
        log.record("leave \(action)")
        return .none
      }, isolation: MainActor.shared)
    box.store = store
    store.send(1)
    await store.send(9).finish()
    box.store = nil
    #expect(
      log.events
        == ["enter 1", "leave 1", "enter 2", "leave 2", "enter 9", "leave 9", "enter 3", "leave 3"])
  }

  @Test func `A run inherits neither task-locals nor priority of the sender (L6)`() async {
    let seen = Recorder<String>()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, _ in
        .run { _ in seen.record("\(Sender.name) \(Task.currentPriority == .background)") }
      })
    await Task(priority: .background) {
      await Sender.$name.withValue("sender") { await store.send(1).finish() }
    }.value
    #expect(seen.events == ["none false"])
  }

  @Test func `A wait for oneself is reported and does not hang (L2)`() async {
    let failures = Recorder<String>()
    let dispatch = Recorder<String>()
    let box = DispatchBox()
    let gate = Gate()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, _ in
        .run(id: "x", overlap: .concurrent) { _ in
          await gate.pass()
          await box.value.get()?.finish()
          dispatch.record("returned")
        }
      }, onFailure: { failures.record("\($0.error)") })
    let own = store.send(1)
    box.value.set(own)
    gate.open()
    await own.finish()
    #expect(dispatch.events == ["returned"])
    #expect(failures.events == ["\(WaitsForItself(.dispatch))"])
  }

  @Test func `Finish waits for all that was caused; cancelling the waiter cancels it (L2)`() async {
    let moments = Recorder<String>()
    let store = Store(
      initialState: [Int](),
      reducer: Reduce<[Int], Int> { state, action in
        state.append(action)
        return switch action {
        case 1...3: .run { send in send(action + 1) }
        case 10:
          .run { send in
            moments.record("started")
            do { try await send.sleep(for: .seconds(1_000_000)) } catch { moments.record("cancelled") }
            send(11)
          }
        default: .none
        }
      })
    await store.send(1).finish()
    #expect(await store.state == [1, 2, 3, 4])
    let waiting = Task { await store.send(10).finish() }
    await moments.wait(for: "started")
    waiting.cancel()
    await waiting.value
    await moments.wait(for: "cancelled")
    #expect(await store.isEmptyOfLiveWork)
  }
}

@MainActor private final class StoreBox {
  var store: Store<Reduce<Int, Int>>?
}

private final class DispatchBox: Sendable {
  let value = Slot()

  final class Slot: Sendable {
    private let lock = Lock<StoreTask?>(nil)
    func get() -> StoreTask? { lock.withLock { $0 } }
    func set(_ dispatch: StoreTask) { lock.withLock { $0 = dispatch } }
  }
}

extension Store {
  /// Whether nothing waits and there is no name; a cancelled closure may still be returning.
  fileprivate var isEmptyOfLiveWork: Bool { scheduler.waits.isEmpty && scheduler.names.count == 0 }
}
