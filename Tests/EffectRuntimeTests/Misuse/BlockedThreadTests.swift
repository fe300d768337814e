// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import EffectRuntime
import Foundation
import Testing

@Suite struct `Blocked threads` {
  // In a process of its own: other tests of this process may block a thread as well.
  @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func `A run that blocks its thread delays no other run while another thread is free`() async {
    await #expect(processExitsWith: .success) {
      let semaphore = DispatchSemaphore(value: 0)
      let store = Store(
        initialState: [Int](),
        reducer: Reduce<[Int], Int> { state, action in
          state.append(action)
          switch action {
          case 1:
            return .run { send in
              semaphore.waitBlocking()
              send(3)
            }
          case 2: return .run { _ in semaphore.signal() }
          default: return .none
          }
        })
      let blocked = store.send(1)
      await store.send(2).finish()
      await blocked.finish()
      #expect(await store.state == [1, 2, 3])
    }
  }
}
