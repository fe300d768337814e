// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

@Suite(.timeLimit(.minutes(20))) struct ManyValuesTests {
  #if DEBUG
    private static let values = 200_000
  #else
    private static let values = 10_000_000
  #endif

  @Test func `Producers that wait for delivery run in constant memory, for any number of values`() async {
    let producers = 4
    let reference = StoreReference<Reduce<Load, Int>>()
    let store = Store(
      initialState: Load(),
      reducer: Reduce<Load, Int> { state, action in
        guard action < 0 else {
          state.values += 1
          // The waiting actions, and the capacity of the array for them: it never shrinks.
          let waiting = reference.store?.mailbox.queue.withLock { ($0.messages.count, $0.messages.capacity) }
          state.mostWaiting = max(state.mostWaiting, waiting?.0 ?? .max)
          state.mostRoom = max(state.mostRoom, waiting?.1 ?? .max)
          return .none
        }
        return .merge(
          (0..<producers).map { _ in
            .run { send in
              for value in 0..<(Self.values / producers) where await !send.delivered(value) { return }
            }
          })
      })
    reference.store = store
    await store.send(-1).finish()
    let load = await store.state
    #expect(load.values == Self.values)
    #expect(load.mostWaiting < producers)
    #expect(load.mostRoom <= 16)
    #expect(await store.scheduler.workTree.count == 0)
  }
}

private struct Load: Sendable {
  var values = 0
  var mostWaiting = 0
  var mostRoom = 0
}
