// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectRuntime

/// Journals in files.
@Suite struct JournalFileTests {
  func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The folder of temporary files may be a symbolic link.
    try await body(SystemFile.resolve(folder.appending(path: "journal").path))
  }

  func open(
    _ path: String, sync: JournalSync = .everyTurn, checkpointEvery actions: Int = 1_000
  ) async throws -> RestoredStore<Uploads> {
    try await Store.restored(
      from: .ofUploads(at: path, sync: sync, checkpointEvery: actions), initialState: Uploads.State(),
      reducer: Uploads(upload: { _ in }), resumingWith: .restored,
      onJournalFailure: { Issue.record("\($0)") })
  }

  /// Opens the journal, adds a file, and ends.
  @discardableResult
  func add(_ file: Int, _ path: String, sync: JournalSync = .everyTurn) async throws -> (Uploads.State, JournalReport) {
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

  @Test func `The file is a recording that can be read while it is written (V3, V4)`() async throws {
    try await inFolder { path in
      let opened = try await open(path)
      for file in 1...3 { await opened.store.send(.add(file)).finish() }
      let recording = try Recording(contentsOfFile: path)
      #expect(recording.steps.count == 9 && recording.damage == nil)
      #expect(try restored(recording.bytes).state == Uploads.State(added: 3, done: 3))
    }
  }

  @Test func `A file is used by one store at a time`() async throws {
    try await inFolder { path in
      let first = try await open(path)
      await #expect(throws: RecordingError.inUse(path: path)) { try await open(path) }
      await first.store.send(.add(1)).finish()
      #expect(try restored(FileBytes.read(path)).state == Uploads.State(added: 1, done: 1))
      #expect(
        "\(RecordingError.inUse(path: "x"))" == """
          The file x is used by another store. A store uses it until a shutdown of the store has ended; after a mere \
          release this may take a moment. Write `await store.shutdown(.draining)`, or `recorder.stop()`, before the next \
          store uses this file, and give stores that exist at the same time a file each.
          """)
    }
  }

  @Test func `A store is restored from the file of a recording`() async throws {
    try await inFolder { path in
      let store = Store(initialState: Uploads.State(), reducer: Uploads(upload: { _ in }))
      let recorder = try await store.record(with: Uploads.codec, to: path)
      await store.send(.add(1)).finish()
      recorder.stop()
      let restored = try await open(path)
      #expect(restored.report.end == .whole && restored.report.actions == 3)
      await restored.store.shutdown(.draining)
      #expect(await restored.store.state.done == [1])
      #expect(try restored.recorder.recording.steps.count == 1, "the action of the restored store")
    }
  }

  @Test func `When a shutdown or a stop has returned, the next store can use the file`() async throws {
    try await inFolder { path in
      var former: [RestoredStore<Uploads>] = []
      for life in 1...20 {
        let restored = try await open(path, sync: [.everyTurn, .every(.milliseconds(1)), .system][life % 3])
        await restored.store.send(.add(life)).finish()
        if life % 2 == 0 { restored.recorder.stop() } else { await restored.store.shutdown(.draining) }
        former.append(restored)
      }
      // The stopped ones are still in use, and write nothing.
      for restored in former { await restored.store.send(.add(99)).finish() }
      let last = try await open(path)
      #expect(await last.store.state.done == Array(1...20))
      for restored in former { await restored.store.shutdown(.cancelling) }
      await #expect(throws: RecordingError.inUse(path: path)) { try await open(path) }
    }
  }

  /// Between `fork` and `exec`, a process that another thread starts has copies of all descriptors.
  @Test func `The next store can use the file while a process that starts has a copy of the descriptor`() async throws {
    try await inFolder { path in
      let restored = try await open(path)
      var lock = stat()
      #expect(unsafe stat(path + ".lock", &lock) == 0)
      let descriptors = (0..<Int32(4_096)).filter { descriptor in
        var info = stat()
        return unsafe fstat(descriptor, &info) == 0 && info.st_ino == lock.st_ino && info.st_dev == lock.st_dev
      }
      #expect(descriptors.count == 1)
      let copies = descriptors.map { dup($0) }
      await restored.store.shutdown(.draining)
      try await open(path).store.shutdown(.draining)
      for copy in copies { close(copy) }
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

  #if os(Linux)
    /// The files of a journal that this process has open.
    private func openFiles(_ path: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
      }.filter { $0.hasPrefix(path) }
    }

    @Test func `A checkpoint that cannot be renamed is closed, and the error names the file`() async throws {
      try await inFolder { path in
        let file = try RecordingFile(path: path)
        defer { file.close() }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: RecordingError.unwritable(path: path, reason: "Is a directory")) { try file.replace([1]) }
        #expect(try openFiles(path) == [path + ".lock"])
      }
    }

    @Test func `A file that is in use is not opened once more by the error`() async throws {
      try await inFolder { path in
        let file = try RecordingFile(path: path)
        defer { file.close() }
        #expect(throws: RecordingError.inUse(path: path)) { try RecordingFile(path: path) }
        #expect(try openFiles(path) == [path + ".lock"])
      }
    }
  #endif

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
      #expect(!report.isRestored && report.copy == path + ".damaged-1")
      let damage = Recording.Damage(line: 1, reason: "is not the first line of a journal")
      #expect(report.end == .damaged(damage))
      #expect(damage.description == "line 1 is not the first line of a journal")
      #expect(try FileBytes.read(path + ".damaged-1") == bytes)
    }
  }

  @Test func `Each damaged file has a copy of its own, and at most nine are kept (V4)`() async throws {
    try await inFolder { path in
      for number in 1...11 {
        let damaged = Array("damage \(number)".utf8)
        // Found twice, for example because the disk was full: one copy.
        for _ in 1...2 {
          try Data(damaged).write(to: URL(fileURLWithPath: path))
          let restored = try await open(path)
          await restored.store.shutdown(.draining)
          #expect(restored.report.copy == path + ".damaged-\(min(number, 9))")
        }
      }
      for number in 1...9 {
        let text = String(decoding: try FileBytes.read(path + ".damaged-\(number)"), as: UTF8.self)
        #expect(text == "damage \(number < 9 ? number : 11)")
      }
      let files = try FileManager.default.contentsOfDirectory(
        atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
      #expect(files.count == 11)
    }
  }

  @Test func `A file that cannot be opened is an error with the reason`() async throws {
    await #expect(
      throws: RecordingError.unwritable(path: "/no/such/file", reason: "No such file or directory")
    ) { try await open("/no/such/file") }
    await #expect(throws: RecordingError.unwritable(path: "a\0b", reason: "there is a zero byte in it")) {
      try await open("a\0b")
    }
  }
}
