// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization

@testable import orders

/// The tables, in memory, and what was called outside of them.
final class MemoryOrders: Sendable {
  struct Tables {
    var attempts: [Int: Int] = [:]
    var free: Set<Int> = []
    var done: Set<Int> = []
    var results: [Int] = []
    var parked: [Int: String] = [:]
    var calls: [Int] = []
  }

  let tables = Mutex(Tables())

  init(_ count: Int) {
    for id in 1...count { add(id) }
  }

  func add(_ id: Int) {
    tables.withLock { tables in
      tables.attempts[id] = 0
      tables.free.insert(id)
    }
  }

  func take(_ limit: Int) -> [Order] {
    tables.withLock { tables in
      let ids = tables.free.sorted().prefix(limit)
      tables.free.subtract(ids)
      for id in ids { tables.attempts[id, default: 0] += 1 }
      return ids.map { Order(id: $0, attempt: tables.attempts[$0] ?? 0) }
    }
  }

  func finish(_ order: Order) -> Bool {
    tables.withLock { tables in
      guard tables.attempts[order.id] == order.attempt, tables.done.insert(order.id).inserted else { return false }
      tables.results.append(order.id)
      return true
    }
  }

  /// Another process takes what has not been finished, because its lease has expired, and finishes it.
  func stealAll() {
    let stolen = tables.withLock { tables in
      for id in tables.attempts.keys where !tables.done.contains(id) { tables.free.insert(id) }
      return tables.free.count
    }
    for order in take(stolen) {
      tables.withLock { $0.calls.append(order.id) }
      _ = finish(order)
    }
  }

  /// Every order has exactly one result, and was called outside at least once.
  var isExactlyOnce: Bool {
    tables.withLock { $0.results.sorted() == $0.attempts.keys.sorted() && Set($0.calls) == Set($0.attempts.keys) }
  }

  /// The problems of the orders that were set aside.
  var parked: [Int: String] { tables.withLock(\.parked) }

  /// The keys of the calls outside.
  var calls: [Int] { tables.withLock(\.calls) }

  /// - Parameter clock: the clock of the calls outside; without it they take no time.
  func services(_ clock: TestClock?) -> Services {
    Services(
      take: { self.take($0) },
      renew: { orders in self.tables.withLock { tables in orders.filter { tables.attempts[$0.id] == $0.attempt } } },
      call: { key in
        self.tables.withLock { $0.calls.append(key) }
        try await clock?.sleep(for: .milliseconds(10))
      },
      finish: { self.finish($0) },
      park: { order, problem in self.tables.withLock { $0.parked[order.id] = problem } },
      news: { AsyncStream { $0.finish() } })
  }
}
