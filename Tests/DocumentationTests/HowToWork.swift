// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/HowTo.md; `HowToTests.swift` compares the two.

import EffectTesting
import Foundation
import Testing

@Suite struct `How to: work and time` {
  struct Countdown: Reducer {
    enum Action: Equatable, Sendable { case startTapped, pauseTapped, ticked }

    func reduce(into seconds: inout Int, action: Action) -> Effect<Action> {
      switch action {
      // listing: timer
      case .startTapped:
        guard seconds > 0 else { return .none }
        return .timer(id: "countdown", overlap: .drop, every: .seconds(1), .ticked)
      case .ticked:
        seconds -= 1
        return seconds == 0 ? .cancel(id: "countdown") : .none
      case .pauseTapped:
        return .cancel(id: "countdown")
      // end
      }
    }
  }

  @Test func `A countdown starts once, pauses and ends`() async {
    let store = TestStore(initialState: 2, reducer: Countdown())
    store.send(.startTapped)
    store.send(.startTapped)
    store.advance(by: .seconds(1))
    await store.receive(.ticked) { $0 = 1 }
    store.send(.pauseTapped)
    store.advance(by: .seconds(5))
    store.send(.startTapped)
    store.advance(by: .seconds(1))
    await store.receive(.ticked) { $0 = 0 }
    store.send(.startTapped)
    await store.finish()
  }

  struct Auction: Reducer {
    struct State: Equatable, Codable, Sendable { var deadline: Date?; var isOver = false }
    enum Action: Equatable, Codable, Sendable { case opened(at: Date), restored(at: Date), ended }

    // listing: deadline
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .opened(let now):
        state.deadline = now.addingTimeInterval(3600)
        return end(state, now)
      case .restored(let now):                                          // sent at the start, and on return to the app
        return end(state, now)
      case .ended:
        (state.deadline, state.isOver) = (nil, true)
        return .none
      }
    }

    private func end(_ state: State, _ now: Date) -> Effect<Action> {
      guard let deadline = state.deadline else { return .none }
      return .send(.ended).cancellable(id: "end", overlap: .restart)
        .delay(for: .seconds(max(0, deadline.timeIntervalSince(now))))
    }
    // end
  }

  @Test func `A deadline is kept by a restart, and by a return to the app`() async throws {
    let now = Date(timeIntervalSinceReferenceDate: 0)
    let store = TestStore(initialState: Auction.State(), reducer: Auction())
    store.send(.opened(at: now)) { $0.deadline = now.addingTimeInterval(3600) }
    store.advance(by: .seconds(60))
    store.cancelInFlight()
    let saved = try JSONEncoder().encode(store.state)
    await store.finish()

    let restored = TestStore(
      initialState: try JSONDecoder().decode(Auction.State.self, from: saved), reducer: Auction())
    restored.send(.restored(at: now.addingTimeInterval(3000)))
    restored.send(.restored(at: now.addingTimeInterval(3590)))          // it was suspended for a while
    restored.advance(by: .seconds(10))
    await restored.receive(.ended) { ($0.deadline, $0.isOver) = (nil, true) }
    await restored.finish()

    let late = TestStore(initialState: Auction.State(deadline: now), reducer: Auction())
    late.send(.restored(at: now.addingTimeInterval(9)))
    await late.receive(.ended) { ($0.deadline, $0.isOver) = (nil, true) }
    await late.finish()
  }

  struct Player: Reducer {
    struct State: Equatable, Sendable { var isPlaying = false; var position = 0 }
    enum Action: Equatable, Sendable { case playTapped, pauseTapped, sceneChanged(isActive: Bool), moved(Int) }

    var positions: @Sendable () -> AsyncStream<Int>

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      // listing: background
      case .playTapped, .sceneChanged(isActive: true):
        if action == .playTapped { state.isPlaying = true }
        guard state.isPlaying else { return .none }
        return .stream(id: "position", overlap: .drop, sequence: positions, transform: { .moved($0) })
      case .sceneChanged(isActive: false):
        return .cancel(id: "position")                                  // `isPlaying` stays
      case .moved(let position):
        state.position = position
        return .none
      // end
      case .pauseTapped:
        state.isPlaying = false
        return .cancel(id: "position")
      }
    }
  }

  @Test func `Work ends in the background, and what the state describes begins again`() async {
    let next = Mock<Void, Int>()
    let store = TestStore(
      initialState: Player.State(), reducer: Player(positions: { AsyncStream { try? await next(()) } }))
    store.send(.sceneChanged(isActive: true))
    store.send(.playTapped) { $0.isPlaying = true }
    next.answer(1)
    await store.receive(.moved(1)) { $0.position = 1 }
    store.send(.sceneChanged(isActive: false))
    #expect(next.pending.isEmpty)
    store.send(.sceneChanged(isActive: true))
    next.answer(2)
    await store.receive(.moved(2)) { $0.position = 2 }
    store.send(.pauseTapped) { $0.isPlaying = false }
    await store.finish()
  }

  struct Note: Reducer {
    struct State: Equatable, Sendable { var text: String?; var isLoaded = false; var failure: String? }
    enum Action: Equatable, Sendable { case appeared, loaded(String), edited(String), failed(String) }

    var load: @Sendable () async throws -> String
    var save: @Sendable (String) async throws -> Void

    // listing: persistence
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .appeared:                                                   // also sent by a button beside the failure
        guard !state.isLoaded else { return .none }
        state.failure = nil
        return .run(id: "load", overlap: .drop) { [load] send in
          send(.loaded(try await load()))
        } catch: { error, send in
          send(.failed("\(error)"))
        }
      case .loaded(let text):
        state.isLoaded = true
        guard let edited = state.text else {
          state.text = text
          return .none
        }
        return saving(edited)                                           // what was typed meanwhile replaces what was loaded
      case .edited(let text):
        (state.text, state.failure) = (text, nil)
        return state.isLoaded ? saving(text) : .none                    // kept, but never saved before it has loaded
      case .failed(let message):
        state.failure = message
        return .none
      }
    }

    private func saving(_ text: String) -> Effect<Action> {
      .run(id: "save", overlap: .keepLatest, input: text) { [save] text, _ in
        try await save(text)
      } catch: { error, send in
        send(.failed("\(error)"))                                       // the next edit saves again
      }
      .throttle(for: .seconds(1))
    }
    // end
  }

  @Test func `It loads once, and saves at most every second, the newest last`() async {
    let (load, save) = (Mock<Void, String>(), Mock<String, Void>())
    let store = TestStore(
      initialState: Note.State(), reducer: Note(load: load.callAsFunction, save: save.callAsFunction))
    store.send(.appeared)
    store.send(.appeared)
    load.answer("")
    await store.receive(.loaded("")) { ($0.text, $0.isLoaded) = ("", true) }
    store.send(.appeared)
    for text in ["a", "ab", "abc"] { store.send(.edited(text)) { $0.text = text } }
    #expect(save.pending == ["a"])
    store.advance(by: .milliseconds(1500))
    #expect(save.pending == ["a"])
    save.answer()
    await store.settle()
    #expect(save.pending == ["abc"])
    store.send(.edited("abcd")) { $0.text = "abcd" }
    save.answer()
    let shutdown = store.shutdown(.draining(within: .seconds(5)))
    store.advance(by: .milliseconds(500))
    await store.settle()
    #expect(save.pending == ["abcd"])
    save.answer()
    #expect(await shutdown.finish().isEmpty)
    await store.finish()
  }

  @Test func `After a load that failed, what is typed is kept, and saved when a second one has succeeded`() async {
    let (load, save) = (Mock<Void, String>(), Mock<String, Void>())
    let store = TestStore(
      initialState: Note.State(), reducer: Note(load: load.callAsFunction, save: save.callAsFunction))
    store.send(.appeared)
    load.answer(throwing: Offline())
    await store.receive(.failed("Offline()")) { $0.failure = "Offline()" }
    store.send(.edited("a")) { ($0.text, $0.failure) = ("a", nil) }
    #expect(save.pending.isEmpty)
    store.send(.appeared)
    load.answer("old")
    await store.receive(.loaded("old")) { $0.isLoaded = true }
    #expect(save.pending == ["a"])
    save.answer(throwing: Offline())
    await store.receive(.failed("Offline()")) { $0.failure = "Offline()" }
    store.advance(by: .seconds(1))
    store.send(.edited("ab")) { ($0.text, $0.failure) = ("ab", nil) }
    #expect(save.pending == ["ab"])
    save.answer()
    await store.finish()
  }
}
