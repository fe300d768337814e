// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import orders

/// The gate sets the variable, so that there these tests are never skipped.
private let canRun = LocalDatabase.isInstalled || ProcessInfo.processInfo.environment["EFFECTS_STRICT"] == "1"

/// A real server, and processes that are killed.
@Suite(.serialized, .enabled(if: canRun, "PostgreSQL is not installed; Debian's package is postgresql"))
struct `Orders on a server` {
  #if os(Linux)
    @Test(arguments: [false, true])
    func `Each order is committed once, though processes are killed, and calls outside at least once`(
      isPlain: Bool
    ) async throws {
      let shop = Shop(
        orders: 2000, processes: 4, killEvery: .milliseconds(700), mostKills: 4, lease: 2, isPlain: isPlain,
        isQuiet: true)
      let report = try await LocalDatabase.whileRunning { try await shop.run(program: Program.url, folder: $0.folder) }
      #expect(report.results == 2000)
      #expect(report.distinctResults == 2000)
      #expect(report.done == 2000)
      #expect(report.distinctCalls == 2000)
      // One that was started just now may end before it can leave in order.
      #expect(report.leftInOrder >= 3)
    }
  #endif

  @Test func `A process that ends between the call and the commit: the call is repeated, the commit is not`()
    async throws
  {
    try await LocalDatabase.whileRunning { server in
      let calls = server.folder + "/calls"
      let database = Connection(folder: server.folder)
      try await Database.create(database)
      try await Database.add(1, database)
      let first = try Services.live(folder: server.folder, worker: "first", calls: calls, lease: .zero)
      let second = try Services.live(folder: server.folder, worker: "second", calls: calls, lease: .zero)

      let lost = try #require(await first.take(10).first)
      try await first.call(lost.id)  // and ends here
      let order = try #require(await second.take(10).first)
      #expect(order == Order(id: lost.id, attempt: lost.attempt + 1))
      try await second.call(order.id)
      #expect(try await second.finish(order))

      // If it had not ended, it could not commit either.
      #expect(try await first.finish(lost) == false)
      #expect(try await first.renew([lost]).isEmpty)
      #expect(try await database.count("SELECT count(*) FROM results") == 1)
      #expect(try CallLog.keys(path: calls) == [lost.id, lost.id])
    }
  }

  @Test func `A worker that leaves hands over its own orders, and none of another one with its process number`()
    async throws
  {
    try await LocalDatabase.whileRunning { server in
      let database = Connection(folder: server.folder)
      try await Database.create(database)
      try await Database.add(3, database)
      let calls = server.folder + "/calls"
      // Both are in this process.
      let workers = (1...2).map { _ in WorkerProcess(folder: server.folder, calls: calls, lease: 60, attempts: 1) }
      let services = try workers.map {
        try Services.live(folder: server.folder, worker: $0.name, calls: calls, lease: .seconds(60))
      }
      let kept = try await services[0].take(1)
      let left = try await services[1].take(1)
      try await Database.handOver(workers[1].name, database)
      let taken = try await services[1].take(10).map(\.id).sorted()
      #expect(taken == [left[0].id, 3] && kept.map(\.id) != left.map(\.id))
      #expect(try await services[0].finish(kept[0]))
    }
  }

  @Test func `Two processes never take the same order, and news of a new one arrives`() async throws {
    try await LocalDatabase.whileRunning { server in
      let database = Connection(folder: server.folder)
      try await Database.create(database)
      let services = try (1...2).map {
        try Services.live(folder: server.folder, worker: "\($0)", calls: server.folder + "/calls", lease: .seconds(60))
      }
      let news = try await services[0].news()
      try await Database.add(100, database)
      for await _ in news { break }
      async let some = services[0].take(80)
      async let others = services[1].take(80)
      let (taken, takenByOther) = try await (some, others)
      #expect(Set(taken.map(\.id)).isDisjoint(with: takenByOther.map(\.id)))
      #expect(taken.count + takenByOther.count == 100)
    }
  }
}
