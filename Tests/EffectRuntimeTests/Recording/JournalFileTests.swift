// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectRuntime

/// Journals in files.
@Suite struct JournalFileTests {
  private func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appending(path: "journal").path)
  }

  private func open(
    _ path: String, sync: JournalSync = .everyTurn, checkpointEvery actions: Int = 1_000
  ) async throws -> RestoredStore<Uploads> {
    try await Store.restored(
      from: .ofUploads(at: path, sync: sync, checkpointEvery: actions), initialState: Uploads.State(),
      reducer: Uploads(upload: { _ in }), resumingWith: .restored,
      onJournalFailure: { Issue.record("\($0)") })
  }

  /// Opens the journal, adds a file, and ends.
  private func add(_ file: Int, _ path: String, sync: JournalSync) async throws -> (Uploads.State, JournalReport) {
    let restored = try await open(path, sync: sync, checkpointEvery: 4)
    await restored.store.send(.add(file)).finish()
    await restored.store.shutdown(.draining)
    return (await restored.store.state, restored.report)
  }

  @Test(arguments: [JournalSync.everyTurn, .every(.milliseconds(1)), .system])
  func `One store after another goes on with a journal (V4)`(sync: JournalSync) async throws {
    try await inFolder { path in
      for life in 1...5 {
        let (state, report) = try await add(life, path, sync: sync)
        var expected = Uploads.State(added: life, done: life)
        expected.restarts = life - 1
        #expect(state == expected)
        #expect(report.isRestored == (life > 1) && report.end == .whole && report.copy == nil)
      }
      let files = try FileManager.default.contentsOfDirectory(
        atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
      #expect(files.sorted() == ["journal", "journal.lock"])
    }
  }

  @Test func `The file is a recording that can be replayed while it is written (V3, V4)`() async throws {
    try await inFolder { path in
      let restored = try await open(path)
      for file in 1...3 { await restored.store.send(.add(file)).finish() }
      let recording = try Recording(contentsOfFile: path)
      #expect(recording.steps.count == 9 && recording.damage == nil)
      var replay = try Replay(recording, reducer: Uploads(upload: { _ in }), codec: Uploads.codec)
      try replay.jump(to: .max)
      #expect(replay.state == Uploads.State(added: 3, done: 3))
    }
  }

  @Test func `A file is used by one store at a time`() async throws {
    try await inFolder { path in
      let first = try await open(path)
      await #expect(throws: JournalError.inUse(path: path)) { try await open(path) }
      #expect("\(JournalError.inUse(path: "x"))".hasPrefix("The journal x is used by another store."))
      await first.store.send(.add(1)).finish()
      #expect(try restored(FileBytes.read(path)).state == Uploads.State(added: 1, done: 1))
    }
  }

  @Test func `A checkpoint that was not finished is ignored (V4)`() async throws {
    try await inFolder { path in
      _ = try await add(1, path, sync: .everyTurn)
      try Data("half a checkpoint".utf8).write(to: URL(fileURLWithPath: path + ".new"))
      let (state, report) = try await add(2, path, sync: .everyTurn)
      #expect(state.done == [1, 2] && report.end == .whole)
    }
  }

  @Test func `A checkpoint is another file, and the former one is not changed (V4)`() async throws {
    try await inFolder { path in
      let restored = try await open(path, checkpointEvery: 3)
      let former = path + ".former"
      try FileManager.default.linkItem(atPath: path, toPath: former)
      await restored.store.send(.add(1)).finish()
      // The last turn is in the former file, and in the state of the new one.
      #expect(try Recording(contentsOfFile: former).steps.count == 3)
      #expect(try Recording(contentsOfFile: path).steps.isEmpty)
      await restored.store.send(.add(2)).finish()
      #expect(try Recording(contentsOfFile: former).steps.count == 3)
    }
  }

  @Test func `A damaged file is kept beside the journal (V4)`() async throws {
    try await inFolder { path in
      _ = try await add(1, path, sync: .everyTurn)
      var bytes = try FileBytes.read(path)
      bytes[10] = 0
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let (state, report) = try await add(2, path, sync: .everyTurn)
      #expect(state.added == [2], "not even the checkpoint could be read")
      #expect(!report.isRestored && report.copy == path + ".damaged")
      let damage = Recording.Damage(line: 1, reason: "is not the first line of a journal")
      #expect(report.end == .damaged(damage))
      #expect(damage.description == "line 1 is not the first line of a journal")
      #expect(try FileBytes.read(path + ".damaged") == bytes)
    }
  }

  @Test func `A file that cannot be opened is an error with the reason`() async throws {
    await #expect(
      throws: RecordingError.unwritable(path: "/no/such/file.lock", reason: "No such file or directory")
    ) { try await open("/no/such/file") }
    await #expect(throws: RecordingError.unwritable(path: "a\0b", reason: "there is a zero byte in it")) {
      try await open("a\0b")
    }
  }
}
