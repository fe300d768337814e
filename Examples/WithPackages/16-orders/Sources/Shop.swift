// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// Orders, several processes that take them, and one killed at random now and then.
struct Shop {
  var orders = 2000
  var processes = 4
  /// Not killed if nil.
  var killEvery: Duration? = .seconds(1)
  var mostKills = Int.max
  /// What a killed process had is taken by others after this many seconds.
  var lease = 3
  /// How often a process tries again while the server is away.
  var attempts = 60
  /// Whether the processes are those without the framework.
  var isPlain = false
  /// Whether nothing is printed, by the processes as well.
  var isQuiet = false
  /// Is called before the processes start and then now and then, with the number of orders that are still open.
  var whileOpen: @Sendable (Int) async throws -> Void = { _ in }

  struct Report {
    var orders = 0, processes = 0
    var results = 0, distinctResults = 0, done = 0
    /// The problems of parked orders, each with the number of these orders.
    var parked: [String: Int] = [:]
    var calls = 0, distinctCalls = 0
    var kills = 0, leftInOrder = 0
    var seconds = 0.0, p50 = 0.0, p99 = 0.0
    /// What the processors of the machine did; `nil` if it does not say.
    var machine: ProcessorTimes.Share?
  }

  /// - Parameters:
  ///   - program: the executable of this example.
  ///   - folder: the folder with the socket of a server without tables.
  func run(program: URL, folder: String) async throws -> Report {
    let calls = folder + "/calls"
    let database = Connection(folder: folder)
    try await Database.create(database)
    try await Database.add(orders, database)
    try await whileOpen(orders)

    var report = Report(orders: orders, processes: processes)
    var random = SystemRandomNumberGenerator()
    let start = ContinuousClock.now
    let processors = ProcessorTimes()
    var workers = try (0..<processes).map { _ in try worker(program, folder, calls) }
    defer { for worker in workers where worker.isRunning { kill(worker.processIdentifier, SIGKILL) } }
    if !isQuiet {
      print("\(processes) processes; psql -h \(folder) -U orders postgres")
      fflush(nil)
    }
    var nextKill = killEvery.map { start + $0 }
    while true {
      let open = try await patiently(attempts) {
        try await database.count("SELECT count(*) FROM orders WHERE state IN ('new', 'taken')")
      }
      if open == 0 { break }
      if !workers.contains(where: \.isRunning) { throw Failure(description: "no process works any more") }
      try await whileOpen(open)
      try await Task.sleep(for: .milliseconds(50))
      guard let due = nextKill, due <= .now, report.kills < mostKills,
        let index = workers.indices.randomElement(using: &random)
      else { continue }
      kill(workers[index].processIdentifier, SIGKILL)
      report.kills += 1
      workers[index] = try worker(program, folder, calls)
      nextKill = killEvery.map { due + $0 }
    }
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    report.machine = processors?.shareSince()

    for worker in workers { worker.terminate() }
    let latest = ContinuousClock.now + .seconds(2 * lease + 5)
    for worker in workers {
      while worker.isRunning, .now < latest { try await Task.sleep(for: .milliseconds(10)) }
      guard !worker.isRunning else { continue }
      if worker.terminationReason == .exit, worker.terminationStatus == 0 { report.leftInOrder += 1 }
    }
    report.done = try await database.count("SELECT count(*) FROM orders WHERE state = 'done'")
    for row in try await database.rows("SELECT problem, count(*) FROM orders WHERE state = 'parked' GROUP BY problem") {
      report.parked[row[0]] = Int(row[1])
    }
    report.results = try await database.count("SELECT count(*) FROM results")
    report.distinctResults = try await database.count("SELECT count(DISTINCT order_id) FROM results")
    let keys = try CallLog.keys(path: calls)
    (report.calls, report.distinctCalls) = (keys.count, Set(keys).count)
    let times = try await database.rows(
      """
      SELECT percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY extract(epoch FROM done_at - taken_at) * 1000)
      FROM orders
      """
    ).first?.first?.trimmingCharacters(in: ["{", "}"]).split(separator: ",").compactMap { Double($0) }
    if let times, times.count == 2 { (report.p50, report.p99) = (times[0], times[1]) }
    return report
  }

  private func worker(_ program: URL, _ folder: String, _ calls: String) throws -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = [isPlain ? "work-plain" : "work", folder, calls, "\(lease)", "\(attempts)"]
    // Ends with this process, in whatever way, and then the worker leaves.
    process.standardInput = Pipe()
    if isQuiet { process.standardError = FileHandle.nullDevice }
    try process.run()
    return process
  }
}

extension Connection {
  func count(_ statement: String) async throws -> Int {
    guard let count = try await rows(statement).first?.first.flatMap({ Int($0) }) else {
      throw Failure(description: "no count")
    }
    return count
  }
}

extension Shop.Report: CustomStringConvertible {
  var description: String {
    var lines = [
      "\(orders) orders, \(processes) processes, \(kills) kills, \(leftInOrder) left in order",
      "committed: \(results) results of \(distinctResults) orders, \(done) marked as done",
      "parked: \(parked.values.reduce(0, +))",
    ]
    lines += parked.sorted { $0.key < $1.key }.map { "  \($0.value) with: \($0.key)" }
    lines += [
      "calls outside: \(calls), of which \(calls - distinctCalls) repeated a key",
      String(
        format: "%.0f orders/s; from take to commit p50 %.1f ms, p99 %.1f ms", Double(orders) / seconds, p50, p99),
    ]
    if let machine {
      lines.append(
        String(
          format: "processors: busy for %.0f %% of the time, waiting for a disk for %.0f %%", machine.busy * 100,
          machine.waiting * 100))
    }
    return lines.joined(separator: "\n")
  }
}
