// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Time.md.

import EffectTesting
import Testing

/// The part of the search app that uses time.
struct TimedSearch: Reducer {
  struct State: Equatable, Sendable {
    var query = ""
    var results: [String] = []
    var failure: String?
    var hint = false
    var age = 0
  }
  enum Action: Equatable, Sendable {
    case opened, slept, typed(String), scrolled(Int), submitted(String), closed
    case returnPressed, cleared, saved
    case found([String]), failed(String), hinted, ticked(Int)
  }

  var find: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    // listing: sleep
    case .slept:
      return .run(id: "reminder", overlap: .restart) { send in
        try await send.sleep(for: .seconds(5))                        // the store's clock; ends at once if cancelled
        send(.hinted)
      }
    // end

    // listing: timer
    case .opened:
      return .merge(
        .run(id: "hint", overlap: .restart) { send in send(.hinted) }.delay(for: .seconds(5)),   // starts in five seconds
        .timer(id: "age", overlap: .restart, every: .seconds(1)) { tick in .ticked(tick) })     // the age of the results
    case .closed:
      return .cancel(ids: ["hint", "age"])
    // end

    // listing: debounce
    case .typed(let query):                                           // only the last key of a burst
      state.query = query
      return .run(id: "search", overlap: .restart, input: query) { [find] query, send in
        send(.found(try await find(query)))
      }
      .debounce(for: .milliseconds(300), maxWait: .seconds(2))
    // end

    // listing: throttle
    case .scrolled(let row):                                          // the first at once, then at most two a second
      return .run(id: "seen", overlap: .keepLatest, input: row) { row, send in
        send(.ticked(row))
      }
      .throttle(for: .milliseconds(500))
    // end

    // listing: at-once
    case .returnPressed:
      return .run(id: "search", overlap: .restart, input: state.query) { [find] query, send in
        send(.found(try await find(query)))                             // replaces the search that waits
      }
    // end
    case .cleared:
      return .cancel(id: "search")

    // listing: later
    case .saved:
      return .send(.hinted).cancellable(id: "saved", overlap: .restart).debounce(for: .seconds(1))
    // end

    // listing: retry
    case .submitted(let query):
      return .run(id: "submit", overlap: .restart, input: query) { [find] query, send in
        send(.found(try await find(query)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
      .timeout(after: .seconds(2))                                    // each attempt
      .retry(attempts: 3, backoff: .exponential(from: .seconds(1), upTo: .seconds(30)))
    // end

    case .found(let results): state.results = results
    case .failed(let message): state.failure = message
    case .hinted: state.hint = true
    case .ticked(let tick): state.age = tick
    }
    return .none
  }
}

@Suite struct `The page on time` {
  private func store(_ find: @escaping @Sendable (String) async throws -> [String] = { [$0] }) -> TestStore<TimedSearch> {
    TestStore(initialState: TimedSearch.State(), reducer: TimedSearch(find: find))
  }

  @Test func `It shows the code that was compiled`() throws {
    try Listings().check("Docs/Time.md", against: ["TimePageListing.swift"])
  }

  @Test func `A debounced run begins after a pause`() async {
    let store = store()
    // listing: debounce-test
    store.send(.typed("s")) { $0.query = "s" }
    store.advance(by: .milliseconds(200))
    store.send(.typed("sw")) { $0.query = "sw" }                      // the wait begins again
    store.advance(by: .milliseconds(299))
    store.assertEffects { $0["search"] = EffectStatus(queued: 1, input: "sw") }
    store.advance(by: .milliseconds(1))
    await store.receive(.found(["sw"])) { $0.results = ["sw"] }
    await store.finish()
    // end
  }

  @Test func `A run of the same id replaces one that waits, a cancel ends it, and a debounced send comes once (E3, C2)`() async {
    let store = store()
    store.send(.typed("swift")) { $0.query = "swift" }
    store.send(.returnPressed)  // no time has passed
    await store.receive(.found(["swift"])) { $0.results = ["swift"] }
    await store.finish()
    let other = self.store()
    other.send(.typed("swift")) { $0.query = "swift" }
    other.send(.cleared)
    other.send(.saved)
    other.send(.saved)
    other.advance(by: .seconds(1))
    await other.receive(.hinted) { $0.hint = true }
    await other.finish()
  }

  @Test func `The newest run of an interval begins at its end`() async {
    let store = store()
    // listing: throttle-test
    store.send(.scrolled(1))
    await store.receive(.ticked(1)) { $0.age = 1 }                    // at once
    store.advance(by: .milliseconds(100))
    store.send(.scrolled(2))                                          // waits for the end of the interval,
    store.advance(by: .milliseconds(100))
    store.send(.scrolled(3))                                          // and is replaced by a newer one
    store.advance(by: .milliseconds(300))
    await store.receive(.ticked(3)) { $0.age = 3 }
    await store.finish()
    // end
  }

  @Test func `A hint sleeps, or is delayed, and a timer ticks until it is cancelled`() async {
    let store = store()
    store.send(.slept)
    store.advance(by: .seconds(5))
    await store.receive(.hinted) { $0.hint = true }
    // listing: timer-test
    store.send(.opened)
    store.advance(by: .seconds(1))
    await store.receive(.ticked(1)) { $0.age = 1 }
    store.advance(by: .seconds(1))
    await store.receive(.ticked(2)) { $0.age = 2 }
    store.send(.closed)                                               // a timer never ends by itself
    await store.finish()
    // end
  }

  @Test func `A delayed run begins late`() async {
    let store = store()
    store.send(.opened)
    store.advance(by: .seconds(4))
    for tick in 1...4 { await store.receive(.ticked(tick)) { $0.age = tick } }
    store.advance(by: .seconds(1))
    await store.receive(unordered: [.ticked(5), .hinted]) { ($0.age, $0.hint) = (5, true) }
    store.send(.closed)
    await store.finish()
  }

  @Test func `Three attempts take what the page says`() async {
    let store = store { _ in
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw Offline()
    }
    store.send(.submitted("swift"))                                   // a server that never answers
    store.advance(by: .seconds(2 + 1 + 2 + 2 + 2))                    // three limits, and the waits between them
    await store.receive(.failed("timed out after 2.0 seconds")) { $0.failure = "timed out after 2.0 seconds" }
    await store.finish()
  }

  @Test func `No run waits on an immediate clock`() async {
    let preview = Store(
      initialState: TimedSearch.State(), reducer: TimedSearch(find: { [$0] }), clock: .immediate)
    await preview.send(.slept).finish()                               // does not wait five seconds
    #expect(await preview.state.hint)
  }
}
