// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// A server for as long as a closure runs, in a new temporary folder.
enum LocalDatabase {
  struct NotInstalled: Error {}

  /// The script beside the sources of this example.
  private static var script: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "server.sh")
      .path
  }

  static var isInstalled: Bool { (try? call("check", "")) != nil }

  static func whileRunning<Result>(_ body: (_ folder: String) async throws -> Result) async throws -> Result {
    // Short, because the path of a socket has at most 107 bytes.
    let folder = "/tmp/orders-\(getpid())-\(UInt16.random(in: 0...UInt16.max))"
    try call("start", folder)
    do {
      let result = try await body(folder)
      try call("stop", folder)
      return result
    } catch {
      try call("stop", folder)
      throw error
    }
  }

  private static func call(_ command: String, _ folder: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", script, command, folder]
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus == 3 { throw NotInstalled() }
    if process.terminationStatus != 0 { throw DatabaseError(description: "server.sh \(command) has failed") }
  }
}
