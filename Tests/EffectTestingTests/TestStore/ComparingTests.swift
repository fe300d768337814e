// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Decodes titles; cannot be compared.
private struct Codec: Sendable {
  var prefix = ""
}

private struct Player: Reducer {
  struct State {
    var position = 0
    var titles: [String] = []
    var onEnd: @Sendable () -> Void = {}
    var codec = Codec()
  }
  enum Action: Equatable, Sendable { case skip(Int), rename([String]), load, loaded([String]) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .skip(let position): state.position = position
    case .rename(let titles): state.titles = titles
    case .load: return .run { send in send(.loaded(["B"])) }
    case .loaded(let titles): (state.titles, state.codec.prefix) = (titles, "loaded")
    }
    return .none
  }
}

/// What a test compares of the state above.
private struct Shown: Equatable {
  var position: Int
  var titles: [String]
}

/// The end of each failure about the state.
private func remark(_ code: String, line: Int) -> String {
  """
  Compared by `comparing:\(code)` (\(#fileID):\(line)). Nothing else of the state is compared. Its properties `onEnd` and \
  `codec` are not `Equatable`.
  """
}

@Suite struct `States that are not Equatable` {
  private let codec = RecordingCodec<Player.State, Player.Action>(
    encodeState: { [UInt8($0.position)] }, decodeState: { Player.State(position: Int($0[0])) },
    encodeAction: { if case .skip(let position) = $0 { [UInt8(position)] } else { [] } },
    decodeAction: { .skip(Int($0[0])) })

  @Test func `Only the part is compared`() async {
    let store = TestStore(initialState: Player.State(), reducer: Player(), comparing: \.position)
    store.send(.skip(15)) { $0.position = 15 }
    store.send(.rename(["A"]))
    #expect(store.state.titles == ["A"])
    store.send(.load)
    await store.receive(.loaded(["B"]))
    store.assert { $0.position = 15 }
    #expect(store.state.codec.prefix == "loaded")
    let fork = store.fork()
    fork.send(.skip(30)) { $0.position = 30 }
    await fork.finish()
    await store.finish()
  }

  @Test func `A step that changes only what is not compared is not said to leave the state as it was`() async {
    let store = TestStore(initialState: Player.State(), reducer: Player(), comparing: \.position)
    let found = await failures { store.send(.rename(["A"])) { $0.titles = ["A"] } }
    let head = """
      What is compared of the state did not change by sending .rename(["A"]), and the closure of the step changes nothing of \
      it either.
      """
    #expect(found.map { String($0.text.prefix { $0 != "\n" }) } == [head])
    await store.finish()
  }

  @Test func `Several properties are compared as a value of them`() async {
    let store = TestStore(
      initialState: Player.State(), reducer: Player(), comparing: { Shown(position: $0.position, titles: $0.titles) })
    store.send(.skip(15)) { $0.position = 15 }
    store.send(.load)
    await store.receive(.loaded(["B"])) {
      $0.titles = ["B"]
      // Not compared: neither this nor what the reducer sets.
      $0.codec.prefix = "other"
    }
    await store.finish()
    let line = #line + 1
    let other = TestStore(
      initialState: Player.State(), reducer: Player(), comparing: { Shown(position: $0.position, titles: $0.titles) })
    let found = await failures { other.send(.rename(["A"])) }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("titles") == true)
    let end = remark(" { Shown(position: $0.position, titles: $0.titles) }", line: line)
    #expect(found.first?.text.hasSuffix(end) == true, "\(found)")
  }

  @Test func `Each failure about the state says what is compared`() async throws {
    let store = TestStore(initialState: Player.State(), reducer: Player(), comparing: \.position)
    let remark = remark(" \\.position", line: #line - 1)
    let recording = Recording(
      initialState: [0], steps: [.init(time: .zero, cause: .user(""), action: [9], state: [8])])
    let found = try await failures {
      store.send(.skip(15)) { $0.position = 14 }
      store.send(.skip(30))
      store.send(.rename(["A"])) { $0.titles = ["A"] }
      store.assert { $0.position = 0 }
      store.exhaustivity = .off
      store.send(.skip(45)) { $0.position = 44 }
      store.exhaustivity = .on
      try store.replay(recording, with: codec)
      store.send(.skip(0)) { $0.position = 0 }
      try store.replay(recording, with: codec)
    }
    let beginnings = [
      "The state after sending .skip(15) is not what the test expects",
      "The state changed by sending .skip(30), and the test expects no change",
      "What is compared of the state did not change by sending .rename([\"A\"])",
      "The state is not what the test asserts",
      "The state after sending .skip(45) is not what the test expects",
      "The recording begins with another state than the store has",
    ]
    #expect(found.count == beginnings.count + 1)
    for (failure, beginning) in zip(found, beginnings) { #expect(failure.text.hasPrefix(beginning)) }
    for failure in found { #expect(failure.text.hasSuffix(remark), "\(failure.text)") }
    await store.finish()
  }

  @Test func `Suggested code sets only what has changed, and nothing if no compared part has`() async {
    let store = TestStore(initialState: Player.State(), reducer: Player(), comparing: \.position)
    let found = await failures {
      store.send(.skip(15))
      store.send(.load)
      await store.finish()
    }
    #expect(found.count == 2)
    #expect(found.first?.text.contains("{ $0.position = 15 }") == true, "\(found)")
    for other in ["$0.codec", "$0.onEnd"] { #expect(found.first?.text.contains(other) == false, "\(found)") }
    #expect(found.last?.text.contains("await store.receive(.loaded([\"B\"]))`") == true, "\(found)")
  }

  @Test func `Failures about anything else do not mention it`() async {
    let store = TestStore(initialState: Player.State(), reducer: Player(), comparing: \.position)
    let found = await failures {
      store.send(.skip(1)) { _ in throw CancellationError() }
      store.send(.load)
      store.send(.skip(2)) { $0.position = 2 }
      await store.receive(.loaded(["C"]))
      await store.finish()
    }
    #expect(found.count == 3)
    #expect(!found.contains { $0.text.contains("Compared by") })
  }

  @Test func `An argument that is not on one line is not quoted`() async {
    let store = TestStore(
      initialState: Player.State(), reducer: Player(),
      comparing: { state in
        state.position
      })
    let found = await failures { store.send(.skip(1)) }
    #expect(found.first?.text.hasSuffix(remark("", line: #line - 6)) == true, "\(found)")
    await store.finish()
  }

  @Test func `A state of comparable properties is described without a list of others`() async {
    struct Point { var (x, y) = (0, 0) }
    let moving = Reduce<Point, Int> { state, action in
      state.x = action
      return .none
    }
    let store = TestStore(initialState: Point(), reducer: moving, comparing: \.x)
    let line = #line - 1
    let found = await failures { store.send(1) }
    let end = "Compared by `comparing: \\.x` (\(#fileID):\(line)). Nothing else of the state is compared."
    #expect(found.first?.text.hasSuffix(end) == true, "\(found)")
    await store.finish()
  }

  @Test func `An Equatable state can be compared in part as well`() async {
    let store = TestStore(initialState: Counter(), reducer: counter(), comparing: { $0.count % 2 })
    store.send(.set(2))
    store.send(.set(3)) { $0.count = 5 }
    await store.finish()
  }
}
