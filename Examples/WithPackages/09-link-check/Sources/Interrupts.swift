// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Synchronization

/// After it returns, the first Ctrl-C calls the closure, and the second ends the process at once, whatever it is doing.
/// This ends when the returned source is cancelled or released.
func whenInterrupted(_ body: @escaping @Sendable () -> Void) async -> any DispatchSourceSignal {
  signal(SIGINT, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
  let isInterrupted = Atomic(false)
  source.setEventHandler {
    if isInterrupted.exchange(true, ordering: .relaxed) { _exit(130) }
    body()
  }
  await withCheckedContinuation { continuation in
    source.setRegistrationHandler { continuation.resume() }
    source.activate()
  }
  return source
}
