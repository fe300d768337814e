// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Docs/Overlap.md shows the code that was compiled, and pictures of what happened (see `PictureTests.swift`).
@Suite struct `The page on overlap` {
  @Test func `Each listing is what was compiled`() throws {
    try Listings().check("Docs/Overlap.md", against: ["OverlapListing.swift"])
  }

  @Test func `Each listing does what the page says`() async {
    let store = TestStore(initialState: SearchApp.State(), reducer: SearchApp(api: .init()))
    store.send(.opened("a"))
    store.send(.typed("s")) { $0.query = "s" }
    await store.receive(.found(["s"])) { $0.results = ["s"] }
    store.send(.searchTapped)
    await store.receive(.found(["s"]))
    store.send(.marked("a")) { $0.marked = ["a"] }
    store.send(.noted("n"))
    store.send(.shown("p"))
    await store.receive(.previewed("p")) { $0.results = ["s", "p"] }
    await store.finish()
  }
}

enum OverlapPictures {
  static let all: KeyValuePairs<String, Overlap> = [
    "concurrent": .concurrent, "restart": .restart, "drop": .drop, "enqueue": .enqueue, "keepLatest": .keepLatest,
    "join": .join, "limit": .enqueue(limit: 2), "exclusive": .restart(exclusive: true),
  ]
}

/// Three taps a tenth of a second apart. Each is answered a quarter of a second after its request, cancelled or not.
enum ThreeTaps {
  static let words = ["swift", "swift", "rust"]

  static func log(_ overlap: Overlap) async -> [TraceEvent<Taps.Action>] {
    let (clock, server) = (TestClock(), SlowServer())
    let store = Store(
      initialState: Taps.State(), reducer: Taps(overlap: overlap, find: { await server.find($0) }), clock: clock)
    let log = store.trace.log()
    var (trace, starts) = (store.trace.makeAsyncIterator(), store.trace.makeAsyncIterator())
    var taps = words.indices.map { (at: Duration.milliseconds(100 * $0), word: words[$0]) }[...]
    var asked: [(due: Duration, run: UInt64)] = []
    var answers = 0
    while let next = [taps.first?.at, asked.first?.due].compactMap(\.self).min() {
      clock.advance(to: .init(offset: next))
      if let answered = asked.first, answered.due == next {
        asked.removeFirst()
        answers += 1
        await server.answer()
        while let event = await trace.next(isolation: #isolation), !event.isReturn(of: answered.run) {}
      } else if let tap = taps.popFirst() {
        store.send(.tapped(tap.word))
      }
      _ = await store.state  // everything that was sent is reduced
      let status = await store.status("search")
      for _ in await server.count..<answers + status.running + status.cancelling {
        await server.hasBeenAsked()
        var started: UInt64?
        while started == nil, let event = await starts.next(isolation: #isolation) { started = event.startedRun }
        if let started { asked.append((next + .milliseconds(250), started)) }
      }
    }
    return log.events
  }
}

extension TraceEvent {
  fileprivate var startedRun: UInt64? {
    if case .run(let run, .started) = kind { run.number } else { nil }
  }

  /// Whether the closure of a run has returned, cancelled or not.
  fileprivate func isReturn(of number: UInt64) -> Bool {
    switch kind {
    case .run(let run, .ended(.finished)), .run(let run, .returned): run.number == number
    default: false
    }
  }
}

/// Answers the oldest request on demand, and ignores cancellation.
private actor SlowServer {
  private var questions: [CheckedContinuation<Void, Never>] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []
  private var arrived = 0
  /// The number of requests that have been waited for.
  private(set) var count = 0

  func find(_ word: String) async -> String {
    arrived += 1
    await withCheckedContinuation {
      questions.append($0)
      for watcher in watchers { watcher.resume() }
      watchers = []
    }
    return "\(word)!"
  }

  func hasBeenAsked() async {
    count += 1
    while arrived < count { await withCheckedContinuation { watchers.append($0) } }
  }

  func answer() { questions.removeFirst().resume() }
}
