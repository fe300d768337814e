// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[Int], Int>

@MainActor @Suite(.timeLimit(.minutes(5))) struct FinishTests {
  private let log = Recorder<String>()
  private let gate = Gate()

  private func makeStore(
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil, _ effect: @escaping @Sendable (Int) -> Effect<Int>
  ) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { @Sendable state, action in
        state.append(action)
        return effect(action)
      }, isolation: MainActor.shared, onFailure: onFailure)
  }

  @Test func `Finish waits for actions of runs of actions of runs, however one starts another (L2)`() async {
    let store = makeStore { action in
      switch action {
      case 1: .merge(.run { send in send(2) }, .run { send in send(20) })
      case 2: .concatenate(.run { send in send(3) }, .send(30), .run { send in send(31) })
      case 3: .run(id: "x", overlap: .enqueue) { send in _ = await send.delivered(4) }
      case 4: .merge(.send(5), .run(id: "x", overlap: .enqueue) { send in send(6) })
      case 6: .run { send in send(7) }.cancellable(id: "tree", overlap: .concurrent)
      default: .none
      }
    }
    let other = store.send(100)
    await store.send(1).finish()
    #expect(await Set(store.state) == [100, 1, 20, 2, 3, 4, 5, 30, 31, 6, 7])
    #expect(await store.state.count == 11)
    #expect(await store.isEmpty)
    await other.finish()
  }

  @Test func `Finish waits for its own dispatch and for no other (L2)`() async {
    let store = makeStore { [gate] action in
      switch action {
      case 1:
        .run { send in
          await gate.pass()
          send(2)
        }
      default: .none
      }
    }
    let long = store.send(1)
    await store.send(10).finish()
    #expect(await store.state == [1, 10])
    gate.open()
    await long.finish()
    #expect(await store.state == [1, 10, 2])
  }

  @Test func `Cancelled before its reduction, an action is reduced and its runs never start (L2)`() async {
    let store = makeStore { [log] action in
      switch action {
      case 1:
        .merge(
          .run { _ in log.record("never") }, .send(2), .run(id: "x", overlap: .concurrent) { _ in log.record("never") },
          .concatenate(.run { _ in log.record("never") }, .send(3), .run { _ in log.record("never") }))
      case 2: .run { _ in log.record("never") }
      case 9: .run { _ in log.record("other") }
      default: .none
      }
    }
    // Not inline: it waits as long as this function holds the main actor.
    let dispatch = store.send(1, isolation: nil)
    let other = store.send(9, isolation: nil)
    dispatch.cancel()
    dispatch.cancel()
    await dispatch.finish()
    await other.finish()
    #expect(await store.state == [1, 2, 3, 9])
    #expect(log.events == ["other"])
    #expect(await store.isEmpty)
    dispatch.cancel()
    await dispatch.finish()
  }

  @Test(arguments: ["cancel", "waiter"])
  func `Cancelled while its runs execute, a dispatch loses them and what they sent; others go on (L2, E1)`(
    way: String
  ) async {
    let second = Gate()
    let store = makeStore { [log, gate] action in
      switch action {
      case 1:
        .merge(
          .run(id: "x", overlap: .enqueue) { send in
            await withTaskCancellationHandler {
              send(2)
              log.record("started")
              await gate.pass()
              send(3)
            } onCancel: {
              log.record("cancelled")
            }
            log.record("ended")
          }, .run(id: "x", overlap: .enqueue) { _ in log.record("never") })
      case 2:
        .run { _ in
          second.open()
          await gate.pass()
          log.record("ended")
        }
      case 10:
        .run { send in
          await gate.pass()
          send(11)
        }
      default: .none
      }
    }
    let dispatch = store.send(1)
    await log.wait(for: "started")
    let other = store.send(10)
    await store.send(0).finish()
    // A run that is cancelled before its closure is called would record nothing.
    await second.pass()
    if way == "cancel" {
      dispatch.cancel()
      dispatch.cancel()
      await dispatch.finish()
    } else {
      let waiting = Task { await dispatch.finish() }
      waiting.cancel()
      await waiting.value
    }
    #expect(log.events == ["started", "cancelled"])
    gate.open()
    await other.finish()
    await log.wait(for: "ended", count: 2)
    await store.send(0).finish()
    #expect(await store.state == [1, 2, 10, 0, 11, 0])
    dispatch.cancel()
    await dispatch.finish()
  }

  @Test func `Cancelling one waiter ends the wait of the others too: the awaited work is over (L2)`() async {
    let store = makeStore { [gate] action in action == 1 ? .run { _ in await gate.pass() } : .none }
    let dispatch = store.send(1)
    let patient = Task { await dispatch.finish() }
    let hasty = Task { await dispatch.finish() }
    hasty.cancel()
    await hasty.value
    await patient.value
    gate.open()
  }

  @Test func `Finish and cancel of a released store return at once (L2, E7)`() async {
    let gate = gate
    var store: Store<Feature>? = makeStore { _ in .run { _ in await gate.pass() } }
    weak let weakStore = store
    let dispatch = store?.send(1)
    store = nil
    #expect(weakStore == nil)
    await dispatch?.finish()
    dispatch?.cancel()
    await dispatch?.finish()
    gate.open()
  }

  @Test(arguments: ["run", "child", "group", "catch", "descendant"])
  func `A run that waits for itself, wherever it does so, is reported and goes on (L2)`(place: String) async {
    let failures = Recorder<String>()
    let own = Mailed<StoreTask>()
    let store = makeStore(onFailure: { failures.record("\($0.run.name ?? "?"): \($0.error)") }) { [log] action in
      let wait: @Sendable () async -> Void = {
        await own.value().finish()
        log.record("returned")
      }
      switch (place, action) {
      case ("run", 1): return .run(name: "r") { _ in await wait() }
      case ("child", 1):
        return .run(name: "r") { _ in
          async let child: Void = wait()
          await child
        }
      case ("group", 1):
        return .run(name: "r") { _ in await withTaskGroup(of: Void.self) { group in group.addTask { await wait() } } }
      case ("catch", 1):
        return .run(name: "r") { _ in
          throw CancellationError()
        } catch: { _, _ in
          await wait()
        }
      case ("descendant", 1): return .run { send in send(2) }
      case ("descendant", 2): return .run(name: "r") { _ in await wait() }
      default: return .none
      }
    }
    let dispatch = store.send(1)
    own.deliver(dispatch)
    await dispatch.finish()
    #expect(log.events == ["returned"])
    #expect(failures.events == ["r: \(WaitsForItself(.dispatch))"])
  }

  @Test(.timeLimit(.minutes(5)))
  func `A task that a cancelled closure awaits waits for the sequence around it, until that is cancelled (L2, O2)`()
    async
  {
    let failures = Recorder<String>()
    let own = Mailed<StoreTask>()
    let store = makeStore(onFailure: { failures.record("\(type(of: $0.error))") }) { [log, gate] action in
      switch action {
      case 1:
        .concatenate(
          .run(id: "x", overlap: .enqueue(exclusive: true)) { _ in
            log.record("started")
            await gate.pass()
            // Not cancelled with the run.
            await Task { await own.value().finish() }.value
            log.record("goes on")
          }, .send(2))
      case 3: .cancel(id: "x")
      default: .none
      }
    }
    let dispatch = store.send(1)
    own.deliver(dispatch)
    await log.wait(for: "started")
    await store.send(3).finish()
    gate.open()
    #expect(await store.state == [1, 3])
    dispatch.cancel()
    await log.wait(for: "goes on")
    await dispatch.finish()
    #expect(failures.events.isEmpty)
    #expect(await store.state == [1, 3])
  }

  @Test func `No store is mistaken for an earlier one (L2)`() {
    // Made and released one after another, they have the same address.
    let numbers = (0..<100).map { _ in Mailbox<Int>(time: TimeSource(ContinuousClock())).identity }
    #expect(Set(numbers).count == 100)
  }

  @Test func `A run may wait for another dispatch of its store (L2)`() async {
    let (failures, reference) = (Recorder<String>(), StoreReference<Feature>())
    let store = makeStore(onFailure: { failures.record("\($0)") }) { action in
      switch action {
      case 1: .run { _ in await reference.store?.send(2).finish() }
      case 2: .run { send in send(3) }
      default: .none
      }
    }
    reference.store = store
    await store.send(1).finish()
    #expect(await store.state == [1, 2, 3])
    #expect(failures.events.isEmpty)
  }

  @Test func `A run may wait for a dispatch of another store with the same number as its own (L2)`() async {
    let (failures, innerGate) = (Recorder<String>(), Gate())
    let inner = makeStore(onFailure: { failures.record("\($0)") }) { action in
      action == 1 ? .run { _ in await innerGate.pass() } : .none
    }
    let store = makeStore { [log] _ in
      .run { _ in
        // The same number in either store, and the same slots.
        let dispatch = inner.send(1)
        let waiting = Task(executorPreference: InlineExecutor()) {
          await dispatch.finish()
          log.record("finished")
        }
        // Behind the wait, which was requested before its task suspended.
        await inner.send(2).finish()
        log.record("opens")
        innerGate.open()
        await waiting.value
      }
    }
    await store.send(1).finish()
    #expect(log.events == ["opens", "finished"])
    #expect(failures.events.isEmpty)
  }
}
