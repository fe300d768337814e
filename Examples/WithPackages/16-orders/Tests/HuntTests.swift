// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Synchronization
import Testing

@testable import orders

/// Set for a long hunt, which is not part of the gate.
private let isHunt = ProcessInfo.processInfo.environment["ORDERS_HUNT"] == "1"

// What `OutageTests` does a few times, often. Orders are added as long as a hunt goes on.
#if os(Linux)
  extension `Orders on a server` {
    @Test(.enabled(if: isHunt), arguments: [false, true])
    func `Each order is committed once through 20 outages, and all workers are back within five seconds`(
      isPlain: Bool
    ) async throws {
      let slowest = Mutex(0.0)
      try await hunt(steps: 20, isPlain) { server, connection, processes in
        try server.halt()
        try server.start()
        let start = ContinuousClock.now
        try await untilAllWork(processes, since: "pg_postmaster_start_time()", connection)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        slowest.withLock { $0 = max($0, seconds) }
      }
      print("the slowest return of all workers took \(slowest.withLock(\.self)) s")
      #expect(slowest.withLock(\.self) < 5)
    }

    @Test(.enabled(if: isHunt), arguments: [false, true])
    func `Each order is committed once though all connections are cut 200 times`(isPlain: Bool) async throws {
      try await hunt(steps: 200, isPlain) { _, connection, _ in
        try await connection.rows(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
      }
    }

    @Test(.enabled(if: isHunt), arguments: [false, true])
    func `Each order is committed once though a worker is stopped past its lease`(isPlain: Bool) async throws {
      try await hunt(steps: 10, isPlain) { _, connection, processes in
        let workers = try await connection.rows("SELECT worker FROM orders WHERE state = 'taken' LIMIT 1")
        guard let name = workers.first?.first?.split(separator: " ").last, let worker = Int32(name) else { return }
        kill(worker, SIGSTOP)
        // Its lease is one of two seconds.
        try await Task.sleep(for: .seconds(3))
        kill(worker, SIGCONT)
        let now = try await connection.rows("SELECT clock_timestamp()")
        try await untilAllWork(processes, since: "'\(now[0][0])'", connection)
      }
    }

    @Test(.enabled(if: isHunt && geteuid() == 0), arguments: [false, true])
    func `Each order is committed once though the disk of the results is full for a while`(isPlain: Bool) async throws {
      let disk = "/tmp/orders-disk-\(getpid())"
      try shell("mkdir \(disk) && mount -t tmpfs -o size=512k,uid=65534,gid=65534,mode=700 tmpfs \(disk)")
      defer { try? shell("umount -l \(disk) && rmdir \(disk)") }
      let isSmall = Mutex(false)
      try await hunt(steps: 2, isPlain) { _, connection, processes in
        if isSmall.withLock({ was in (was, was = true).0 }) == false {
          try await connection.rows("CREATE TABLESPACE small LOCATION '\(disk)'")
          try await connection.rows("ALTER TABLE results SET TABLESPACE small")
          return
        }
        // Until it is full, and no order is committed any more.
        var before = -1
        while case let done = try await connection.count("SELECT count(*) FROM orders WHERE state = 'done'"),
          done != before
        {
          before = done
          try await Task.sleep(for: .seconds(2))
          try await Database.add(2000, connection)
        }
        try shell("mount -o remount,size=64m \(disk)")
        let now = try await connection.rows("SELECT clock_timestamp()")
        try await untilAllWork(processes, since: "'\(now[0][0])'", connection)
      }
    }

    /// Runs a shop until each step has been made, and no order is open.
    private func hunt(
      steps: Int, _ isPlain: Bool, step: @escaping @Sendable (LocalDatabase, Connection, Int) async throws -> Void
    ) async throws {
      let report = try await LocalDatabase.whileRunning { server in
        let connection = Connection(folder: server.folder)
        let left = Mutex(steps)
        var shop = Shop(orders: 40_000, processes: 4, killEvery: nil, lease: 2, isPlain: isPlain, isQuiet: true)
        let processes = shop.processes
        shop.whileOpen = { open in
          // Before the processes start there is nothing to disturb.
          if try await connection.count("SELECT count(*) FROM orders WHERE state <> 'new'") == 0 { return }
          guard left.withLock(\.self) > 0 else { return }
          if open < 40_000 {
            _ = try await patiently(60) {
              try await connection.rows("INSERT INTO orders (state) SELECT 'new' FROM generate_series(1, 40000)")
            }
          }
          try await step(server, connection, processes)
          left.withLock { $0 -= 1 }
        }
        var report = try await shop.run(program: Program.url, folder: server.folder)
        #expect(left.withLock(\.self) == 0)
        report.orders = try await connection.count("SELECT count(*) FROM orders")
        return report
      }
      print(report)
      #expect(report.done == report.orders)
      #expect(report.results == report.orders)
      #expect(report.distinctResults == report.orders)
      #expect(report.distinctCalls == report.orders)
      #expect(report.leftInOrder == report.processes)
    }

    /// Waits until each worker has taken an order since a time of the server. Adds orders meanwhile.
    private func untilAllWork(_ processes: Int, since time: String, _ connection: Connection) async throws {
      while true {
        let working = try await patiently(60) {
          try await connection.count("SELECT count(DISTINCT worker) FROM orders WHERE taken_at > \(time)")
        }
        if working == processes { return }
        try await patiently(60) { try await Database.add(200, connection) }
        try await Task.sleep(for: .milliseconds(20))
      }
    }

    private func shell(_ command: String) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", command]
      try process.run()
      process.waitUntilExit()
      if process.terminationStatus != 0 { throw Failure(description: "\(command) has failed") }
    }
  }
#endif
