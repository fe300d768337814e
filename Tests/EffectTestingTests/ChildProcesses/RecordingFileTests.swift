// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Testing

#if os(macOS) || os(Linux)
  /// The content of a recording after the process that writes it was killed.
  @Suite struct RecordingFileTests {
    @Test func `A process that is killed loses at most the line it was writing`() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for round in 1...3 {
        let file = folder.appending(path: "\(round)")
        let promised = try await recordUntilKilled(to: file, lines: round)
        let recording = try Recording(contentsOfFile: file.path)
        #expect(recording.steps.count >= promised)
        #expect(promised >= 100 * round)
        // Each line has the sum of all actions so far after the action.
        for (index, step) in recording.steps.enumerated() {
          #expect(step.action == Array("\(index + 1)".utf8))
          let isLast = index == recording.steps.count - 1
          #expect(step.state == Array("\((index + 1) * (index + 2) / 2)".utf8) || isLast && step.state == nil)
        }
        let lineCount = try Data(contentsOf: file).count { $0 == UInt8(ascii: "\n") }
        #expect(recording.damage == nil || recording.damage?.line == lineCount + 1)
      }
    }

    @Test func `A file that cannot be read or written is named, with the reason`() async throws {
      let missing = "no/such/file"
      #expect(throws: RecordingError.unreadable(path: missing, reason: "No such file or directory")) {
        try Recording(contentsOfFile: missing)
      }
      let store = Store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none })
      let codec = RecordingCodec<Int, Int>(
        encodeState: { _ in [] }, decodeState: { _ in 0 }, encodeAction: { _ in [] }, decodeAction: { _ in 0 })
      await #expect {
        try await store.record(with: codec, to: missing)
      } throws: {
        "\($0)" == "The recording no/such/file cannot be written: No such file or directory."
      }
      #expect {
        try Recording(contentsOfFile: "/")
      } throws: {
        "\($0)" == "The recording / cannot be read: it is a device, a pipe or a folder."
      }
    }

    /// Runs a recording in a child process until it has printed the given number of lines, then kills it. Returns how
    /// many actions it reported as recorded.
    private func recordUntilKilled(to file: URL, lines: Int) async throws -> Int {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = ["--testing-library", "swift-testing", "--filter", "RecordUntilKilled"]
      let settings = ["EFFECTS_FAIL_ON_PURPOSE": "1", "EFFECTS_RECORD_TO": file.path]
      process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = Pipe()
      try process.run()
      return await withCheckedContinuation { continuation in
        // Reading blocks the thread, which must not happen to the threads of the other tests.
        DispatchQueue.global().async {
          var text = ""
          var isKilled = false
          while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
            text += String(decoding: data, as: UTF8.self)
            guard !isKilled, text.split(separator: "\n").count(where: { $0.hasPrefix("recorded ") }) >= lines else {
              continue
            }
            kill(process.processIdentifier, SIGKILL)
            isKilled = true
          }
          process.waitUntilExit()
          let last = text.split(separator: "\n").last { $0.hasPrefix("recorded ") && text.contains("\($0)\n") }
          continuation.resume(returning: last.flatMap { Int($0.dropFirst(9)) } ?? 0)
        }
      }
    }
  }
#endif
