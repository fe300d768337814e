// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import TestSupport
import Testing

/// A stack whose former states can be restored at three places.
private struct Nav: Reducer {
  struct Part: Equatable, Codable, Sendable {
    var path = ChildStack<Page.State>()
    var other = ChildStack<Page.State>()
  }
  struct State: Equatable, Codable, Sendable {
    var nav = Part()
    var past: [Part] = []
  }
  enum Action: Equatable, Codable, Sendable {
    case push(String), pushOther(String), undoInside, undoBeside, put(Part), reset, keep
    case setTitle(ChildStackID, String)
  }

  private static let path = CasePath<Action, StackAction<Page.State, Page.Action>>(
    embed: { if case .element(let id, .loaded(let text)) = $0 { .setTitle(id, text) } else { .keep } },
    extract: { if case .setTitle(let id, let text) = $0 { .element(id, .loaded(text)) } else { nil } })

  private var whole: some Reducer<State, Action> {
    CombineReducers {
      Reduce<State, Action> { state, action in
        switch action {
        case .push(let title):
          state.past.append(state.nav)
          state.nav.path.push(Page.State(title: title))
        case .pushOther(let title): state.nav.other.push(Page.State(title: title))
        case .undoInside: if let former = state.past.popLast() { state.nav = former }
        default: break
        }
        return .none
      }
      .stack(\.nav.path, action: Self.path) { Page() }
      Reduce<State, Action> { state, action in
        switch action {
        case .undoBeside: if let former = state.past.popLast() { state.nav = former }
        case .put(let part): state.nav = part
        case .reset: state = State()
        default: break
        }
        return .none
      }
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

@Suite struct `Ids of stacks in a store` {
  private let codec = RecordingCodec<Nav.State, Nav.Action>(
    encodeState: { try Array(JSONEncoder().encode($0)) },
    decodeState: { try JSONDecoder().decode(Nav.State.self, from: Data($0)) },
    encodeAction: { try Array(JSONEncoder().encode($0)) },
    decodeAction: { try JSONDecoder().decode(Nav.Action.self, from: Data($0)) })

  @Test(arguments: [Nav.Action.undoInside, .undoBeside, .put(Nav.Part()), .reset])
  fileprivate func `An id is not given again after an undo (M8)`(undo: Nav.Action) async {
    let store = Store(initialState: Nav.State(), reducer: Nav())
    var ids: [ChildStackID] = []
    for title in ["a", "b", "c"] {
      store.send(.push(title))
      ids += await store.state.nav.path.ids
      store.send(undo)
    }
    #expect(ids == [0, 1, 2])
    // The view of the first page still sends.
    store.send(.push("d"))
    store.send(.setTitle(ids[0], "of the first page"))
    #expect(await store.state.nav.path.elements == [Page.State(title: "d")])
  }

  @Test func `A stack that was decoded elsewhere and put into the state has used its ids (M8)`() async throws {
    var elsewhere = Nav.Part()
    for title in ["x", "y", "z"] { elsewhere.path.push(Page.State(title: title)) }
    let decoded = try JSONDecoder().decode(Nav.Part.self, from: JSONEncoder().encode(elsewhere))
    let store = Store(initialState: Nav.State(), reducer: Nav())
    store.send(.put(decoded))
    store.send(.keep)
    store.send(.reset)
    store.send(.push("a"))
    #expect(await store.state.nav.path.ids == [3])
  }

  @Test func `A test writes the ids that the store gives, also after an undo (M8)`() async {
    let store = TestStore(initialState: Nav.State(), reducer: Nav())
    store.send(.push("a")) {
      $0.past = [$0.nav]
      $0.nav.path.push(Page.State(title: "a"))
    }
    #expect(store.state.nav.path.ids == [0])
    store.send(.undoBeside) { ($0.nav, $0.past) = (Nav.Part(), []) }
    store.send(.push("b")) {
      $0.past = [$0.nav]
      $0.nav.path.push(Page.State(title: "b"))
    }
    #expect(store.state.nav.path.ids == [1])
    store.send(.setTitle(1, "text")) { $0.nav.path[id: 1]?.text = "text" }
    await store.finish()
  }

  @Test
  func `Ids do not depend on the order of changes in one reduction, and a stack without a store counts alone (M8)`() {
    var (first, second) = (ChildStack<Int>(), ChildStack<Int>())
    #expect([first.push(1), second.push(1), first.push(1)] == [0, 0, 1])
    let both = Reduce<[ChildStack<Int>], Int> { state, action in
      for index in state.indices { state[index].push(action) }
      return .none
    }
    let store = TestStore(initialState: [first, second], reducer: both)
    store.send(5) {
      for index in [1, 0] { $0[index].push(5) }
    }
    #expect(store.state.map(\.ids) == [[0, 1, 2], [0, 1]])
  }

  @Test func `A replay gives the ids that were recorded, from any state on (M8, V3)`() async throws {
    let store = Store(initialState: Nav.State(), reducer: Nav())
    for action in [Nav.Action.push("a"), .push("b"), .undoBeside, .undoBeside] { store.send(action) }
    _ = await store.state
    // Nothing in the state shows that two ids were given.
    let recorder = try await store.record(with: codec)
    for action in [Nav.Action.push("c"), .setTitle(2, "c"), .undoBeside, .push("d"), .setTitle(3, "d")] {
      store.send(action)
    }
    #expect(await store.state.nav.path.ids == [3])
    let recording = try recorder.recording
    var replay = try Replay(recording, reducer: Nav(), codec: codec)
    #expect(try replay.firstDivergence() == nil)
    #expect((replay.count, recorder.failure == nil) == (5, true), "\(String(describing: recorder.failure))")
    try replay.jump(to: 1)
    try replay.jump(to: 5)
    #expect(replay.state.nav.path.ids == [3])
    #expect(replay.state.nav.path.elements.map(\.text) == ["d"])
    let test = TestStore(initialState: try codec.decodeState(recording.initialState), reducer: Nav())
    try test.replay(recording, with: codec)
    await test.finish()
  }

  @Test func `A store that is restored from a journal gives no id again (M8, V4)`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    func restored() async throws -> Store<Nav> {
      try await Store.restored(
        from: Journal(path: path, codec: codec, sync: .system), initialState: Nav.State(), reducer: Nav(),
        resumingWith: .keep,
        onJournalFailure: { _ in }
      ).store
    }
    for title in ["a", "b", "c"] {
      let store = try await restored()
      store.send(.push(title))
      store.send(.setTitle(ChildStackID(integerLiteral: title == "a" ? 0 : title == "b" ? 1 : 2), title))
      #expect(await store.state.nav.path.elements.map(\.text) == [title])
      store.send(.undoBeside)
      await store.shutdown(.cancelling)
    }
  }
}
