// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Synchronization
import TestSupport
import Testing

@testable import EffectRuntime

/// How long tasks wait to be started or cancelled behind actions that wait in the mailbox (rule E8).
@Suite struct PromptTests {
  @Test func `Due work waits for the next check, and beyond that only within 50 us`() {
    let start = SuspendingClock.now
    var due = DueTasks()
    let first = [.zero, .microseconds(49), .microseconds(50)].map { due.haveWaited(at: start + $0) }
    #expect(first == [false, false, true])
    due.clear()
    let second = [.seconds(1), .seconds(2)].map { due.haveWaited(at: start + $0) }
    #expect(second == [false, true], "a new wait begins at the first check")
  }

  @Test func `A run is handed to a task before the second reduction behind its start (E8)`() async {
    let ending = await reductions { action, hasHandedOver, watch in
      switch action {
      case "due": return .run { _ in }
      case "first": takeTime()
      case "second": watch(hasHandedOver)
      default: break
      }
      return .none
    }
    #expect(ending)
  }

  @Test func `A task is cancelled before the second reduction behind its cancel (E8)`() async {
    let (started, cancelled, gate) = (Gate(), Flag(), Gate())
    let ending = await reductions(after: started) { action, _, watch in
      switch action {
      case "before":
        return .run(id: "a", overlap: .restart) { _ in
          await withTaskCancellationHandler {
            started.open()
            await gate.pass()
          } onCancel: {
            cancelled.set()
          }
        }
      case "due": return .cancel(id: "a")
      case "first": takeTime()
      case "second": watch(cancelled.isSet)
      default: break
      }
      return .none
    }
    #expect(ending)
    gate.open()
  }

  @Test func `A run is not handed over while its turn may cancel it, however slow (E3, E8)`() async {
    let hasWaited = await reductions { action, hasHandedOver, watch in
      switch action {
      case "due": return .merge((1...20).map { _ in .run { _ in } } + [.send("a")])
      case "a", "b", "c":
        takeTime()
        return .send(action == "a" ? "b" : action == "b" ? "c" : "last")
      case "last": watch(!hasHandedOver)
      default: break
      }
      return .none
    }
    #expect(hasWaited)
  }

  @Test func `A run does not wait for the end of a later turn (E8)`() async {
    let ending = await reductions { action, hasHandedOver, watch in
      switch action {
      case "due": return .run { _ in }
      case "first": return .send("a")
      case "a", "b":
        takeTime()
        return .send(action == "a" ? "b" : "c")
      case "c": watch(hasHandedOver)
      default: break
      }
      return .none
    }
    #expect(ending)
  }

  @Test func `A cancelled task does not wait for the end of a later turn (E8)`() async {
    let (started, cancelled, gate) = (Gate(), Flag(), Gate())
    let ending = await reductions(after: started) { action, _, watch in
      switch action {
      case "before":
        return .run(id: "a", overlap: .restart) { _ in
          await withTaskCancellationHandler {
            started.open()
            await gate.pass()
          } onCancel: {
            cancelled.set()
          }
        }
      case "due": return .cancel(id: "a")
      case "first": return .send("a")
      case "a", "b":
        takeTime()
        return .send(action == "a" ? "b" : "c")
      case "c": watch(cancelled.isSet)
      default: break
      }
      return .none
    }
    #expect(ending)
    gate.open()
  }

  @Test func `A run is not handed over where a turn is longer than the budget of a drain (E3, T6)`() async {
    let called = Gate()
    let hasWaited = await reductions(until: called) { action, hasHandedOver, watch in
      if action == "due" { return .merge(.run { _ in called.open() }, .send("600")) }
      guard let left = Int(action) else { return .none }
      if left > 0 { return .send("\(left - 1)") }
      watch(!hasHandedOver)
      return .none
    }
    #expect(hasWaited)
  }

  @Test func `A run with a priority is not handed over before the end of its turn either (E3, E8)`() async {
    let called = Gate()
    let hasWaited = await reductions(until: called) { action, hasHandedOver, watch in
      switch action {
      case "due": return .merge(.run(priority: .high) { _ in called.open() }, .send("a"))
      case "a":
        takeTime()
        return .send("b")
      case "b": watch(!hasHandedOver)
      default: break
      }
      return .none
    }
    #expect(hasWaited)
  }

  /// Three actions that are taken from the mailbox together; returns what the last one observed. The store is kept
  /// until a closure has been called: a run whose store was released is cancelled, and its closure may never be called.
  private func reductions(
    after started: Gate? = nil, until called: Gate? = nil,
    _ effect: @escaping @Sendable (String, _ hasHandedOver: Bool, (Bool) -> Void) -> Effect<String>
  ) async -> Bool {
    let (reference, isOver) = (StoreReference<Reduce<Bool, String>>(), Gate())
    let store = Store(
      initialState: false,
      reducer: Reduce<Bool, String> { @Sendable state, action in
        // From within a reduction they only wait.
        if action == "all" {
          for action in ["due", "first", "second"] { reference.store?.send(action) }
          return .none
        }
        let hasHandedOver = reference.store?.assumeIsolated { $0.core.value.ready.isEmpty } ?? false
        return effect(action, hasHandedOver) {
          state = $0
          isOver.open()
        }
      })
    reference.store = store
    store.send("before")
    await started?.pass()
    store.send("all")
    await isOver.pass()
    await called?.pass()
    return await store.state
  }

  private func takeTime() {
    let end = SuspendingClock.now + .microseconds(100)
    while SuspendingClock.now < end {}
  }

  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }
}
