// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Testing.md; `ListingTests.swift` compares the two.

import EffectTesting
import Testing

struct Suggest: Reducer {
  struct State: Equatable { var text = ""; var suggestions: [String] = []; var isOffline = false }
  enum Action: Equatable, Sendable { case typed(String), suggested([String]), gaveUp }

  var fetch: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    // listing: time
    case .typed(let text):
      state.text = text
      return .run(id: "suggest", overlap: .restart, input: text) { [fetch] text, send in
        send(.suggested(try await fetch(text)))
      } catch: { _, send in
        send(.gaveUp)                                             // the last attempt has failed
      }
      .debounce(for: .milliseconds(300))                          // only the last key of a burst
      .timeout(after: .seconds(2))                                // each attempt
      .retry(attempts: 3, backoff: .exponential(from: .seconds(1)))
    // end
    case .suggested(let suggestions):
      (state.suggestions, state.isOffline) = (suggestions, false)
      return .none
    case .gaveUp:
      state.isOffline = true
      return .none
    }
  }
}

/// Hangs, throws, then answers.
private actor Server {
  struct Busy: Error {}
  private(set) var asked: [String] = []

  func fetch(_ text: String) async throws -> [String] {
    asked.append(text)
    switch asked.count {
    case 1:
      for await _ in AsyncStream<Never>.makeStream().stream {}    // until it is cancelled
      throw CancellationError()
    case 2: throw Busy()
    default: return [text.uppercased()]
    }
  }
}

@Test func suggesting() async {
  let server = Server()
  // listing: time-test
  let store = TestStore(initialState: Suggest.State(), reducer: Suggest(fetch: server.fetch))
  store.send(.typed("s")) { $0.text = "s" }
  store.advance(by: .milliseconds(299))
  store.send(.typed("sw")) { $0.text = "sw" }                     // the server gets no request for "s"
  store.advance(by: .milliseconds(300))                           // the first attempt begins: the server hangs
  store.advance(by: .seconds(2))                                  // it is out of time
  store.advance(by: .seconds(1))                                  // the second, after the first wait: an error
  store.assertEffects { $0["suggest"] = EffectStatus(running: 1, attempt: 2, input: "sw") }
  store.advance(by: .seconds(2))                                  // the third, after twice the wait
  await store.receive(.suggested(["SW"])) { $0.suggestions = ["SW"] }
  await store.finish()
  // end
  #expect(await server.asked == ["sw", "sw", "sw"])
}

@Test func `One advance over all attempts does as well, as the page about testing says`() async {
  let server = Server()
  let store = TestStore(initialState: Suggest.State(), reducer: Suggest(fetch: server.fetch))
  store.send(.typed("sw")) { $0.text = "sw" }
  store.advance(by: .seconds(6))
  await store.receive(.suggested(["SW"])) { $0.suggestions = ["SW"] }
  #expect(store.clock.now == TestClock.Instant(offset: .seconds(6)))
  await store.finish()
}

@Test func `A case is received by its name`() async {
  let store = TestStore(initialState: Search.State(), reducer: Search(find: { [$0.uppercased()] }))
  store.send(.queryChanged("swift")) { $0.query = "swift" }
  store.advance(by: .milliseconds(300))
  // listing: case
  let results = await store.receive(Search.Action.found) { $0.results = ["SWIFT"] }
  #expect(results == ["SWIFT"])
  // end
  await store.finish()
}
