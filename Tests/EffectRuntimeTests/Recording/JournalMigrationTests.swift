// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// Journals that an older version has written.
@Suite struct JournalMigrationTests {
  /// Version 2 of a counter: it counts in thousandths, and knows how often it was counted. Version 1 counted in ones.
  private struct State: Equatable {
    var thousandths = 0
    var count = 0
  }

  private static let codec = RecordingCodec<State, Int>(
    encodeState: { Array("\($0.thousandths) \($0.count)".utf8) },
    decodeState: { bytes in
      let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw Uploads.NotText(text: "\(numbers)") }
      return State(thousandths: numbers[0], count: numbers[1])
    },
    encodeAction: { Array("\($0)".utf8) }, decodeAction: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 })

  /// The codec with a version, and with a decoder for what counted in ones.
  private static func codec(_ version: Int, readingOnesOf older: Int) -> RecordingCodec<State, Int> {
    codec.version(version).reading(
      version: older, state: { State(thousandths: (Int(String(decoding: $0, as: UTF8.self)) ?? 0) * 1_000, count: 0) },
      action: { (Int(String(decoding: $0, as: UTF8.self)) ?? 0) * 1_000 })
  }

  /// A journal of version 1: it begins with 5, and 1 and 2 were added.
  private static var formerJournal: [UInt8] {
    Recording(
      initialState: Array("5".utf8),
      steps: [1, 2].map { .init(time: .zero, cause: .user(""), action: Array("\($0)".utf8)) }
    ).bytes
  }

  private func store() -> Store<Reduce<State, Int>> {
    Store(
      initialState: State(),
      reducer: Reduce { state, action in
        state.thousandths += action
        state.count += 1
        return .none
      })
  }

  @Test func `An older state and older actions become those of this version, and so does the journal (V4)`()
    async throws
  {
    let disk = MemoryDisk(Self.formerJournal)
    let codec = Self.codec(2, readingOnesOf: 1)
    let journal = Journal(path: "", codec: codec, sync: .everyTurn)
    let first = try await store().restore(journal, in: disk, copy: disk.keepCopy, resumingWith: 0) { _ in }
    #expect(first.report == JournalReport(isRestored: true, codecVersion: 1, actions: 2, end: .whole))
    // The resuming action is the third.
    #expect(await first.store.state.thousandths == 8_000)
    #expect(await first.store.state.count == 3)
    await first.store.send(1).finish()
    let second = try await store().restore(journal, in: MemoryDisk(disk.written), copy: disk.keepCopy, resumingWith: 0)
    { _ in }
    #expect(second.report.codecVersion == 2)
    #expect(await second.store.state.thousandths == 8_001)
  }

  @Test func `A version without a decoder is an error, and the journal is unchanged (V4)`() async throws {
    let disk = MemoryDisk(Self.formerJournal)
    let codec = Self.codec(3, readingOnesOf: 2)
    let journal = Journal(path: "", codec: codec, sync: .everyTurn)
    await #expect {
      try await store().restore(journal, in: disk, copy: disk.keepCopy, resumingWith: 0) { _ in }
    } throws: {
      "\($0)" == """
        The journal was written by version 1 of the codec, and this one reads versions 2, 3. Add \
        `.reading(version: 1, state: readState, action: readAction)` to the codec, with two functions of yours that read what \
        that version wrote.
        """
    }
    #expect(disk.written == Self.formerJournal && disk.log.events.isEmpty)
  }
}
