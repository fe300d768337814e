// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

/// How recordings are written and read, whole and damaged.
@Suite struct RecordingTests {
  private let recording = Recording(
    initialState: Array("0 %#\n".utf8),
    steps: [
      .init(
        time: .milliseconds(1), cause: .user("App/View.swift:3"), action: Array("add".utf8), state: Array("1".utf8)),
      .init(time: .seconds(2), cause: .run(7), action: [0, 255, 37]),
      .init(time: .seconds(2), cause: .followUp, action: [], state: []),
    ],
    notes: [
      .init(after: 1, time: .milliseconds(1), text: #"run 7 registered: run("ä", input: "x y") at A.swift:1"#),
      .init(after: 3, time: .seconds(2), text: "run 7 finished"),
    ])

  @Test func `Lines of ASCII, each with its check`() {
    #expect(
      String(decoding: recording.bytes, as: UTF8.self) == """
        050df5ee80549563 swift-effects-recording 2
        1bb3110136394b7a codec 1
        d660987fc8fa9d33 state 0%20%25%23%0a
        8e23e66e62b6fa47 action 0 1000000 user:App/View.swift:3 add
        18c8ff2eb201250e after 1
        33d049befdc1319d end 1
        43eb31c5028cd521 run 1000000 run%207%20registered:%20run("%c3%a4",%20input:%20"x%20y")%20at%20A.swift:1
        35c0e6104e7ae93c action 1 2000000000 run:7 %00%ff%25
        af33a95e8f55e65b action 2 2000000000 turn %
        18c8f32eb20110aa after %
        33d047befdc12e37 end 3
        f5b20c1dd0aed7e6 run 2000000000 run%207%20finished

        """)
  }

  @Test func `What was written is read`() throws {
    #expect(try Recording(parsing: recording.bytes) == recording)
    let empty = Recording(initialState: [])
    #expect(try Recording(parsing: empty.bytes) == empty)
    let second = Recording(initialState: [], codecVersion: 2)
    #expect(try Recording(parsing: second.bytes).codecVersion == 2)
    let windows = String(decoding: recording.bytes, as: UTF8.self).split(separator: "\n").map { "\($0)\r\n" }.joined()
    #expect(try Recording(parsing: windows.utf8) == recording)
  }

  @Test func `A recording that is cut off is read up to the cut, whose position is reported (V3)`() throws {
    let bytes = recording.bytes
    let starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
    for end in 0...bytes.count {
      let whole = starts.last { $0 <= end }.map { starts.firstIndex(of: $0) ?? 0 } ?? 0
      // All of a line but its end is whole by its check.
      let isLineComplete = end < bytes.count && bytes[end] == 10
      let readable = whole + (isLineComplete ? 1 : 0)
      guard readable >= 3 else {
        #expect(throws: RecordingError.self) { try Recording(parsing: bytes[..<end]) }
        continue
      }
      let read = try Recording(parsing: bytes[..<end])
      #expect(read.steps.elementsEqual(recording.steps.prefix(read.steps.count)) || read.steps.last?.state == nil)
      #expect(read.initialState == recording.initialState)
      let isCut = !starts.contains(end) && !isLineComplete
      #expect(read.damage == (isCut ? .init(line: readable + 1, reason: "is cut off") : nil))
    }
  }

  @Test func `A changed byte anywhere is detected`() throws {
    let bytes = recording.bytes
    for index in bytes.indices {
      for mask: UInt8 in [1, 0x20, 0x80] {
        var changed = bytes
        changed[index] ^= mask
        let read = try? Recording(parsing: changed)
        #expect(read == nil || read?.damage != nil, "byte \(index) changed by \(mask)")
      }
    }
  }

  @Test func `A missing or repeated line is detected`() throws {
    let lines = String(decoding: recording.bytes, as: UTF8.self).split(separator: "\n").map { "\($0)\n" }
    func read(_ lines: [String]) throws -> Recording.Damage? { try Recording(parsing: lines.joined().utf8).damage }
    let first = try #require(lines.firstIndex { $0.contains(" action 0 ") })
    #expect(
      try read(Array(lines[..<first]) + lines[(first + 3)...])
        == .init(line: first + 2, reason: "is action 1, and action 0 is missing"))
    #expect(
      try read(Array(lines[...(first + 1)]) + lines[(first + 1)...])?.reason == "is a state that follows no action")
    #expect(try read(lines + [lines[1]])?.reason == "is a version that does not come first")
    #expect(try read(lines + [lines[2]])?.reason == "is a second beginning")
    let end = try #require(lines.firstIndex { $0.contains(" end 1") })
    #expect(
      try read(Array(lines[..<end]) + lines[(end + 1)...])?.reason
        == "begins a turn, and the end of the turn before is missing")
    #expect(try read(Array(lines[...end]) + lines[end...])?.reason == "ends a turn that has no action")
    let unknown = RecordingFormat.hex(RecordingFormat.check(Array("later 1".utf8)[...]))
    #expect(
      try read(lines + ["\(String(decoding: unknown, as: UTF8.self)) later 1\n"])?.reason == "is of an unknown kind")
  }

  @Test(arguments: [
    ("", "These bytes are no recording: the first line must be `050df5ee80549563 swift-effects-recording 2`."),
    ("{}", "These bytes are no recording: the first line must be `050df5ee80549563 swift-effects-recording 2`."),
    (
      "swift-effects-recording 2\n",
      "These bytes are no recording: the first line must be `050df5ee80549563 swift-effects-recording 2`."
    ),
    (
      "050df6ee80549716 swift-effects-recording 1\n",
      "The recording has version 1 of the format, and this library reads version 2. "
        + "Read it with the version that wrote it, or record again."
    ),
    ("050df5ee80549563 swift-effects-recording 2\n", "The recording does not begin with a state: line 2 is missing."),
    (
      "050df5ee80549563 swift-effects-recording 2\n1bb3110136394b7a codec 1\n00 state",
      "The recording does not begin with a state: line 3 is cut off."
    ),
    (
      "050df5ee80549563 swift-effects-recording 2\n33d049befdc1319d end 1\n",
      "The recording does not begin with a state: line 2 is not a version."
    ),
    (
      "050df5ee80549563 swift-effects-recording 2\n1bb3110136394b7a codec 1\n33d049befdc1319d end 1\n",
      "The recording does not begin with a state: line 3 is not a state."
    ),
  ])
  func `A file that is no recording is refused with a message`(text: String, expected: String) {
    #expect {
      try Recording(parsing: text.utf8)
    } throws: {
      "\($0)" == expected
    }
  }
}
