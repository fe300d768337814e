// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Observation
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[String], String>

/// Sends from every place where user code can run, before and after the end of a store.
@MainActor @Suite(.timeLimit(.minutes(5))) struct LateSendTests {
  private let log = Recorder<String>()
  private let gate = Gate()
  private let reference = StoreReference<Feature>()

  /// Sends from one of these places, and notes whether that was refused.
  private nonisolated func send(from place: String) {
    guard let store = reference.store else { return log.record("\(place): gone") }
    log.record("\(place): \(store.send(place).isRefused ? "refused" : "accepted")")
  }

  private func makeStore() -> Store<Feature> {
    let store = Store(
      initialState: [],
      reducer: Feature { @Sendable [self] state, action in
        state.append(action)
        switch action {
        case "start":
          let farewell = Farewell { send(from: "deinit") }
          return .run(id: "x", overlap: .concurrent) { send in
            await withTaskCancellationHandler {
              log.record("started")
              await gate.pass()
              // With the `send` of the effect, and with the store's, like any other code.
              log.record("run: \(send("run"))")
              self.send(from: "effect")
              log.record("delivered: \(await Task.detached { await send.delivered("delivered") }.value)")
            } onCancel: {
              self.send(from: "handler")
            }
            withExtendedLifetime(farewell) {}
          }
        case "run": send(from: "reducer")
        case "stop": return .cancel(id: "x")
        default: break
        }
        return .none
      }, isolation: MainActor.shared)
    reference.store = store
    return store
  }

  @Test func `Before its end a store takes actions from wherever they are sent (L1, E1)`() async {
    let store = makeStore()
    let dispatch = store.send("start")
    await log.wait(for: "started")
    gate.open()
    await dispatch.finish()
    await log.wait(for: "deinit: accepted")
    // The last two enqueue when others may as well.
    #expect(await store.state.sorted() == ["deinit", "delivered", "effect", "reducer", "run", "start"])
  }

  @Test func `After a shutdown has begun only actions of active runs are taken (L4)`() async {
    let store = makeStore()
    store.send("start")
    await log.wait(for: "started")
    let ending = Task { @MainActor in
      log.record("ends")
      await store.shutdown(.draining)
    }
    await log.wait(for: "ends")
    gate.open()
    _ = await ending.value
    await log.wait(for: "deinit: refused")
    #expect(
      Set(log.events)
        == [
          "started", "ends", "run: true", "effect: refused", "reducer: refused", "delivered: true", "deinit: refused",
        ])
    #expect(await store.state == ["start", "run", "delivered"])
  }

  @Test func `A shutdown that cancels takes no action: handlers are refused, runs are dropped (L4, E1)`() async {
    let store = makeStore()
    store.send("start")
    await log.wait(for: "started")
    let ending = Task { @MainActor in await store.shutdown(.cancelling) }
    await log.wait(for: "handler: refused")
    gate.open()
    _ = await ending.value
    await log.wait(for: "deinit: refused")
    #expect(
      Set(log.events)
        == ["started", "handler: refused", "run: true", "effect: refused", "delivered: false", "deinit: refused"])
    #expect(await store.state == ["start"])
    #expect(await store.scheduler.droppedActions == 2)
  }

  @Test func `An observer that sends while the store ends is refused (L4)`() async {
    let store = ObservableStore(makeStore())
    store.send("start")
    await log.wait(for: "started")
    let ending = Task { @MainActor in
      log.record("ends")
      await store.shutdown(.draining)
    }
    await log.wait(for: "ends")
    withObservationTracking {
      _ = store.count
    } onChange: { [self] in
      send(from: "observer")
    }
    gate.open()
    _ = await ending.value
    #expect(log.events.contains("observer: refused"))
    #expect(store[dynamicMember: \.self] == ["start", "run", "delivered"])
  }

  /// A store whose runs hand out their `Send`.
  private func makeStore(_ kept: Kept) -> Store<Feature> {
    let farewell = Farewell { [log] in log.record("released") }
    return Store(
      initialState: [],
      reducer: Feature { @Sendable _, _ in
        withExtendedLifetime(farewell) { .run { send in kept.send.withLock { $0 = send } } }
      }, isolation: MainActor.shared, onFailure: { _ in })
  }

  @Test(arguments: ["ended", "gone"])
  func `A Send kept too long is refused, and a wait for delivery ends with false (L4, E7)`(way: String) async {
    let kept = Kept()
    var store: Store<Feature>? = makeStore(kept)
    await store?.send("start").finish()
    let send = kept.send.withLock { $0! }
    // Its run has ended: the action is accepted, and dropped.
    #expect(send("late"))
    #expect(await !send.delivered("late"))
    let dispatch = store?.send("start")
    if way == "ended" {
      await store?.shutdown(.cancelling)
    } else {
      store = nil
      await log.wait(for: "released")
    }
    #expect(!send("later"))
    #expect(await !send.delivered("later"))
    await dispatch?.finish()
    dispatch?.cancel()
    #expect(store?.send("no").isRefused ?? true)
  }
}

private final class Kept: Sendable {
  let send = Lock<Send<String>?>(nil)
}
