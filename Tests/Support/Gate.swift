// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// A gate where tasks wait until a test opens it. After that it stays open.
///
/// It ignores cancellation, so it represents code that does not react to cancellation.
package final class Gate: Sendable {
  private enum Phase {
    case closed([CheckedContinuation<Void, Never>])
    case open
  }

  private let phase = Lock(Phase.closed([]))

  package init() {}

  /// Suspends until the gate is open.
  package func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = phase.withLock { phase in
        guard case .closed(let waiting) = phase else { return true }
        phase = .closed(waiting + [continuation])
        return false
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Lets all tasks pass, from now on.
  package func open() {
    let waiting = phase.withLock { phase in
      defer { phase = .open }
      if case .closed(let waiting) = phase { return waiting }
      return []
    }
    for continuation in waiting { continuation.resume() }
  }
}
