// This source file is part of swift-effects. License: Apache-2.0.

/// The remaining steps in one schedule of the crawl over a site, with eager delivery. Each page has at most one job,
/// and all actions that the job sends are reduced after it.
struct CountedCrawl {
  private let links: [Character: String]
  private let limit: Int
  /// Requests of these pages go on until they are cancelled.
  private let slow: Set<Character>
  private var script: [Line]
  private var known: Set<Character> = []
  /// Pages that wait for a slot of the host, pages that have a slot, and those of the latter that wait for their turn.
  private var waiting: [Character] = []
  private var placed: Set<Character> = []
  private var turns: [Character] = []
  /// Requests with their deadlines, the oldest first. The pages in `called` have begun and wait.
  private var requests: [(page: Character, deadline: Int)] = []
  private var called: Set<Character> = []
  /// Requests out of time whose closures have not returned, and requests whose `catch` has not returned.
  private var late: Set<Character> = []
  private var caught: Set<Character> = []
  /// Turns that were cancelled and whose closures have not returned.
  private var lateTurns = 0
  private var isStopping = false
  private var now = 0

  enum Line { case start, stop }

  init(_ script: [Line], links: [Character: String], limit: Int = 2, slow: Set<Character> = []) {
    (self.script, self.links, self.limit, self.slow) = (script, links, limit, slow)
  }

  /// The number of remaining schedules: one if nothing can happen, otherwise the sum over all possible next steps.
  func rest() -> Int {
    var count = 0
    func add(_ change: (inout Self) -> Void) {
      var next = self
      change(&next)
      count += next.rest()
    }
    if script.first == .start { add { $0.start() } }
    if script.first == .stop {
      add { $0.stop(isTurnCalled: true) }
      // The closure of a turn that is cancelled before it is called may never be called.
      if !turns.isEmpty { add { $0.stop(isTurnCalled: false) } }
    }
    if !turns.isEmpty { add { $0.takeTurn() } }
    if lateTurns > 0 { add { $0.lateTurns -= 1 } }
    for (page, _) in requests where !called.contains(page) { add { $0.call(page) } }
    for page in late { add { $0.returnLate(page) } }
    for page in caught { add { $0.giveUp(page) } }
    if let next = requests.min(by: { $0.deadline < $1.deadline }) {
      add { $0.runOut(next.page, at: next.deadline, isCalled: true) }
      if !called.contains(next.page) { add { $0.runOut(next.page, at: next.deadline, isCalled: false) } }
    }
    return max(count, 1)
  }

  private mutating func start() {
    script.removeFirst()
    visit("a")
  }

  /// Pages that have not begun never will.
  private mutating func stop(isTurnCalled: Bool) {
    script.removeFirst()
    isStopping = true
    if !turns.isEmpty, isTurnCalled { lateTurns += 1 }
    placed.subtract(turns)
    (waiting, turns) = ([], [])
  }

  private mutating func visit(_ found: String) {
    for page in found where known.insert(page).inserted && !isStopping { waiting.append(page) }
    fillPlaces()
  }

  private mutating func fillPlaces() {
    while placed.count < limit, !waiting.isEmpty {
      let page = waiting.removeFirst()
      placed.insert(page)
      turns.append(page)
    }
  }

  private mutating func takeTurn() {
    requests.append((turns.removeFirst(), now + 10))
  }

  private mutating func call(_ page: Character) {
    if slow.contains(page) {
      called.insert(page)
      return
    }
    requests.removeAll { $0.page == page }
    // Its links are found before its end gives up the slot.
    visit(links[page] ?? "")
    giveBack(page)
  }

  private mutating func runOut(_ page: Character, at deadline: Int, isCalled: Bool) {
    now = deadline
    requests.removeAll { $0.page == page }
    if isCalled { late.insert(page) }
    caught.insert(page)
  }

  private mutating func returnLate(_ page: Character) {
    late.remove(page)
    giveBack(page)
  }

  private mutating func giveUp(_ page: Character) {
    caught.remove(page)
    giveBack(page)
  }

  /// The slot is free when the request and its `catch` have ended.
  private mutating func giveBack(_ page: Character) {
    guard !late.contains(page), !caught.contains(page) else { return }
    placed.remove(page)
    fillPlaces()
  }
}
