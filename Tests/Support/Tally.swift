// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Counts, from any thread, and lets a test wait until a number is reached.
package final class Tally: Sendable {
  private struct Count {
    var value = 0
    var waiting: [(goal: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let count = Lock(Count())

  package init() {}

  package var value: Int { count.withLock { $0.value } }

  package func increment() {
    let ready = count.withLock { count in
      count.value += 1
      let reached = count.waiting.filter { $0.goal <= count.value }
      count.waiting.removeAll { $0.goal <= count.value }
      return reached
    }
    for waiting in ready { waiting.continuation.resume() }
  }

  /// Suspends until the count has reached a number.
  package func reaches(_ goal: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = count.withLock { count in
        if count.value >= goal { return true }
        count.waiting.append((goal, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}

/// An object whose release is counted. A leak check keeps one.
package final class Counted: Sendable {
  private let released: Tally

  package init(_ released: Tally) {
    self.released = released
  }

  deinit { released.increment() }
}
