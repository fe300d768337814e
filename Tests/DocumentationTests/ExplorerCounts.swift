// This source file is part of swift-effects. License: Apache-2.0.

/// The expected number of schedules, counted without a store, a task or an explorer, from the remaining steps.
enum ExplorerCounts {
  /// Queries that each send one answer, in the orders of script, deliveries and runs.
  ///
  /// `mail` is the content of the mailbox, the oldest first: a query or an answer. `ready` are runs that will answer,
  /// and `silent` are runs that were cancelled before they did.
  static func schedules(
    typing queries: Int, mail: [Mail] = [], ready: Int = 0, silent: Int = 0, restarts: Bool,
    _ known: inout [[Int]: Int]
  ) -> Int {
    if queries + mail.count + ready + silent == 0 { return 1 }
    let key = [queries, ready, silent] + mail.map { $0 == .query ? 0 : 1 }
    if let count = known[key] { return count }
    var count = 0
    func add(_ times: Int, _ queries: Int, _ mail: [Mail], _ ready: Int, _ silent: Int) {
      count += times * schedules(typing: queries, mail: mail, ready: ready, silent: silent, restarts: restarts, &known)
    }
    if queries > 0 { add(1, queries - 1, mail + [.query], ready, silent) }
    switch mail.first {
    case .query where restarts:
      // The closure of the run before is called and cancelled, or never called. After that it does nothing that adds a
      // choice, and its answer is dropped.
      let rest = mail.dropFirst().filter { $0 == .query }
      add(1, queries, rest, 1, silent + ready)
      if ready > 0 { add(1, queries, rest, 1, silent) }
    case .query: add(1, queries, Array(mail.dropFirst()), ready + 1, silent)
    case .answer: add(1, queries, Array(mail.dropFirst()), ready, silent)
    case nil: break
    }
    if ready > 0 { add(ready, queries, mail + [.answer], ready - 1, silent) }
    if silent > 0 { add(silent, queries, mail, ready, silent - 1) }
    known[key] = count
    return count
  }

  enum Mail { case query, answer }

  /// Two runs add one to a number that an actor keeps, in five sections each: before `get`, `get`, between, `set`, and
  /// after it. The actor is one job, which handles all calls that wait for it at that time.
  struct LostUpdate {
    private(set) var schedules = 0
    private(set) var lost = 0

    init() { go(World()) }

    private struct World {
      var ready: [Job] = [.run(0, stretch: 0), .run(1, stretch: 0)]
      var waiting: [(run: Int, stretch: Int)] = []
      var read = [0, 0]
      var number = 0

      mutating func goOn(_ run: Int, behind stretch: Int) {
        let next = stretch + 1
        if next == 1 || next == 3 {
          if waiting.isEmpty { ready.append(.actor) }
          waiting.append((run, next))
        } else if next < 5 {
          ready.append(.run(run, stretch: next))
        }
      }
    }

    private enum Job { case run(Int, stretch: Int), actor }

    private mutating func go(_ world: World) {
      if world.ready.isEmpty {
        schedules += 1
        if world.number != 2 { lost += 1 }
      }
      for index in world.ready.indices {
        var next = world
        switch next.ready.remove(at: index) {
        case .run(let run, let stretch): next.goOn(run, behind: stretch)
        case .actor:
          let jobs = next.waiting
          next.waiting = []
          for job in jobs {
            if job.stretch == 1 { next.read[job.run] = next.number } else { next.number = next.read[job.run] + 1 }
            next.goOn(job.run, behind: job.stretch)
          }
        }
        go(next)
      }
    }
  }
}
