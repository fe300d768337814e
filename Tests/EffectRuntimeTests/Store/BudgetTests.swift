// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

private typealias Chain = Reduce<Int, Int>

/// Stores whose slices are four actions long. Actions below 12 send the next one, and so do those from 100 to 103.
@Suite struct BudgetTests {
  private let log = Recorder<String>()

  private func makeStore(on isolation: any Actor, at second: @escaping @Sendable () -> Void) -> Store<Chain> {
    Store(
      initialState: 0,
      reducer: Chain { @Sendable [log] _, action in
        log.record("\(action)")
        if action == 1 { second() }
        return (0..<12).contains(action) || (100..<104).contains(action) ? .send(action + 1) : .none
      }, isolation: isolation, followUpLimit: 1_000_000, drainBudget: 4)
  }

  private func reduced(_ range: ClosedRange<Int>) -> [String] { range.map { "\($0)" } }

  @Test func `Between two slices other jobs of the executor run, also inside a turn; actions do not (T6, T3)`()
    async
  {
    let isolation = QueueIsolation()
    let reference = StoreReference<Chain>()
    let store = makeStore(on: isolation) { [log] in
      // Enqueued in the first slice, and so before the second one.
      isolation.enqueue {
        log.record("other job")
        reference.store?.send(50, isolation: nil)
      }
    }
    reference.store = store
    store.send(0)
    await log.wait(for: "50")
    #expect(log.events == reduced(0...3) + ["other job"] + reduced(4...12) + ["50"])
  }

  @MainActor
  @Test func `A long turn on the main actor lets its other jobs run after each slice (T6)`() async {
    let store = makeStore(on: MainActor.shared) { [log] in
      MainActor.assumeIsolated { _ = Task { @MainActor in log.record("main") } }
    }
    await store.send(0, isolation: nil).finish()
    #expect(log.events == reduced(0...3) + ["main"] + reduced(4...12))
  }

  @MainActor
  @Test func `An inline send first completes the turn that a slice left open, then its own (T6, L1)`() async {
    let (log, reference) = (log, StoreReference<Chain>())
    let store = makeStore(on: MainActor.shared) {
      MainActor.assumeIsolated {
        _ = Task { @MainActor in
          log.record("inline")
          reference.store?.send(100)
          log.record("returned")
        }
      }
    }
    reference.store = store
    store.send(0, isolation: nil)
    store.send(50, isolation: nil)
    await log.wait(for: "returned")
    #expect(
      log.events == reduced(0...3) + ["inline"] + reduced(4...12) + ["50"] + reduced(100...104) + ["returned"])
  }

  @MainActor
  @Test(arguments: [true, false])
  func `A read first completes the turn that a slice left open (T6, T3, L1, S2)`(ofState: Bool) async {
    let (log, reference) = (log, StoreReference<Chain>())
    let store = makeStore(on: MainActor.shared) {
      MainActor.assumeIsolated {
        _ = Task { @MainActor in
          log.record("read")
          // On the executor of the store: nothing suspends.
          if ofState { _ = await reference.store?.state } else { _ = await reference.store?.isRunning("x") }
          log.record("was read")
        }
      }
    }
    reference.store = store
    store.send(0, isolation: nil)
    await log.wait(for: "was read")
    #expect(log.events == reduced(0...3) + ["read"] + reduced(4...12) + ["was read"])
  }

  @MainActor
  @Test func `An inline send takes all that was accepted before and its own turn, whatever the budget (L1, T2)`() {
    let store = makeStore(on: MainActor.shared) {}
    for action in 20..<40 { store.send(action, isolation: nil) }
    store.send(0)
    log.record("returned")
    #expect(log.events == reduced(20...39) + reduced(0...12) + ["returned"])
  }

  @Test func `A store that is idle again schedules its next drain (T6)`() async {
    let store = makeStore(on: QueueIsolation()) {}
    for action in [50, 51, 52] {
      store.send(action)
      await log.wait(for: "\(action)")
    }
    #expect(log.events == reduced(50...52))
  }
}
