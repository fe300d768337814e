// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Synchronization
import Testing

/// The numbers in Docs/ExplorerProofs.md are those of `ExplorerCounts`, and those that the explorer counts.
@Suite struct ExplorerCountTests {
  private let document = "Docs/ExplorerProofs.md"

  private func count(_ queries: Int, restarts: Bool) -> Int {
    var known: [[Int]: Int] = [:]
    return ExplorerCounts.schedules(typing: queries, restarts: restarts, &known)
  }

  /// The cells of the row with this beginning.
  private func row(_ title: String) throws -> [String] {
    let lines = try Listings().lines(of: document)
    let line = try #require(lines.first { $0.hasPrefix("| \(title) |") })
    return line.split(separator: "|").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private func text(_ number: Int) -> String {
    var text = "\(number)"
    for place in stride(from: text.count - 3, to: 0, by: -3) {
      text.insert(",", at: text.index(text.startIndex, offsetBy: place))
    }
    return text
  }

  @Test func `The table of counts has the numbers of the recurrence`() throws {
    let factorials = (1...5).map { stride(from: 1, to: 2 * $0, by: 2).reduce(1, *) }
    #expect(try row("(2n - 1)!!") == factorials.map(text))
    #expect(try row("`.concurrent`") == (1...5).map { text(count($0, restarts: false)) })
    #expect(try row("`.restart`") == (1...5).map { text(count($0, restarts: true)) })
  }

  @Test(arguments: [Overlap.concurrent, .restart], 1...3)
  func `If each delivery is a choice the number of schedules is that of the recurrence`(
    overlap: Overlap, queries: Int
  ) async {
    let result = await explore(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, action in
        if action < 0 { return .none }
        return .run(id: "search", overlap: overlap) { send in if !Task.isCancelled { send(-1) } }
      }, search: .depthFirst(.descend)
    ) { run in
      for query in 0..<queries { run.send(query) }
    }
    #expect(result.completeCount == count(queries, restarts: overlap == .restart))
  }

  @Test(arguments: [Exploration.Delivery.eager, .anyTime], [Exploration.Grain.descend, .everyJob])
  func `The table of budgets has the numbers of the explorer`(delivery: Exploration.Delivery, grain: Exploration.Grain)
    async throws
  {
    let counts = try row("`.\(delivery)`, `.\(grain)`").compactMap { Int($0.replacing(",", with: "")) }
    #expect(counts.count >= 3)
    let asked = ProcessInfo.processInfo.environment["EXPLORE_UP_TO"].flatMap { Int($0) }
    let limit = asked ?? 2_000
    for (queries, count) in zip(1..., counts) where count < limit {
      let start = ContinuousClock.now
      let result = await explore(schedules: 50_000, search: .depthFirst(grain), delivery: delivery) { schedule in
        let server = Server()
        let run = schedule.store(initialState: 0, reducer: queriesAsking(server))
        for query in 0..<queries { run.send(query) }
      }
      #expect(result.completeCount == count)
      let each = (ContinuousClock.now - start) / count
      if asked != nil, count > 100 { print("\(queries) queries, .\(delivery), .\(grain): \(each) each") }
    }
  }

  private func queriesAsking(_ server: Server) -> some Reducer<Int, Int> {
    Reduce<Int, Int> { _, action in
      if action < 0 { return .none }
      return .run(id: "search", overlap: .restart) { send in
        await server.find(action)
        if !Task.isCancelled { send(-1) }
      }
    }
  }

  @Test func `An update is lost in 56 of 76 schedules`() async throws {
    let counted = ExplorerCounts.LostUpdate()
    #expect(counted.schedules == 76)
    #expect(counted.lost == 56)
    #expect(try Listings().lines(of: document).contains { $0.contains("76 at `.everyJob`, of which 56 do.") })
    for (grain, schedules, lost) in [(Exploration.Grain.descend, 2, 0), (.everyJob, counted.schedules, counted.lost)] {
      var seen = 0
      let result = await explore(search: .depthFirst(grain)) { schedule in
        let disk = Disk()
        let run = schedule.store(
          initialState: 0,
          reducer: Reduce<Int, Int> { _, _ in
            let save = Effect<Int>.run { _ in await disk.set(disk.get() + 1) }
            return .merge(save, save)
          },
          finally: { _ in
            if disk.number.withLock({ $0 }) != 2 { seen += 1 }
            return true
          })
        run.send(0)
      }
      #expect(result.completeCount == schedules)
      #expect(result.completeGrain == grain)
      // Schedules that are run again, to check that their results are equal, are checked again.
      #expect(seen == 0 ? lost == 0 : seen >= lost)
    }
  }
}

private actor Disk {
  nonisolated let number = Mutex(0)

  func get() -> Int { number.withLock { $0 } }
  func set(_ new: Int) { number.withLock { $0 = new } }
}

private actor Server {
  private var asked = 0

  func find(_ query: Int) { asked += query }
}
