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

/// A named pipe, and a descriptor through which it could be read.
private func makePipe() -> (path: String, reader: Int32) {
  let path = temporaryPath()
  unsafe mkfifo(path, 0o644)
  return (path, unsafe open(path, O_RDWR))
}

#if os(Linux)
  private func blockBrokenPipe() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// The threads of the concurrency runtime block this signal; others do not.
  private func unblockFileLimit() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGXFSZ)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private var isBrokenPipePending: Bool {
    var set = sigset_t()
    unsafe sigpending(&set)
    return unsafe sigismember(&set, SIGPIPE) == 1
  }

  private func limitFiles(to size: UInt) -> Bool {
    var limit = rlimit(rlim_cur: size, rlim_max: size)
    return unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
  }
#endif

/// What happens to a recording whose file cannot be written any more. In processes of their own, because at worst they
/// are killed.
@Suite struct BrokenPipeTests {
  @Test func `A pipe without a reader is a failure of the recorder, not the end of the process (V3)`() async {
    await #expect(processExitsWith: .success) {
      let (path, reader) = makePipe()
      defer { unsafe unlink(path) }
      let store = addingStore()
      let recorder = try await store.record(with: codec, to: path)
      close(reader)
      await store.send(1).finish()
      #expect(recorder.failure is RecordingError)
      await store.send(2).finish()
      #expect(await store.state == 3)
    }
  }

  #if os(Linux)
    @Test func `A write to a broken pipe leaves no signal behind, and loses no earlier pending signal (V3)`() async {
      await #expect(processExitsWith: .success) {
        let (path, reader) = makePipe()
        defer { unsafe unlink(path) }
        let file = try RecordingFile(path: path)
        close(reader)
        blockBrokenPipe()
        #expect(throws: RecordingError.self) { try file.write([1]) }
        #expect(!isBrokenPipePending)
        // A signal that the program itself has raised stays pending.
        raise(SIGPIPE)
        #expect(throws: RecordingError.self) { try file.write([1]) }
        #expect(isBrokenPipePending)
      }
    }

    @Test func `A file that may not grow further is a failure of the recorder (V3)`() async {
      await #expect(processExitsWith: .success) {
        let path = temporaryPath()
        defer { unsafe unlink(path) }
        let store = addingStore()
        let recorder = try await store.record(with: codec, to: path)
        #expect(limitFiles(to: 200))
        for _ in 0..<20 { await store.send(1).finish() }
        #expect(recorder.failure is RecordingError)
        #expect(await store.state == 20)
      }
    }

    @Test func `The same in a thread that does not block the signal of such a file (V3)`() async {
      await #expect(processExitsWith: .success) {
        let path = temporaryPath()
        defer { unsafe unlink(path) }
        let file = try RecordingFile(path: path)
        unblockFileLimit()
        #expect(limitFiles(to: 0))
        #expect(throws: RecordingError.self) { try file.write([1]) }
      }
    }

    @Test func `A full disk is a failure of the recorder, with the reason (V3)`() throws {
      do {
        let file = try RecordingFile(path: "/dev/full")
        try file.write([1])
        Issue.record("nothing can be written to this device")
      } catch {
        #expect("\(error)".contains("No space left"), "\(error)")
      }
    }
  #endif
}
