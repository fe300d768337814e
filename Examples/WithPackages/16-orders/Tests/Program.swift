// This source file is part of swift-effects. License: Apache-2.0.

// On other systems the first argument of a test process is not the test bundle, and the program is not beside it.
#if os(Linux)
  import Foundation

  /// The program, in its own process.
  struct Program: ~Copyable {
    static let url = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
      path: "orders")

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()

    init(_ arguments: [String]) throws {
      process.executableURL = Self.url
      process.arguments = arguments
      process.standardInput = input
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    deinit {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// The folder of its server. Returns when its workers have started.
    func folder() async -> String {
      await elsewhere { [output] in
        var text = ""
        while !text.contains("\n"), case let data = output.fileHandleForReading.availableData, !data.isEmpty {
          text += String(decoding: data, as: UTF8.self)
        }
        return text.split(separator: " ").first { $0.hasPrefix("/tmp/") }.map(String.init) ?? ""
      }
    }

    /// The lines of its errors, and its exit status. Returns when everything that it has started has ended as well, except
    /// the server, because that has its errors too.
    func end() async -> (errors: [String], status: Int32) {
      await elsewhere { [process, errors] in
        let data = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        return (lines, process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
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
