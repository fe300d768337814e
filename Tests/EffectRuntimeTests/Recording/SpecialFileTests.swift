// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectRuntime

/// Pipes, devices, folders and files of others at the paths of journals and recordings, and files that were removed.
extension JournalFileTests {
  private func pipe(_ path: String) { #expect(unsafe mkfifo(path, 0o644) == 0) }

  private func counting() -> Store<Reduce<Int, Int>> {
    Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state += action
        return .none
      })
  }

  private static let codec = RecordingCodec<Int, Int>(
    encodeState: { Array("\($0)".utf8) }, decodeState: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 },
    encodeAction: { Array("\($0)".utf8) }, decodeAction: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 })

  // MARK: - Removed files

  @Test(arguments: ["removed", "renamed", "replaced", "in a renamed folder"])
  func `A file that was removed, renamed or replaced is a failure of its recorder (V3, V4)`(how: String) async throws {
    try await inFolder { path in
      let folder = String(path.dropLast("/journal".count))
      func move() throws {
        switch how {
        case "removed": try FileManager.default.removeItem(atPath: path)
        case "renamed": try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        case "replaced": try Data("other".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        default: try FileManager.default.moveItem(atPath: folder, toPath: folder + "-old")
        }
      }
      defer { try? FileManager.default.removeItem(atPath: folder + "-old") }
      let error = RecordingError.unwritable(
        path: path, reason: "it was removed, renamed or replaced while it was in use")
      let store = counting()
      let recorder = try await store.record(with: Self.codec, to: path)
      await store.send(1).finish()
      #expect(recorder.failure == nil)
      try move()
      await store.send(2).finish()
      #expect(recorder.failure as? RecordingError == error)
      #expect(await store.state == 3)
      if how == "replaced" { #expect(try FileBytes.read(path) == Array("other".utf8)) }

      try? FileManager.default.removeItem(atPath: folder + "-old")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try? FileManager.default.removeItem(atPath: path)
      // A checkpoint must not replace a file of someone else either.
      let failures = Recorder<String>()
      let restored = try await Store.restored(
        from: .ofUploads(at: path, checkpointEvery: 1), initialState: Uploads.State(),
        reducer: Uploads(upload: { _ in }), resumingWith: .restored, onJournalFailure: { failures.record("\($0)") })
      try? FileManager.default.removeItem(atPath: path + ".old")
      try move()
      await restored.store.send(.add(1)).finish()
      #expect(failures.events == ["\(error)"])
      if how == "replaced" { #expect(try FileBytes.read(path) == Array("other".utf8)) }
    }
  }

  @Test func `A second store sees that a file is used, also without the lock file, and by another name (V4)`()
    async throws
  {
    try await inFolder { path in
      let first = try await open(path, checkpointEvery: 4)
      for file in 1...5 {
        await first.store.send(.add(file)).finish()
        try? FileManager.default.removeItem(atPath: path + ".lock")
        await #expect(throws: RecordingError.inUse(path: path)) { try await open(path) }
        let name = "\(path)-\(file)"
        try FileManager.default.linkItem(atPath: path, toPath: name)
        await #expect(throws: RecordingError.inUse(path: name)) { try await open(name) }
      }
      await first.store.shutdown(.draining)
      // A hard link has what was there when it was made, and is a journal of its own.
      try await open(path + "-5").store.shutdown(.draining)
      #expect(try await add(6, path).0.done == Array(1...6))
    }
  }

  @Test func `While a process that starts has copies of its descriptors, a closed journal can be used`() async throws {
    try await inFolder { path in
      let restored = try await open(path)
      var info = stat()
      #expect(unsafe stat(path, &info) == 0)
      let file = info.st_ino
      let copies = (0..<Int32(4_096)).filter { descriptor in
        var info = stat()
        return unsafe fstat(descriptor, &info) == 0 && info.st_ino == file
      }.map { dup($0) }
      #expect(!copies.isEmpty)
      await restored.store.shutdown(.draining)
      try await open(path).store.shutdown(.draining)
      for copy in copies { close(copy) }
    }
  }

  // MARK: - Pipes, devices and folders

  @Test(.timeLimit(.minutes(1)))
  func `A pipe, a device or a folder given as a recording is an error at once`() async throws {
    try await inFolder { path in
      pipe(path)
      let folder = String(path.dropLast("/journal".count))
      for name in [path, "/dev/zero", folder] {
        let reason = "it is a device, a pipe or a folder"
        #expect(throws: RecordingError.unreadable(path: name, reason: reason)) { try Recording(contentsOfFile: name) }
        await #expect(throws: RecordingError.unwritable(path: name, reason: reason)) { try await open(name) }
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A pipe or folder in place of a copy is left there, and another name is used (V4)`() async throws {
    try await inFolder { path in
      pipe(path + ".damaged-1")
      try FileManager.default.createDirectory(atPath: path + ".damaged-2", withIntermediateDirectories: false)
      try Data("damage".utf8).write(to: URL(fileURLWithPath: path))
      let restored = try await open(path)
      #expect(restored.report.copy == path + ".damaged-3")
      await restored.store.shutdown(.draining)
      // There is no other name left.
      for number in 3...9 {
        try? FileManager.default.removeItem(atPath: "\(path).damaged-\(number)")
        pipe("\(path).damaged-\(number)")
      }
      try Data("damage".utf8).write(to: URL(fileURLWithPath: path))
      await #expect(
        throws: RecordingError.unwritable(path: path + ".damaged-9", reason: "it is a device, a pipe or a folder")
      ) { try await open(path) }
      #expect(try FileBytes.read(path) == Array("damage".utf8))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A folder in place of a checkpoint, and a pipe in place of the lock file, are errors (V4)`() async throws {
    try await inFolder { path in
      try await add(1, path)
      let bytes = try FileBytes.read(path)
      try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
      await #expect(throws: RecordingError.unwritable(path: path + ".new", reason: "Is a directory")) {
        try await open(path)
      }
      try FileManager.default.removeItem(atPath: path + ".new")
      try FileManager.default.removeItem(atPath: path + ".lock")
      pipe(path + ".lock")
      await #expect(
        throws: RecordingError.unwritable(path: path + ".lock", reason: "it is a device, a pipe or a folder")
      ) { try await open(path) }
      #expect(try FileBytes.read(path) == bytes)
      try FileManager.default.removeItem(atPath: path + ".lock")
      // A pipe that has the name of a checkpoint is removed like any file that was left there.
      pipe(path + ".new")
      #expect(try await add(2, path).0.done == [1, 2])
    }
  }

  @Test func `The lock file of another user is used if it can be read`() async throws {
    // Only the superuser can make such a file.
    if geteuid() != 0 { return }
    try await inFolder { path in
      let folder = String(path.dropLast("/journal".count))
      await #expect(processExitsWith: .success) { [path = path as String, folder = folder as String] in
        let tests = JournalFileTests()
        try await tests.add(1, path)
        #expect(unsafe chown(folder, 65_534, 65_534) == 0)
        #expect(setegid(65_534) == 0 && seteuid(65_534) == 0)
        let first = try await tests.open(path)
        await #expect(throws: RecordingError.inUse(path: path)) { try await tests.open(path) }
        await first.store.shutdown(.draining)
        #expect(try await tests.add(2, path).0.done == [1, 2])
        #expect(seteuid(0) == 0)
        #expect(unsafe chmod(path + ".lock", 0o600) == 0)
        #expect(seteuid(65_534) == 0)
        await #expect(throws: RecordingError.unwritable(path: path + ".lock", reason: "Permission denied")) {
          try await tests.open(path)
        }
      }
    }
  }
}
