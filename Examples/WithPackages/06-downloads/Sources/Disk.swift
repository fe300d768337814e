// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// A new directory, which is removed when the closure that uses it returns.
struct Disk: Storage {
  let directory: URL

  static func whileMounted<Result>(_ body: (Disk) async throws -> Result) async throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appending(path: "downloads-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(Disk(directory: directory))
  }

  func count(_ name: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: url(name).path) else { return 0 }
    return try read(name).count
  }

  func write(_ name: String, _ position: Int, _ bytes: [UInt8]) throws {
    if !FileManager.default.fileExists(atPath: url(name).path) { try Data().write(to: url(name)) }
    let handle = try FileHandle(forWritingTo: url(name))
    try handle.seek(toOffset: UInt64(position))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(name)))
  }

  private func url(_ name: String) -> URL { directory.appending(path: name) }
}
