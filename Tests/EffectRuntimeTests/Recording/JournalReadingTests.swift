// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectRuntime

/// Journals that are read and not written.
extension JournalFileTests {
  private func read(_ path: String) throws -> (state: Uploads.State, report: JournalReport) {
    try Journal.ofUploads(at: path).read(initialState: Uploads.State(), reducer: Uploads(upload: { _ in }))
  }

  @Test func `A journal can be read while a store uses it, without one, and when it is damaged (V4)`() async throws {
    try await inFolder { path in
      let none = try read(path)
      #expect(none.state == Uploads.State() && !none.report.isRestored)
      let store = try await open(path)
      await store.store.send(.add(1)).finish()
      #expect(try read(path).state == Uploads.State(added: 1, done: 1))
      await store.store.shutdown(.draining)
      var bytes = try FileBytes.read(path)
      bytes[bytes.count - 2] ^= 1
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let (state, report) = try read(path)
      #expect(state == Uploads.State(added: 1, done: 0) && report.copy == nil)
      guard case .damaged = report.end else {
        Issue.record("\(report)")
        return
      }
      let folder = String(path.dropLast("/journal".count))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["journal", "journal.lock"])
    }
  }

  @Test func `In a folder that cannot be written, a journal can be read (V4)`() async throws {
    try await inFolder { path in
      try await add(1, path)
      let folder = String(path.dropLast("/journal".count))
      try FileManager.default.removeItem(atPath: path + ".lock")
      await #expect(processExitsWith: .success) { [path = path as String, folder = folder as String] in
        if geteuid() == 0 {
          #expect(unsafe chown(folder, 65_534, 65_534) == 0)
          #expect(setegid(65_534) == 0 && seteuid(65_534) == 0)
        }
        #expect(unsafe chmod(folder, 0o555) == 0)
        defer { _ = unsafe chmod(folder, 0o755) }
        let state = try JournalFileTests().read(path).state
        #expect(state == Uploads.State(added: 1, done: 1))
      }
    }
  }

  #if os(Linux)
    @Test func `If the new checkpoint does not fit, restoring is an error and the journal can be read (V4)`()
      async throws
    {
      try await inFolder { path in
        try await add(1, path)
        let bytes = try FileBytes.read(path)
        // Another process, because the limit belongs to all files of this one.
        await #expect(processExitsWith: .success) { [path = path as String] in
          var limit = rlimit(rlim_cur: 20, rlim_max: 20)
          #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
          let tests = JournalFileTests()
          await #expect(throws: RecordingError.unwritable(path: path + ".new", reason: "File too large")) {
            try await tests.open(path)
          }
          let state = try tests.read(path).state
          #expect(state == Uploads.State(added: 1, done: 1))
        }
        #expect(try FileBytes.read(path) == bytes)
        let folder = String(path.dropLast("/journal".count))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["journal", "journal.lock"])
        // When there is room again, it goes on.
        #expect(try await add(2, path).0.done == [1, 2])
      }
    }
  #endif
}
