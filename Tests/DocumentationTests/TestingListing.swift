// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Testing.md; `ListingTests.swift` compares the two.

import EffectTesting
import Testing

private struct NotSaved: Error {}

private struct Document: Reducer {
  struct State: Equatable { var isSaving = false; var version = 2 }
  enum Action: Equatable, Sendable { case saveTapped, saved(version: Int) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .saveTapped:
      state.isSaving = true
      return .run(id: "save", overlap: .drop) { send in
        try await send.sleep(for: .seconds(1))
        send(.saved(version: 3))
      }
    case .saved(let version):
      (state.isSaving, state.version) = (false, version)
      return .none
    }
  }
}

@Test func requesting() async throws {
  // listing: request
  let store = TestStore(initialState: Document.State(), reducer: Document())
  let save = store.request(.saveTapped) { $0.isSaving = true }
  store.advance(by: .seconds(1))
  await store.receive(.saved(version: 3)) { ($0.isSaving, $0.version) = (false, 3) }
  let version = try await save.answer { state, outcomes in        // the closure of the app's own `request`
    guard outcomes.allFinished else { throw NotSaved() }
    return state.version
  }
  #expect(version == 3)
  await store.finish()
  // end
}

@Test func shuttingDown() async throws {
  // listing: shutdown
  let store = TestStore(initialState: Document.State(), reducer: Document())
  store.send(.saveTapped) { $0.isSaving = true }
  let shutdown = store.shutdown(.draining(within: .seconds(5)))
  #expect(store.send(.saveTapped).isRefused)
  store.advance(by: .seconds(1))                                  // nothing that was accepted is lost
  await store.receive(.saved(version: 3)) { ($0.isSaving, $0.version) = (false, 3) }
  #expect(await shutdown.finish().isEmpty)                        // no run had to be cancelled at the limit
  #expect(store.status("save").isIdle)
  await store.finish()
  // end
}

struct Player: Reducer {
  struct State {
    var queue: [String] = []
    var position = Duration.zero
    var onEnd: @Sendable () -> Void = {}                          // a closure has no `==`
  }
  enum Action: Equatable, Sendable { case queued(String), skipped(Duration) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queued(let title): state.queue.append(title)
    case .skipped(let duration): state.position += duration
    }
    return .none
  }
}

@Test func comparing() async {
  // listing: comparing-test
  struct Shown: Equatable { var queue: [String]; var position: Duration }
  let store = TestStore(
    initialState: Player.State(), reducer: Player(), comparing: { Shown(queue: $0.queue, position: $0.position) })
  store.send(.queued("Intro")) { $0.queue = ["Intro"] }           // the closures of steps are given the whole state
  store.send(.skipped(.seconds(15))) { $0.position = .seconds(15) }
  await store.finish()
  // end
}
