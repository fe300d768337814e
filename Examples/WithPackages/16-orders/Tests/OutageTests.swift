// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Synchronization
import Testing

@testable import orders

// A server that is stopped, connections that are cut, and programs that are ended.
extension `Orders on a server` {
  @Test func `A connection is made again, and the outage is reported once`() async throws {
    try await LocalDatabase.whileRunning { server in
      let lines = Mutex<[String]>([])
      let connection = Connection(
        folder: server.folder, outages: Outages { line in lines.withLock { $0.append(line) } })
      try await connection.rows("SELECT 1")
      // What was idle when the server was started again is not an outage.
      try server.halt()
      try server.start()
      try await connection.rows("SELECT 1")
      #expect(lines.withLock { $0 }.isEmpty)
      try server.halt()
      for _ in 1...3 { await #expect(throws: Outage.self) { try await connection.rows("SELECT 1") } }
      try server.start()
      try await connection.rows("SELECT 1")
      let reports = lines.withLock { $0 }
      #expect(
        reports.count == 2 && reports[0].hasPrefix("the database is away") && reports[1] == "the database is back")
      await #expect(throws: Failure.self) { try await connection.rows("SELECT no_column") }
    }
  }

  #if os(Linux)
    @Test(arguments: [false, true])
    func `Each order is committed once, though the server is stopped and connections are cut`(
      isPlain: Bool
    ) async throws {
      let report = try await LocalDatabase.whileRunning { server in
        let others = Connection(folder: server.folder)
        let left = Mutex([1500, 1000, 500])
        var shop = Shop(orders: 2000, processes: 3, killEvery: nil, isPlain: isPlain, isQuiet: true)
        shop.whileOpen = { open in
          guard let next = left.withLock({ $0.first }), open <= next else { return }
          left.withLock { _ = $0.removeFirst() }
          if next == 1000 {
            try await others.rows(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
          } else {
            try server.halt()
            try server.start()
          }
        }
        let report = try await shop.run(program: Program.url, folder: server.folder)
        #expect(left.withLock { $0.isEmpty })
        return report
      }
      #expect(report.results == 2000)
      #expect(report.distinctResults == 2000)
      #expect(report.done == 2000)
      // No process ended, so each knew the results of its calls.
      #expect(report.calls == 2000)
      #expect(report.leftInOrder == 3)
    }

    @Test(arguments: [false, true])
    func `An order whose commit is refused is parked, and not called again`(isPlain: Bool) async throws {
      let report = try await LocalDatabase.whileRunning { server in
        let others = Connection(folder: server.folder)
        var shop = Shop(orders: 100, processes: 2, killEvery: nil, isPlain: isPlain, isQuiet: true)
        let isRefusing = Atomic(false)
        shop.whileOpen = { _ in
          if isRefusing.exchange(true, ordering: .relaxed) { return }
          try await others.rows("ALTER TABLE results ADD CONSTRAINT refuses CHECK (order_id < 99)")
        }
        return try await shop.run(program: Program.url, folder: server.folder)
      }
      #expect(report.done == 98)
      #expect(report.results == 98)
      #expect(Array(report.parked.values) == [2])
      #expect(report.parked.keys.first?.contains("refuses") == true)
      #expect(report.calls == 100)
    }

    @Test func `A worker that finds other tables says so and ends with a status`() async throws {
      try await LocalDatabase.whileRunning { server in
        let connection = Connection(folder: server.folder)
        try await Database.create(connection)
        try await connection.rows("COMMENT ON TABLE orders IS 'version 1'")
        for mode in ["work", "work-plain"] {
          let end = try await Program([mode, server.folder, server.folder + "/calls", "3", "60"]).end()
          #expect(end.status == 1)
          #expect(end.errors.count == 1)
          #expect(
            end.errors.first?.hasSuffix("the database has version 1 of the tables; this program needs version 2")
              == true)
        }
      }
    }

    @Test(arguments: ["work", "work-plain"])
    func `A worker that finds no server gives up with a status`(mode: String) async throws {
      let end = try await Program([mode, "/nowhere", "/dev/null", "3", "3"]).end()
      #expect(end.status == 1)
      #expect(end.errors.count == 2)
      #expect(end.errors.first?.contains("the database is away") == true)
      #expect(end.errors.last?.contains("gave up") == true)
    }

    @Test func `A wrong argument is one line and status 2`() async throws {
      let end = try await Program(["--processes", "0"]).end()
      #expect(end.status == 2)
      #expect(end.errors == ["orders: --processes needs a number from 1 to 16, and not \"0\""])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `A signal ends what the program has started`(signal: Int32) async throws {
      let program = try Program(["--orders", "50000", "--kill-every-ms", "0"])
      let folder = await program.folder()
      #expect(FileManager.default.fileExists(atPath: folder + "/data/postmaster.pid"))
      program.send(signal)
      #expect(await program.end().status == 128 + signal)
      #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `What a killed program has left is removed at the next start, and its workers end by themselves`()
      async throws
    {
      let program = try Program(["--orders", "50000", "--kill-every-ms", "0"])
      let folder = await program.folder()
      program.send(SIGKILL)
      // The workers have its standard error, and end it.
      #expect(await program.end().status == -SIGKILL)
      #expect(FileManager.default.fileExists(atPath: folder + "/data/postmaster.pid"))
      try await LocalDatabase.whileRunning { _ in
        #expect(!FileManager.default.fileExists(atPath: folder))
      }
    }
  #endif
}
