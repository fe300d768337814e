// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/ComingFrom.md; `ComingFromListing.swift` compares the two.

import EffectTesting
import Testing

// listing: registry
struct Watchlist: Reducer {
  struct State: Equatable, Sendable { var watched: Set<String> = []; var prices: [String: Int] = [:] }
  enum Action: Equatable, Sendable { case changed(Set<String>), price(String, Int) }

  var prices: @Sendable (String) -> AsyncStream<Int>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let before = state.watched
    switch action {
    case .changed(let watched): state.watched = watched
    case .price(let name, let price): state.prices[name] = price
    }
    let started = state.watched.subtracting(before).map { name in
      Effect<Action>.stream(id: name, overlap: .restart, input: name, sequence: prices) { .price(name, $0) }
    }
    let stopped = before.subtracting(state.watched).map { Effect<Action>.cancel(id: $0) }
    return .merge(started + stopped)
  }
}
// end

// listing: transducer
struct Door: Reducer {
  enum State: Equatable, Sendable { case closed, opening, open, jammed }
  enum Action: Equatable, Sendable { case openTapped, closeTapped, opened, failed }

  var unlock: @Sendable () async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch (state, action) {
    case (.closed, .openTapped):
      state = .opening
      return .run(id: "unlock", overlap: .restart) { [unlock] send in
        try await unlock()
        send(.opened)
      } catch: { _, send in
        send(.failed)
      }
    case (.opening, .closeTapped):
      state = .closed
      return .cancel(id: "unlock")                                    // so .opened cannot come in .closed
    case (.opening, .opened): state = .open
    case (.opening, .failed): state = .jammed
    case (.open, .closeTapped): state = .closed
    default: break
    }
    return .none
  }
}
// end

struct Session: Reducer {
  struct State: Equatable, Sendable { var user: String? }
  enum Action: Equatable, Sendable { case signedIn(String), signedOut }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .signedIn(let user): state.user = user
    case .signedOut: state.user = nil
    }
    return .none
  }
}

// listing: follower
struct Badge: Reducer {
  struct State: Equatable, Sendable { var name = "guest" }
  enum Action: Equatable, Sendable { case appeared, userChanged(String?), signOutTapped }

  let session: Store<Session>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      return .stream(id: "user", overlap: .drop, sequence: { [session] in session.values(\.user) }) { .userChanged($0) }
    case .userChanged(let user):
      state.name = user ?? "guest"
      return .none
    case .signOutTapped:
      return .run { [session] _ in await session.send(.signedOut).finish() }
    }
  }
}
// end

@Suite struct `Migrating from other patterns` {
  @Test func `A set in the state decides which streams run`() async {
    let store = TestStore(
      initialState: Watchlist.State(),
      reducer: Watchlist(prices: { name in
        AsyncStream { source in source.yield(name.count) }                // it does not end by itself
      }))
    store.send(.changed(["a"])) { $0.watched = ["a"] }
    await store.receive(.price("a", 1)) { $0.prices = ["a": 1] }
    store.send(.changed(["a", "bb"])) { $0.watched = ["a", "bb"] }
    await store.receive(.price("bb", 2)) { $0.prices = ["a": 1, "bb": 2] }
    store.assertEffects { 
      $0["a"] = EffectStatus(running: 1, input: "a")
      $0["bb"] = EffectStatus(running: 1, input: "bb")
    }
    store.send(.changed(["bb"])) { $0.watched = ["bb"] }
    #expect(store.effects.byID["a"]?.isRunning != true)
    #expect(store.effects.byID["bb"]?.isRunning == true)
    store.send(.changed([])) { $0.watched = [] }
    await store.finish()
  }

  @Test func `A transition that leaves a state cancels its work`() async {
    // Ends when a run that waits for it is cancelled, so the second run does not wait.
    let (keys, source) = AsyncStream.makeStream(of: Int.self)
    defer { source.finish() }
    let store = TestStore(initialState: .closed, reducer: Door(unlock: { for await _ in keys {} }))
    store.send(.openTapped) { $0 = .opening }
    store.send(.closeTapped) { $0 = .closed }
    store.send(.openTapped) { $0 = .opening }
    await store.receive(.opened) { $0 = .open }
    await store.finish()
  }

  @Test func `One store follows another, and sends to it`() async {
    let session = Store(initialState: Session.State(), reducer: Session())
    let badge = Store(initialState: Badge.State(), reducer: Badge(session: session))
    badge.send(.appeared)
    await session.send(.signedIn("Ada")).finish()
    for await name in badge.values(\.name) where name == "Ada" { break }
    await badge.send(.signOutTapped).finish()
    #expect(await session.state.user == nil)
    for await name in badge.values(\.name) where name == "guest" { break }
  }
}
