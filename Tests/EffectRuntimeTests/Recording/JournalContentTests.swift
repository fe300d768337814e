// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// Journals that were cut off or changed, at every byte.
@Suite struct JournalContentTests {
  /// The journal of four uploads, and the states at the ends of its turns, which are known without it: each file is added,
  /// then it is uploaded.
  private func journal() async throws -> (bytes: [UInt8], states: [Uploads.State]) {
    let disk = MemoryDisk()
    let restored = try await Store.uploads(.ofUploads(), on: disk)
    var states = [Uploads.State()]
    for file in 1...4 {
      await restored.store.send(.add(file)).finish()
      states += [Uploads.State(added: file, done: file - 1), Uploads.State(added: file, done: file)]
    }
    return (disk.written, states)
  }

  /// After how many bytes each turn is whole. The last byte is the end of a line, without which a line is whole as well.
  private func turnEnds(_ bytes: [UInt8]) -> [Int] {
    var (ends, start) = ([Int](), 0)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      if String(decoding: bytes[start..<index], as: UTF8.self).contains(" end ") { ends.append(index) }
      start = index + 1
    }
    return ends
  }

  @Test func `It is a recording with a version, and with an end behind each turn (V4)`() async throws {
    let (bytes, states) = try await journal()
    let recording = try Recording(parsing: bytes)
    #expect(recording.codecVersion == 1)
    #expect(MemoryDisk(bytes).turnEnds == [2, 3, 5, 6, 8, 9, 11, 12])
    #expect(recording.steps.map(\.cause).prefix(2).last == .followUp)
    #expect(recording.bytes == bytes)
    #expect(try restored(bytes).0 == states.last)
  }

  @Test func `Cut off at any byte, it restores exactly the turns that are whole (V4)`() async throws {
    let (bytes, states) = try await journal()
    let ends = turnEnds(bytes)
    #expect(ends.count == states.count - 1)
    let state = try Uploads.codec.encodeState(Uploads.State())
    let checkpoint = Recording.bytes(initialState: state, codecVersion: 1).count
    for length in 0...bytes.count {
      let (state, report) = try restored(Array(bytes[..<length]))
      let whole = ends.count { $0 <= length }
      #expect(state == states[whole], "cut off behind byte \(length)")
      #expect(report.isRestored == (length >= checkpoint - 1))
      guard report.isRestored else {
        if case .damaged = report.end { continue }
        Issue.record("nothing restored of \(length) bytes, and not reported")
        continue
      }
      let isAtEnd = length == bytes.count || ends.contains(length) || ends.contains(length - 1)
      #expect(report.end == (isAtEnd || length == checkpoint || length == checkpoint - 1 ? .whole : .unfinished))
    }
  }

  @Test func `With any byte changed, it restores a beginning of the history and reports the damage (V4)`() async throws
  {
    let (bytes, states) = try await journal()
    let ends = turnEnds(bytes)
    for index in bytes.indices {
      for mask: UInt8 in [1, 0x20, 0x80, 0xFF] {
        var changed = bytes
        changed[index] ^= mask
        let (state, report) = try restored(changed)
        let whole = ends.count { $0 < index }
        #expect(state == states[whole], "byte \(index) changed by \(mask)")
        #expect(report.end != .whole, "byte \(index) changed by \(mask)")
      }
    }
  }

  @Test func `With its tail zeroed or followed by zeros, it restores the whole turns and names the damage (V4)`()
    async throws
  {
    let (bytes, states) = try await journal()
    let ends = turnEnds(bytes)
    for length in 0...bytes.count {
      for zeros in Set([bytes.count - length, 1, 4_096]) where zeros > 0 {
        let (state, report) = try restored(bytes[..<length] + Array(repeating: 0, count: zeros))
        // The last line end may be among the zeros; then the line and its turn cannot be read.
        let whole = ends.count { $0 < length }
        #expect(state == states[whole], "zeros behind byte \(length)")
        guard case .damaged(let damage) = report.end else {
          Issue.record("zeros behind byte \(length): \(report)")
          continue
        }
        if report.isRestored { #expect(damage.reason == "contains zeros, as a power failure can leave them") }
      }
    }
  }

  @Test func `A changed version of the format is damage, and a version that was written is an error (V4)`() throws {
    var bytes = Recording.bytes(initialState: try Uploads.codec.encodeState(Uploads.State()), codecVersion: 1)
    let digit = RecordingFormat.header.utf8.count - 1
    bytes[digit] ^= 1
    #expect(
      try restored(bytes).report.end
        == .damaged(Recording.Damage(line: 1, reason: "is not the first line of a journal")))
    let line = Array("\(RecordingFormat.name) 3".utf8)
    let header = RecordingFormat.hex(RecordingFormat.check(line[...])) + [UInt8(ascii: " ")] + line
    #expect(throws: RecordingError.unsupportedVersion("3")) { try restored(header + bytes[(digit + 1)...]) }
  }

  @Test func `A line that is missing or repeated ends what is restored (V4)`() async throws {
    let (bytes, states) = try await journal()
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
    for index in lines.indices.dropFirst(3) {
      let without = lines[..<index] + lines[(index + 1)...]
      let twice = lines[...index] + lines[index...]
      for changed in [without, twice] {
        let (state, report) = try restored(changed.flatMap { $0 })
        #expect(states.contains(state))
        #expect(state.isWhole)
        let isCutAtEnd = index == lines.count - 1 && changed.count < lines.count
        if case .damaged = report.end {} else { #expect(isCutAtEnd && report.end == .unfinished) }
      }
    }
  }

  @Test func `A file of something else restores nothing and says so`() throws {
    for bytes in [Array("{}".utf8), []] {
      let (state, report) = try restored(bytes)
      #expect(state == Uploads.State())
      #expect(!report.isRestored && report.codecVersion == nil && report.actions == 0)
      guard case .damaged = report.end else {
        Issue.record("\(report)")
        continue
      }
    }
    #expect(try restored(nil).report == JournalReport(isRestored: false, codecVersion: nil, actions: 0, end: .whole))
  }
}
