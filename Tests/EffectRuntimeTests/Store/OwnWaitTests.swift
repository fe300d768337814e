// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[Int], Int>

private enum Other { @TaskLocal static var value = 0 }

/// Which waits are waits of a run for itself: those of its own task and of child tasks, and no others (L2).
@Suite(.timeLimit(.minutes(5))) struct OwnWaitTests {
  private let failures = Recorder<String>()
  private let log = Recorder<String>()
  private let gate = Gate()

  private func makeStore(_ effect: @escaping @Sendable (Int) -> Effect<Int>) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { @Sendable state, action in
        state.append(action)
        return effect(action)
      }, onFailure: { [failures] in failures.record("\($0.error)") })
  }

  @Test(arguments: ["task", "detached", "child of task", "group of task", "task of child", "task of catch"])
  func `A task that a run has left behind waits until the run has settled, and is not reported (L2)`(
    place: String
  ) async {
    let own = Mailed<StoreTask>()
    let store = makeStore { [log, gate] action in
      guard action == 1 else { return .none }
      let wait: @Sendable () async -> Void = {
        log.record("waits")
        await own.value().finish()
        log.record("waited")
      }
      let leave: @Sendable () async -> Void = {
        switch place {
        case "detached": Task.detached { await wait() }
        case "child of task":
          Task {
            async let child: Void = wait()
            await child
          }
        case "group of task": Task { await withTaskGroup(of: Void.self) { group in group.addTask { await wait() } } }
        case "task of child":
          await withTaskGroup(of: Void.self) { group in group.addTask { Task { await wait() } } }
        default: Task { await wait() }
        }
        await gate.pass()
        log.record("ends")
      }
      if place == "task of catch" {
        return .run { _ in
          throw CancellationError()
        } catch: { _, _ in
          await leave()
        }
      }
      return .run { _ in await leave() }
    }
    let dispatch = store.send(1)
    own.deliver(dispatch)
    await log.wait(for: "waits")
    await store.send(2).finish()
    gate.open()
    await dispatch.finish()
    await log.wait(for: "waited")
    #expect(log.events == ["waits", "ends", "waited"])
    #expect(failures.events.isEmpty)
  }

  @Test(arguments: ["run", "child", "group", "local in group", "local around run", "nested child"])
  func `A wait in the run's own task or in a child task is reported and returns (L2)`(place: String) async {
    let own = Mailed<StoreTask>()
    let store = makeStore { [log] _ in
      let wait: @Sendable () async -> Void = {
        await own.value().finish()
        log.record("returned")
      }
      return .run { _ in
        switch place {
        case "child":
          async let child: Void = wait()
          await child
        case "group": await withTaskGroup(of: Void.self) { group in group.addTask { await wait() } }
        case "local in group":
          await withTaskGroup(of: Void.self) { group in
            Other.$value.withValue(1) { _ = group.addTaskUnlessCancelled { await wait() } }
          }
        case "local around run": await Other.$value.withValue(1) { await wait() }
        case "nested child":
          async let child: Void = withTaskGroup(of: Void.self) { group in
            group.addTask {
              async let inner: Void = wait()
              await inner
            }
          }
          await child
        default: await wait()
        }
      }
    }
    let dispatch = store.send(1)
    own.deliver(dispatch)
    await dispatch.finish()
    #expect(log.events == ["returned"])
    #expect(failures.events == ["\(WaitsForItself(.dispatch))"])
  }

  @Test func `A run that awaits a task that waits for the run is not settled until it is cancelled (L2)`() async {
    let own = Mailed<StoreTask>()
    let store = makeStore { [log] action in
      action == 1
        ? .run(id: "a", overlap: .concurrent) { _ in
          log.record("started")
          await Task { await own.value().finish() }.value
          log.record("goes on")
        } : .cancel(id: "a")
    }
    let dispatch = store.send(1)
    own.deliver(dispatch)
    await log.wait(for: "started")
    #expect(await store.isRunning("a"))
    await store.send(2).finish()
    await dispatch.finish()
    await log.wait(for: "goes on")
    #expect(failures.events.isEmpty)
  }

  @Test func `A request and a shutdown in a task of its own are answered (L3, L4)`() async {
    let reference = StoreReference<Feature>()
    let store = makeStore { [log, gate] action in
      guard action == 1 else { return .none }
      return .run { send in
        Task {
          let count = try await reference.store?.request(2) { $0.count }
          log.record("request \(count ?? 0)")
          await reference.store?.shutdown(.draining)
          log.record("shut down")
        }
        await gate.pass()
        send(3)
      }
    }
    reference.store = store
    let dispatch = store.send(1)
    await log.wait(for: "request 2")
    gate.open()
    await dispatch.finish()
    await log.wait(for: "shut down")
    #expect(failures.events.isEmpty)
    #expect(await store.state == [1, 2, 3])
  }
}
