// This source file is part of swift-effects. License: Apache-2.0.

// On other systems the first argument of a test process is not the test bundle, and the program is not beside it.
#if os(Linux)
  import Foundation

  /// The program, in its own process.
  struct Program: ~Copyable {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    init(_ arguments: [String] = []) throws {
      let tests = URL(fileURLWithPath: CommandLine.arguments[0])
      process.executableURL = tests.deletingLastPathComponent().appending(path: "link-check")
      process.arguments = arguments
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    deinit {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Ctrl-C.
    func interrupt() {
      kill(process.processIdentifier, SIGINT)
    }

    /// Returns when the program has printed that it stops.
    func isStopping() async {
      await elsewhere { [errors] in
        var text = ""
        while !text.contains("Ctrl-C"), case let data = errors.fileHandleForReading.availableData, !data.isEmpty {
          text += String(decoding: data, as: UTF8.self)
        }
      }
    }

    /// The lines that it has printed, and its exit status.
    func end() async -> (lines: [String], status: Int32) {
      await elsewhere { [process, output] in
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        return (lines, process.terminationStatus)
      }
    }

    /// Reading blocks, and the threads of the other tests must not block.
    private func elsewhere<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
      }
    }
  }
#endif
