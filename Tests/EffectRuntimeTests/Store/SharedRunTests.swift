// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[Int], Int>

/// Action 1 joins the run `load`, which sends 2; the run that 2 starts sends 3; the one that 3 starts waits at the gate.
@MainActor @Suite struct SharedRunTests {
  private let log = Recorder<String>()
  private let gate = Gate()

  private func makeStore(
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil, deep: @escaping @Sendable () async -> Void
  ) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { @Sendable [log, gate] state, action in
        state.append(action)
        return switch action {
        case 1:
          .run(id: "load", overlap: .join, input: "a") { _, send in
            log.record("load")
            await gate.pass()
            send(2)
          }
        case 2: .run { send in send(3) }
        case 3:
          .run(name: "deep") { send in
            await withTaskCancellationHandler {
              log.record("deep")
              await deep()
              send(4)
            } onCancel: {
              log.record("cancelled")
            }
          }
        default: .none
        }
      }, isolation: MainActor.shared, onFailure: onFailure)
  }

  @Test func `Finish of every dispatch that shares a run waits for what the run causes, transitively (O5, L2)`() async {
    let inner = Gate()
    let store = makeStore(deep: { await inner.pass() })
    let dispatches = [store.send(1), store.send(1), store.send(1)]
    let waiting = dispatches.map { dispatch in
      Task { [log] in
        await dispatch.finish()
        log.record("finished")
      }
    }
    await log.wait(for: "load")
    gate.open()
    await log.wait(for: "deep")
    // Behind all that the end of the shared run has resumed.
    await store.send(0).finish()
    #expect(log.events == ["load", "deep"])
    inner.open()
    for waiting in waiting { await waiting.value }
    #expect(await store.state == [1, 1, 1, 2, 3, 0, 4])
    #expect(await store.isEmpty)
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `Cancelling one of two dispatches leaves what their shared run caused to the other (O5, L2, E1)`(
    order: [Int]
  ) async {
    let inner = Gate()
    let store = makeStore(deep: { await inner.pass() })
    let dispatches = [store.send(1), store.send(1)]
    gate.open()
    await log.wait(for: "deep")
    dispatches[order[0]].cancel()
    await dispatches[order[0]].finish()
    #expect(log.events == ["load", "deep"])
    dispatches[order[1]].cancel()
    await dispatches[order[1]].finish()
    #expect(log.events == ["load", "deep", "cancelled"])
    inner.open()
    await store.send(0).finish()
    #expect(await store.state == [1, 1, 2, 3, 0])
  }

  @Test(arguments: [0, 1])
  func `A run that shared work has started and that waits for an owner's dispatch is reported (O5, L2)`(
    owner: Int
  ) async {
    let failures = Recorder<String>()
    let dispatches = Lock<[StoreTask]>([])
    let store = makeStore(
      onFailure: { failures.record("\($0.run.name ?? "?"): \($0.error)") },
      deep: { await dispatches.withLock { $0[owner] }.finish() })
    dispatches.withLock { $0 = [store.send(1), store.send(1)] }
    gate.open()
    for dispatch in dispatches.withLock({ $0 }) { await dispatch.finish() }
    #expect(failures.events == ["deep: \(WaitsForItself(.dispatch))"])
    #expect(await store.state == [1, 1, 2, 3, 4])
    #expect(await store.isEmpty)
  }
}
