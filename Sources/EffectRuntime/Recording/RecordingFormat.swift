// This source file is part of swift-effects. License: Apache-2.0.

/// How a recording is written: lines of ASCII, each with a check of its own. So if the end of a file is damaged, the
/// lines before it can still be read and checked.
///
///     <check> swift-effects-recording 2
///     <check> codec <version>
///     <check> state <bytes>
///     <check> action <index> <nanoseconds> user:App/View.swift:3 <bytes>
///     <check> after <bytes>
///     <check> run <nanoseconds> <text>
///     <check> end <number of actions>
///
/// `after` is the state after the action, and `end` the end of a turn.
///
/// In states, actions and texts, `%`, `#` and all bytes that are not visible ASCII are written as `%` and two hexadecimal
/// digits. So an editor does not change a recording when it saves it, and a raw string of Swift source can contain it.
enum RecordingFormat {
  static let version = "2"
  static let name = "swift-effects-recording"
  /// The first line, without its end.
  static let header = String(decoding: checked("\(name) ", Array(version.utf8)).dropLast(), as: UTF8.self)

  // MARK: - Writing

  static func line(state: [UInt8]) -> [UInt8] { checked("state ", state) }

  static func line(after state: [UInt8]) -> [UInt8] { checked("after ", state) }

  static func line(codecVersion: Int) -> [UInt8] { checked("codec ", Array("\(codecVersion)".utf8)) }

  static func line(turnEndAfter count: Int) -> [UInt8] { checked("end ", Array("\(count)".utf8)) }

  static func line(_ note: Recording.Note) -> [UInt8] {
    checked("run \(nanoseconds(note.time)) ", Array(note.text.utf8))
  }

  static func line(_ step: Recording.Step, index: Int) -> [UInt8] {
    checked("action \(index) \(nanoseconds(step.time)) \(text(step.cause)) ", step.action)
  }

  private static func checked(_ fields: String, _ payload: [UInt8]) -> [UInt8] {
    var line = Array(fields.utf8)
    line.reserveCapacity(line.count + payload.count + payload.count / 4 + 20)
    escape(payload, into: &line)
    return hex(check(line[...])) + [UInt8(ascii: " ")] + line + [UInt8(ascii: "\n")]
  }

  private static func text(_ cause: Recording.Cause) -> String {
    switch cause {
    case .user(let line):
      var escaped: [UInt8] = []
      escape(Array(line.utf8), into: &escaped)
      return "user:\(String(decoding: escaped, as: UTF8.self))"
    case .run(let number): return "run:\(number)"
    case .followUp: return "turn"
    }
  }

  static func escape(_ bytes: [UInt8], into line: inout [UInt8]) {
    // Without this an empty value would end the line with a space, which some editors remove.
    if bytes.isEmpty { line.append(UInt8(ascii: "%")) }
    for byte in bytes {
      if isPlain(byte) {
        line.append(byte)
      } else {
        line.append(UInt8(ascii: "%"))
        line.append(digit(byte >> 4))
        line.append(digit(byte & 15))
      }
    }
  }

  /// Visible ASCII, except characters with another meaning: `%`, and `#`, with which raw strings end.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > UInt8(ascii: " ") && byte < 0x7F && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "#")
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func nanoseconds(_ time: Duration) -> Int64 {
    // Larger values do not fit into 64 bits in this unit.
    let (seconds, attoseconds) = min(max(time, .nanoseconds(Int64.min)), .nanoseconds(Int64.max)).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  // MARK: - Reading

  static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if text.count == 1, text.first == UInt8(ascii: "%") { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      guard text[index] == UInt8(ascii: "%") else {
        bytes.append(text[index])
        index += 1
        continue
      }
      guard index + 2 < text.endIndex, let high = value(text[index + 1]), let low = value(text[index + 2]) else {
        return nil
      }
      bytes.append(high << 4 | low)
      index += 3
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  // MARK: - Checks

  /// FNV-1a: it does not protect against attacks, only against accidents.
  static func check(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }

  static func hex(_ value: UInt64) -> [UInt8] {
    (0..<16).map { digit(UInt8(truncatingIfNeeded: value >> (60 - 4 * UInt64($0))) & 15) }
  }
}
