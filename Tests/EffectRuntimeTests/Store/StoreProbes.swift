// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch

@testable import EffectRuntime

extension Store {
  /// Whether nothing is left in the registry: no slot, no name, no waiter (rule E2).
  var isEmpty: Bool {
    interpreter.liveCount == 0 && interpreter.nameCount == 0 && interpreter.waiters.isEmpty
  }
}

extension DispatchSemaphore {
  /// Blocks the thread of an asynchronous function on purpose: the test needs the other side to be synchronous.
  func waitBlocking() { wait() }
}
