// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Synchronization
import TestSupport
import Testing

@testable import EffectRuntime

/// How long tasks wait to be started or cancelled behind actions that wait in the mailbox (rule E8).
@Suite struct PromptTests {
  @Test func `A run is handed to a task before the next reduction behind its turn (E8)`() async {
    let ending = await reductions { action, hasHandedOver, watch in
      switch action {
      case "due": return .run { _ in }
      case "first": watch(hasHandedOver)
      default: break
      }
      return .none
    }
    #expect(ending)
  }

  @Test func `A task is cancelled before the next reduction behind its turn (E8)`() async {
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
      case "first": watch(cancelled.isSet)
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
        return .send(action == "a" ? "b" : action == "b" ? "c" : "last")
      case "last": watch(!hasHandedOver)
      default: break
      }
      return .none
    }
    #expect(hasWaited)
  }

  @Test func `A task is cancelled when the turn that cancels its run has ended, and not before (E8)`() async {
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
      case "due": return .merge(.cancel(id: "a"), .send("a"))
      case "a": watch(!cancelled.isSet)
      default: break
      }
      return .none
    }
    #expect(ending)
    gate.open()
  }

  @Test func `A run that its turn cancels is not started, and holds nothing (E3, E8)`() async {
    let store = Store(
      initialState: [],
      reducer: Reduce<[String], String> { @Sendable state, action in
        state.append(action)
        switch action {
        case "go":
          return .merge(
            .run(id: "a", overlap: .drop(exclusive: true)) { send in send("from the cancelled run") }, .send("stop"))
        case "stop": return .merge(.cancel(id: "a"), .send("again"))
        case "again": return .run(id: "a", overlap: .drop(exclusive: true)) { send in send("done") }
        default: return .none
        }
      })
    await store.send("go").finish()
    #expect(await store.state == ["go", "stop", "again", "done"])
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
        return .send("b")
      case "b": watch(!hasHandedOver)
      default: break
      }
      return .none
    }
    #expect(hasWaited)
  }

  /// Two actions that are taken from the mailbox together; returns what the last one observed. The store is kept
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
          for action in ["due", "first"] { reference.store?.send(action) }
          return .none
        }
        let hasHandedOver =
          reference.store?.assumeIsolated {
            $0.core.value.engine.scheduler.outputs.isEmpty && $0.core.value.ready.isEmpty
          } ?? false
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

  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }
}
