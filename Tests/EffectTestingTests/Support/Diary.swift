// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Events in their order, written from any thread.
final class Diary<Entry: Sendable>: Sendable {
  private let entries = Lock<[Entry]>([])

  var all: [Entry] { entries.withLock { $0 } }
  var count: Int { entries.withLock { $0.count } }

  func write(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
  }
}
