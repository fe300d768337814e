// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Synchronization
import Testing

@testable import EffectTesting

/// The numbers in Docs/Contributors/ExplorerProofs.md are those of models, and those that a full search of the explorer counts.
@Suite struct ExplorerCountTests {
  private let document = "Docs/Contributors/ExplorerProofs.md"

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
      }, options: full(.deliveries)
    ) { script in
      for query in 0..<queries { script.send(query) }
    }
    #expect(result.completed.map(\.schedules) == [count(queries, restarts: overlap == .restart)])
  }

  @Test(arguments: [Exploration.Level.timers, .deliveries, .steps])
  func `The table of queries has the numbers of the model and of the explorer`(level: Exploration.Level) async throws {
    let counts = try row("all at `\(level)`").compactMap { Int($0.replacing(",", with: "")) }
    #expect(counts.count >= 3)
    for (queries, count) in zip(1..., counts) where !(level == .deliveries && queries > 3) {
      // The recurrence counts more queries faster.
      #expect(CountedPages.queries(queries, isEager: level == .timers, descends: level != .steps) == count)
    }
    let asked = ProcessInfo.processInfo.environment["EXPLORE_UP_TO"].flatMap { Int($0) }
    let limit = asked ?? 2_000
    for (queries, count) in zip(1..., counts) where count < limit {
      let start = ContinuousClock.now
      let result = await explore(budget: .schedules(50_000), options: full(level)) { schedule in
        let server = Server()
        let script = schedule.store(initialState: 0, reducer: queriesAsking(server))
        for query in 0..<queries { script.send(query) }
      }
      #expect(result.completed.map(\.schedules) == [count])
      let each = (ContinuousClock.now - start) / count
      if asked != nil, count > 100 { print("\(queries) queries, \(level): \(each) each") }
    }
  }

  @Test func `A full search of the features of the pages has as many schedules as their models count`() async {
    let feed = await explore(
      initialState: .init(items: [1, 2, 3, 4]), reducer: FeedListing.Fixed(page: { [$0 + 1, $0 + 2] }),
      options: full(.steps)
    ) { script in
      script.send(.more)
      script.send(.refresh)
    }
    #expect(feed.completed.map(\.schedules) == [CountedPages.feed()])
  }

  /// Every schedule of one level.
  private func full(_ level: Exploration.Level) -> Exploration.Options {
    var options = Exploration.Options()
    options.search = .full(level)
    return options
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
    #expect(try Listings().lines(of: document).contains { $0.contains("76 at `steps`, of which 56 do.") })
    for (level, schedules, lost) in [(Exploration.Level.deliveries, 2, 0), (.steps, counted.schedules, counted.lost)] {
      var seen = 0
      let result = await explore(options: full(level)) { schedule in
        let disk = Disk()
        let script = schedule.store(
          initialState: 0,
          reducer: Reduce<Int, Int> { _, _ in
            let save = Effect<Int>.run { _ in await disk.set(disk.get() + 1) }
            return .merge(save, save)
          },
          finally: { _ in
            if disk.number.withLock({ $0 }) != 2 { seen += 1 }
            return true
          })
        script.send(0)
      }
      #expect(result.completed.map(\.schedules) == [schedules] && result.completeLevel == level)
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
