// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectRuntime

/// Journals behind symbolic links, with permissions, and with relative paths.
extension JournalFileTests {
  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  @Test func `A journal and a symbolic link to it are one journal, and the link stays (V4)`() async throws {
    try await inFolder { path in
      try await add(1, path)
      let folder = String(path.dropLast("/journal".count))
      try link(path + "-link", to: "journal")
      try link(path + "-chain", to: path + "-link")
      try link(path + "-folder", to: ".")
      let names = [path, path + "-link", path + "-chain", path + "-folder/journal", folder + "/./journal"]
      for (index, name) in names.enumerated() {
        let restored = try await open(name, checkpointEvery: 1)
        await restored.store.send(.add(index + 2)).finish()
        for other in names { await #expect(throws: RecordingError.inUse(path: path)) { try await open(other) } }
        await restored.store.shutdown(.draining)
      }
      #expect(try restored(FileBytes.read(path)).state.done == Array(1...6))
      #expect(isLink(path + "-link") && isLink(path + "-chain") && !isLink(path))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(files.sorted() == ["journal", "journal-chain", "journal-folder", "journal-link", "journal.lock"])
    }
  }

  @Test func `A link to a file that does not exist makes that file (V4)`() async throws {
    try await inFolder { path in
      try link(path + "-link", to: "journal")
      try link(path + "-chain", to: path + "-link")
      for life in 1...2 {
        let restored = try await open(path + "-chain")
        await #expect(throws: RecordingError.inUse(path: path)) { try await open(path) }
        await restored.store.send(.add(life)).finish()
        await restored.store.shutdown(.draining)
        #expect(restored.report.isRestored == (life == 2))
      }
      #expect(try restored(FileBytes.read(path)).state.done == [1, 2])
      #expect(isLink(path + "-link") && isLink(path + "-chain"))
    }
  }

  @Test func `A loop of links, and a path without a folder, are errors with the reason`() async throws {
    try await inFolder { path in
      try link(path, to: "journal-2")
      try link(path + "-2", to: "journal")
      try link(path + "-none", to: "none/journal")
      try link(path + "-folder", to: "none")
      for (name, reason) in [
        (path, "Too many levels of symbolic links"), (path + "-none", "No such file or directory"),
        (path + "-folder/journal", "No such file or directory"), (path + "-new/", "No such file or directory"),
        ("", "No such file or directory"),
      ] {
        await #expect(throws: RecordingError.unwritable(path: name, reason: reason)) { try await open(name) }
      }
      let folder = String(path.dropLast("/journal".count))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4, "nothing was made")
    }
  }

  @Test(arguments: [0o600, 0o640, 0o400, 0o666] as [mode_t])
  func `A checkpoint and the copy of a damaged file keep the permissions (V4)`(mode: mode_t) async throws {
    func permissions(_ path: String) -> [UInt32] {
      var info = stat()
      guard unsafe stat(path, &info) == 0 else { return [] }
      return [UInt32(info.st_mode & 0o7777), UInt32(info.st_uid), UInt32(info.st_gid)]
    }
    try await inFolder { path in
      try await add(1, path)
      // Another owner can be set only by the superuser.
      if geteuid() == 0 { #expect(unsafe chown(path, 4_321, 1_234) == 0) }
      let expected = [UInt32(mode)] + permissions(path).dropFirst()
      #expect(unsafe chmod(path, mode) == 0)
      // What a process has left that ended: it has other permissions.
      try Data("half a checkpoint".utf8).write(to: URL(fileURLWithPath: path + ".new"))
      let restored = try await open(path, checkpointEvery: 1)
      #expect(permissions(path) == expected)
      await restored.store.send(.add(2)).finish()
      await restored.store.shutdown(.draining)
      #expect(permissions(path) == expected)

      #expect(unsafe chmod(path, 0o600) == 0)
      #expect(unsafe truncate(path, 10) == 0)
      #expect(unsafe chmod(path, mode) == 0)
      try await open(path).store.shutdown(.draining)
      #expect(permissions(path) == expected && permissions(path + ".damaged-1") == expected)
    }
  }

  @Test func `A relative path stays the same file when the current folder changes`() async throws {
    try await inFolder { path in
      let folder = String(path.dropLast("/journal".count))
      try FileManager.default.createDirectory(atPath: folder + "/other", withIntermediateDirectories: true)
      // Another process, because the current folder belongs to all tests of this one.
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        let tests = JournalFileTests()
        #expect(unsafe chdir(folder) == 0)
        let restored = try await tests.open("journal", checkpointEvery: 1)
        #expect(unsafe chdir("other") == 0)
        await restored.store.send(.add(1)).finish()
        await #expect(throws: RecordingError.inUse(path: folder + "/journal")) { try await tests.open("../journal") }
        await restored.store.shutdown(.draining)
        try await tests.add(2, "../journal")
      }
      #expect(try restored(FileBytes.read(path)).state.done == [1, 2])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/other").isEmpty)
    }
  }

  @Test func `In a folder that cannot be written, a journal is an error, and stays as it is`() async throws {
    try await inFolder { path in
      let folder = String(path.dropLast("/journal".count))
      // Another process, because it gives up the right of the superuser to write everywhere.
      await #expect(processExitsWith: .success) { [path = path as String, folder = folder as String] in
        if geteuid() == 0 {
          #expect(unsafe chown(folder, 65_534, 65_534) == 0)
          #expect(setegid(65_534) == 0 && seteuid(65_534) == 0)
        }
        let tests = JournalFileTests()
        try await tests.add(1, path)
        let bytes = try FileBytes.read(path)
        #expect(unsafe chmod(folder, 0o555) == 0)
        for (name, file) in [(path, path + ".new"), (path + "-2", path + "-2.lock")] {
          await #expect(throws: RecordingError.unwritable(path: file, reason: "Permission denied")) {
            try await tests.open(name)
          }
        }
        #expect(unsafe chmod(folder, 0o755) == 0)
        #expect(try FileBytes.read(path) == bytes)
        // The error has not left the file claimed.
        try await tests.add(2, path)
      }
    }
  }
}
