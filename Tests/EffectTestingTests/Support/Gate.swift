// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Something that a run waits for. It is not under the control of the test's clock and executor.
final class Gate: Sendable {
  private struct Phase {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let phase = Lock(Phase())

  var isOpen: Bool { phase.withLock { $0.isOpen } }

  /// Suspends until the gate is open; ignores cancellation.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = phase.withLock { phase in
        if !phase.isOpen { phase.waiting.append(continuation) }
        return phase.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = phase.withLock { phase in
      phase.isOpen = true
      defer { phase.waiting = [] }
      return phase.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
