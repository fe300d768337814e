// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Recorded sessions as tests.
@Suite struct ReplayInTestStoreTests {
  private static let codec = RecordingCodec<Int, Int>(
    encodeState: { Array("\($0)".utf8) }, decodeState: { try number($0) }, encodeAction: { Array("\($0)".utf8) },
    decodeAction: { try number($0) })

  private struct Unreadable: Error {}

  private static func number(_ bytes: [UInt8]) throws -> Int {
    guard let number = Int(String(decoding: bytes, as: UTF8.self)) else { throw Unreadable() }
    return number
  }

  private func summing(times factor: Int = 1) -> Reduce<Int, Int> {
    Reduce { state, action in
      state += action * factor
      // Not run in a replay.
      return .run(id: "never", overlap: .concurrent) { _ in Issue.record("A replay has run an effect") }
    }
  }

  private var recording: Recording {
    Recording(
      initialState: Array("10".utf8),
      steps: [
        .init(time: .zero, cause: .user("App/View.swift:3"), action: Array("1".utf8), state: Array("11".utf8)),
        .init(time: .seconds(1), cause: .run(4), action: Array("5".utf8), state: Array("16".utf8)),
      ])
  }

  @Test func `The reducer that was recorded passes, and no effect is run`() async throws {
    let store = TestStore(initialState: 10, reducer: summing())
    try store.replay(recording, with: Self.codec)
    #expect(store.state == 16)
    await store.finish()
  }

  @Test func `A changed reducer fails at the first action that differs, with cause and difference`() async throws {
    let store = TestStore(initialState: 10, reducer: summing(times: 2))
    let failures = try await reportedFailures {
      try store.replay(recording, with: Self.codec)
    }
    #expect(
      failures == [
        """
        Action 0 of the recording, 1 sent at App/View.swift:3, leads to another state than when it was recorded \
        (- recorded, + now):

          - 11
          + 12

        If the reducer was changed on purpose, record again; otherwise fix it. What follows in the recording was not compared.
        """
      ])
    await store.finish()
  }

  @Test func `A recording without a state after any action proves nothing, and fails`() async throws {
    var bare = recording
    for index in bare.steps.indices { bare.steps[index].state = nil }
    let store = TestStore(initialState: 10, reducer: summing())
    let found = try await failures { try store.replay(bare, with: Self.codec) }
    #expect(
      found.map(\.text) == [
        """
        The recording has no state behind any of its 2 actions, so nothing was compared.

        Record with `checkpoints: 1`, which is the default of `record(with:)`.
        """
      ])
    await store.finish()
  }

  @Test func `A damaged recording is replayed up to the damage, and fails`() async throws {
    let damaged = try Recording(parsing: recording.bytes.dropLast(20))
    let store = TestStore(initialState: 10, reducer: summing())
    let failures = try await reportedFailures {
      try store.replay(damaged, with: Self.codec)
    }
    #expect(
      failures == [
        """
        The recording is damaged: line 9 is cut off; the lines before it can be read. What could be read was replayed.

        Copy the recording again from its file, or record again.
        """
      ])
    #expect(store.state == 16)
    await store.finish()
  }

  @Test func `An action that the codec cannot read is thrown, with its number, cause and line (V3)`() async throws {
    var broken = recording
    broken.steps[1].action = Array("x".utf8)
    broken.notes = [.init(after: 1, time: .zero, text: #"run 4 registered: run("load") at App/Feed.swift:7"#)]
    let store = TestStore(initialState: 10, reducer: summing())
    let error = #expect(throws: RecordingDecodingError.self) { try store.replay(broken, with: Self.codec) }
    #expect(
      error?.description == """
        Action 1 of the recording, from run 4, built at App/Feed.swift:7, cannot be decoded: Unreadable(). Use the codec of \
        the version that recorded it, or record again.
        """)
    #expect(error?.part == .action(1) && error?.cause == .run(4) && error?.line == "App/Feed.swift:7")
    #expect(store.state == 11)
    await store.finish()
  }

  @Test func `A recording writes a test that holds it`() {
    var short = recording
    short.steps.removeLast()
    short.initialState = Array(#"{"a#": 1}"#.utf8)
    #expect(
      short.testSource(name: "queryRace", importing: ["App"], reducer: "Summing()", codec: "Summing.codec") == #####"""
        import EffectTesting
        import Testing

        @testable import App

        /// A recorded session: 1 action.
        @Test func queryRace() async throws {
          let lines = #"""
            050df5ee80549563 swift-effects-recording 2
            1bb3110136394b7a codec 1
            29a123d059892f5d state {"a%23":%201}
            0b75330d27652f10 action 0 0 user:App/View.swift:3 1
            1eaedb5877f24a0d after 11
            33d049befdc1319d end 1
            """#
          let recording = try Recording(parsing: lines.utf8)
          let codec = Summing.codec
          let reducer = Summing()
          let store = TestStore(initialState: try codec.decodeState(recording.initialState), reducer: reducer)
          try store.replay(recording, with: codec)
          await store.finish()
        }

        """#####)
  }

  @Test(arguments: [
    ("queryRace2", "queryRace2"), ("A query race", "`A query race`"), ("`A query race`", "`A query race`"),
    ("2 queries", "`2 queries`"),
  ])
  func `The name of the test it writes may be a sentence`(name: String, identifier: String) {
    let source = recording.testSource(name: name, reducer: "Summing()", codec: "codec")
    #expect(source.contains("\n/// A recorded session: 2 actions.\n@Test func \(identifier)() async throws {\n"))
  }
}
