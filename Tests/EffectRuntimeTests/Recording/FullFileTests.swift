// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

private typealias Adding = Reduce<Int, Int>

private func addingStore() -> Store<Adding> {
  Store(
    initialState: 0,
    reducer: Adding { state, action in
      state += action
      return .none
    })
}

private let codec = RecordingCodec<Int, Int>(
  encodeState: { Array("\($0)".utf8) }, decodeState: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 },
  encodeAction: { Array("\($0)".utf8) }, decodeAction: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 })

private func temporaryPath() -> String {
  FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)").path
}

#if os(Linux)
  /// The threads of the concurrency runtime block this signal; others do not.
  private func unblockFileLimit() { mask(SIG_UNBLOCK) }

  private func blockFileLimit() { mask(SIG_BLOCK) }

  private func mask(_ how: Int32) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGXFSZ)
    unsafe pthread_sigmask(how, &set, nil)
  }

  private var isFileLimitPending: Bool {
    var set = sigset_t()
    unsafe sigpending(&set)
    return unsafe sigismember(&set, SIGXFSZ) == 1
  }

  private func limitFiles(to size: UInt) -> Bool {
    var limit = rlimit(rlim_cur: size, rlim_max: size)
    return unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
  }
#endif

#if os(Linux)
  /// What happens to a recording whose file cannot be written any more. In processes of their own, because at worst they
  /// are killed.
  @Suite struct FullFileTests {
    @Test func `A file that may not grow further is a failure of the recorder (V3)`() async {
      await #expect(processExitsWith: .success) {
        let path = temporaryPath()
        defer { unsafe unlink(path) }
        let store = addingStore()
        let recorder = try await store.record(with: codec, to: path)
        #expect(limitFiles(to: 300))
        for _ in 0..<20 { await store.send(1).finish() }
        #expect(recorder.failure is RecordingError)
        #expect(await store.state == 20)
        #expect(try !recorder.recording.steps.isEmpty)
      }
    }

    @Test func `The write leaves no signal of such a file, and keeps an earlier one`() async {
      await #expect(processExitsWith: .success) {
        let path = temporaryPath()
        defer { unsafe unlink(path) }
        let file = try RecordingFile(path: path)
        try file.replace([1])
        unblockFileLimit()
        #expect(limitFiles(to: 0))
        #expect(throws: RecordingError.self) { try file.append([1]) }
        #expect(!isFileLimitPending)
        // A signal that the program itself has raised stays pending.
        blockFileLimit()
        raise(SIGXFSZ)
        #expect(throws: RecordingError.self) { try file.append([1]) }
        #expect(isFileLimitPending)
      }
    }

    @Test func `A full disk is an error with the reason`() throws {
      let file = try SystemFile("/dev/full", for: .claiming)
      defer { file.close() }
      do {
        try file.write([1])
        Issue.record("nothing can be written to this device")
      } catch {
        #expect(error.reason == "No space left on device")
      }
    }
  }
#endif
