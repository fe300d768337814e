// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import EffectRuntime

/// A recording, printed with the changes of the state.
@Suite struct PrintedReplayTests {
  private struct Sum: Reducer {
    func reduce(into state: inout Int, action: Int) -> Effect<Int> {
      state += action
      return .none
    }
  }

  private struct Unreadable: Error {}

  private static let codec = RecordingCodec<Int, Int>(
    encodeState: { Array("\($0)".utf8) }, decodeState: { try number($0) }, encodeAction: { Array("\($0)".utf8) },
    decodeAction: { try number($0) })

  private static func number(_ bytes: [UInt8]) throws -> Int {
    guard let number = Int(String(decoding: bytes, as: UTF8.self)) else { throw Unreadable() }
    return number
  }

  private func recording(_ last: String) -> Recording {
    Recording(
      initialState: Array("5".utf8),
      steps: [
        .init(time: .zero, cause: .user("App/View.swift:3"), action: Array("2".utf8)),
        .init(time: .milliseconds(300), cause: .run(1), action: Array(last.utf8)),
      ],
      notes: [
        .init(after: 0, time: .zero, text: "run 9 finished"),
        // A replay prints the changes that the reducer makes now, and not the recorded ones.
        .init(after: 1, time: .zero, text: "changed: - 5 + 8"),
        .init(after: 1, time: .zero, text: "run 1 started"),
        .init(after: 2, time: .milliseconds(300), text: "run 1 finished"),
      ])
  }

  @Test func `Each action is printed with its cause and change, and the notes of runs in between`() throws {
    var texts: [String] = []
    var replay = try Replay(recording("0"), reducer: Sum(), codec: Self.codec)
    try replay.printChanges { texts.append($0) }
    #expect(
      texts == [
        "0.000 s  run 9 finished", "0.000 s  2 sent at App/View.swift:3\n  - 5\n  + 7", "0.000 s  run 1 started",
        "0.300 s  0 from run 1", "0.300 s  run 1 finished",
      ])
    #expect(replay.position == 2)
  }

  @Test func `It begins at the position, and ends where an action cannot be read`() throws {
    var texts: [String] = []
    var replay = try Replay(recording("x"), reducer: Sum(), codec: Self.codec)
    try replay.jump(to: 1)
    #expect(throws: RecordingDecodingError.self) { try replay.printChanges { texts.append($0) } }
    #expect(texts == ["0.000 s  run 1 started"])
    #expect(replay.position == 1)
  }
}
