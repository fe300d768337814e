// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

@testable import EffectRuntime

/// Recording live stores, and going through what was recorded.
@Suite struct RecordingReplayTests {
  private enum Action: Equatable, Sendable { case add(Int), fetch, done }

  private struct Counter: Reducer {
    var factor = 1
    var kept: Counted?
    func reduce(into state: inout [Int], action: Action) -> Effect<Action> {
      switch action {
      case .add(let value):
        state.append(value * (value > 500 ? factor : 1))
        return value % 2 == 0 ? .none : .send(.add(value + 1))
      case .fetch:
        return .run(id: "fetch", overlap: .concurrent, input: 3, fileID: "A.swift", line: 1) { _, send in send(.done) }
      case .done:
        state.append(0)
        return .none
      }
    }
  }

  private struct Unreadable: Error {}

  private static let codec = RecordingCodec<[Int], Action>(
    encodeState: { Array($0.map(String.init).joined(separator: ",").utf8) },
    decodeState: { bytes in
      try String(decoding: bytes, as: UTF8.self).split(separator: ",").map { text in
        guard let value = Int(text) else { throw Unreadable() }
        return value
      }
    },
    encodeAction: { action in
      switch action {
      case .add(let value): Array("add \(value)".utf8)
      case .fetch: Array("fetch".utf8)
      case .done: Array("done".utf8)
      }
    },
    decodeAction: { bytes in
      switch String(decoding: bytes, as: UTF8.self) {
      case "fetch": return .fetch
      case "done": return .done
      case let text:
        guard text.hasPrefix("add "), let value = Int(text.dropFirst(4)) else { throw Unreadable() }
        return .add(value)
      }
    })

  private func recorded(_ actions: [Action], checkpoints: Int = 1) async throws -> (Recording, [Int]) {
    let store = Store(initialState: [], reducer: Counter())
    let recorder = try await store.record(with: Self.codec, checkpoints: checkpoints)
    for action in actions { await store.send(action, fileID: "App/View.swift", line: 3).finish() }
    recorder.stop()
    await store.send(.add(0)).finish()
    return (try recorder.recording, await store.state.dropLast())
  }

  @Test func `A session is recorded with causes and what runs did, until it is stopped`() async throws {
    let (recording, _) = try await recorded([.add(1), .fetch])
    #expect(
      recording.steps.map { "\($0.cause): \(String(decoding: $0.action, as: UTF8.self))" } == [
        "sent at App/View.swift:3: add 1", "as a follow-up: add 2", "sent at App/View.swift:3: fetch",
        "from run 1: done",
      ])
    #expect(recording.steps.map { String(decoding: $0.state ?? [], as: UTF8.self) } == ["1", "1,2", "1,2", "1,2,0"])
    #expect(
      recording.notes.map { "\($0.after) \($0.text)" } == [
        #"3 run 1 registered: run("fetch", input: 3) at A.swift:1"#, "3 run 1 started", "4 run 1 finished",
      ])
  }

  @Test func `It begins with the state at that time, and what was accepted before is recorded`() async throws {
    let store = Store(initialState: [], reducer: Counter())
    await store.send(.add(2)).finish()
    let recorder = try await store.record(with: Self.codec)
    await store.send(.add(4)).finish()
    var replay = try Replay(recorder.recording, reducer: Counter(), codec: Self.codec)
    #expect(replay.state == [2])
    #expect(try replay.step() == .add(4))
    #expect(replay.state == [2, 4])
  }

  @Test func `A replay reaches every state, forwards and back (V3)`() async throws {
    let (recording, final) = try await recorded((0..<700).map { .add(2 * $0) }, checkpoints: 0)
    #expect(recording.steps.allSatisfy { $0.state == nil })
    var replay = try Replay(recording, reducer: Counter(), codec: Self.codec)
    #expect(replay.count == 700)
    var numbers = Numbers(seed: 5)
    for _ in 0..<50 {
      let target = Int.random(in: -3...705, using: &numbers)
      try replay.jump(to: target)
      #expect(replay.position == min(max(target, 0), 700))
      #expect(replay.state == Array(final.prefix(replay.position)))
    }
    try replay.jump(to: 700)
    #expect(try replay.step() == nil)
  }

  @Test func `The first divergence of a changed reducer is found, and the unchanged one has none`() async throws {
    let (recording, _) = try await recorded([.add(2), .fetch, .add(600), .add(602)])
    var same = try Replay(recording, reducer: Counter(), codec: Self.codec)
    #expect(try same.firstDivergence() == nil)
    #expect(same.position == same.count)
    var changed = try Replay(recording, reducer: Counter(factor: 2), codec: Self.codec)
    let divergence = try #require(try changed.firstDivergence())
    #expect(divergence.index == 3)
    #expect(divergence.recorded == [2, 0, 600])
    #expect(divergence.replayed == [2, 0, 1200])
    #expect(
      "\(divergence)" == """
        Action 3, .add(600) sent at App/View.swift:3, leads to another state than when it was recorded.
          recorded: [2, 0, 600]
          replayed: [2, 0, 1200]
        """)
  }

  @Test func `With few checkpoints the divergence is found at the next one`() async throws {
    let (recording, _) = try await recorded([.add(600), .add(2), .add(4), .add(6)], checkpoints: 3)
    var changed = try Replay(recording, reducer: Counter(factor: 2), codec: Self.codec)
    #expect(try changed.firstDivergence()?.index == 2)
  }

  @Test func `An action that cannot be read stops the replay before it`() async throws {
    var (recording, _) = try await recorded([.add(2), .add(4)])
    recording.steps[1].action = [0]
    var replay = try Replay(recording, reducer: Counter(), codec: Self.codec)
    let error = #expect(throws: RecordingDecodingError.self) { try replay.jump(to: 2) }
    #expect(error?.error is Unreadable)
    #expect(replay.position == 1)
    #expect(replay.state == [2])
  }

  @Test func `What cannot be read is named: number, cause and line (V3)`() async throws {
    let (recording, _) = try await recorded([.add(1), .fetch])
    /// The error of a replay in which a step cannot be read.
    func text(_ change: (inout Recording) -> Void) throws -> String? {
      var recording = recording
      change(&recording)
      let error = #expect(throws: RecordingDecodingError.self) {
        var replay = try Replay(recording, reducer: Counter(), codec: Self.codec)
        _ = try replay.firstDivergence()
      }
      return error?.description
    }
    let advice = "cannot be decoded: Unreadable(). Use the codec of the version that recorded it, or record again."
    #expect(
      try text { $0.steps[0].action = [0] } == "Action 0 of the recording, sent at App/View.swift:3, \(advice)")
    #expect(
      try text { $0.steps[1].action = [0] }
        == "Action 1 of the recording, as a follow-up, built at App/View.swift:3, \(advice)")
    #expect(
      try text { $0.steps[3].action = [0] } == "Action 3 of the recording, from run 1, built at A.swift:1, \(advice)")
    #expect(
      try text {
        $0.steps[3].action = [0]
        for index in $0.notes.indices {
          let text = $0.notes[index].text
          if text.hasSuffix(" at A.swift:1") {
            $0.notes[index].text = text.dropLast(9) + "My App/Meet at Noon.swift:1"
          }
        }
      } == "Action 3 of the recording, from run 1, built at My App/Meet at Noon.swift:1, \(advice)")
    #expect(
      try text { $0.steps[2].state = Array("x".utf8) }
        == "The state after action 2 of the recording, sent at App/View.swift:3, \(advice)")
    #expect(try text { $0.initialState = Array("x".utf8) } == "The state at the beginning of the recording \(advice)")
  }

  @Test func `A recording without a state after any action reports that it cannot be compared (V3)`() async throws {
    let (recording, _) = try await recorded([.add(2), .add(4)], checkpoints: 0)
    var replay = try Replay(recording, reducer: Counter(), codec: Self.codec)
    #expect(throws: RecordingError.nothingToCompare(actions: 2)) { try replay.firstDivergence() }
    var empty = try Replay(Recording(initialState: []), reducer: Counter(), codec: Self.codec)
    #expect(throws: RecordingError.nothingToCompare(actions: 0)) { try empty.firstDivergence() }
    #expect(
      RecordingError.nothingToCompare(actions: 2).description == """
        The recording has no state after any of its 2 actions, so there is nothing to compare. Record with `checkpoints: 1`.
        """)
  }

  @Test func `An error of the codec ends the recording and is kept`() async throws {
    let store = Store(initialState: [], reducer: Counter())
    let codec = RecordingCodec<[Int], Action>(
      encodeState: Self.codec.encodeState, decodeState: Self.codec.decodeState,
      encodeAction: { action in
        if action == .add(4) { throw Unreadable() }
        return try Self.codec.encodeAction(action)
      }, decodeAction: Self.codec.decodeAction)
    let recorder = try await store.record(with: codec)
    for value in [2, 4, 6] { await store.send(.add(value)).finish() }
    #expect(recorder.failure is Unreadable)
    #expect(try recorder.recording.steps.count == 1)
    #expect(await store.state == [2, 4, 6])
  }

  @Test func `A recorder keeps no store (E7)`() async throws {
    weak var weakStore: Store<Counter>?
    let recorder: StoreRecorder
    let released = Tally()
    do {
      let store = Store(initialState: [], reducer: Counter(kept: Counted(released)))
      weakStore = store
      recorder = try await store.record(with: Self.codec)
      await store.send(.add(2)).finish()
      await store.shutdown(.draining)
    }
    // The task that drains may hold the store a moment longer.
    await released.reaches(1)
    #expect(weakStore == nil)
    #expect(try recorder.recording.steps.count == 1)
  }
}
