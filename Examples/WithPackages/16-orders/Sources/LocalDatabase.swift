// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// A server of its own, in a new temporary folder.
struct LocalDatabase: Sendable {
  struct NotInstalled: Error, CustomStringConvertible {
    let description = "PostgreSQL is not installed; Debian's package is postgresql"
  }

  /// The folder with the socket.
  let folder: String

  /// The script beside the sources of this example.
  private static var script: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "server.sh")
      .path
  }

  static var isInstalled: Bool { (try? call("check", "")) != nil }

  /// A server for as long as a closure runs.
  static func whileRunning<Result>(_ body: (LocalDatabase) async throws -> Result) async throws -> Result {
    removeLeftovers()
    let server = LocalDatabase(folder: try claimedFolder().path)
    defer { try? call("stop", server.folder) }
    try server.start()
    try Task.checkCancellation()
    return try await body(server)
  }

  /// Starts the server, also again.
  func start() throws { try Self.call("start", folder) }

  /// Ends the server, and keeps what it has stored.
  func halt() throws { try Self.call("halt", folder) }

  /// Ends the servers of runs that were killed, and removes their folders. No process has the lock of such a folder.
  static func removeLeftovers() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? [] where name.hasPrefix("orders-") {
      let file = unsafe open("/tmp/\(name)/owner", O_RDWR | O_CLOEXEC)
      if file < 0 { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { try? call("stop", "/tmp/\(name)") }
      close(file)
    }
  }

  /// A new folder with a file that is locked until this process ends, in whatever way.
  private static func claimedFolder() throws -> URL {
    // Short, because the path of a socket has at most 107 bytes.
    let name = "orders-\(getpid())-\(UInt16.random(in: 0...UInt16.max))"
    // Others see the folder only when it is locked.
    let hidden = URL(fileURLWithPath: "/tmp/.\(name)")
    let folder = URL(fileURLWithPath: "/tmp/\(name)")
    try FileManager.default.createDirectory(at: hidden, withIntermediateDirectories: false)
    let file = unsafe open(hidden.path + "/owner", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(description: "cannot lock \(hidden.path)/owner")
    }
    try FileManager.default.moveItem(at: hidden, to: folder)
    return folder
  }

  private static func call(_ command: String, _ folder: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", script, command, folder]
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus == 3 { throw NotInstalled() }
    if process.terminationStatus != 0 { throw Failure(description: "server.sh \(command) has failed") }
  }
}
