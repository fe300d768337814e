// This source file is part of swift-effects. License: Apache-2.0.

/// Where a journal is kept. Tests have a disk of their own, which loses what was not synced.
///
/// - Isolation: ``sync()`` may be called on any thread, also during other calls. The other calls must not overlap.
protocol JournalDisk: Sendable {
  /// Reads the journal; `nil` if there is none.
  func read() throws -> [UInt8]?
  /// Writes a damaged journal to another place, and returns that place.
  func keepCopy(_ bytes: [UInt8]) throws -> String
  /// Replaces the journal, and returns when the new one is on the disk. A process that ends at any moment leaves the former
  /// journal or this one.
  func replace(_ bytes: [UInt8]) throws
  /// Adds to the journal, and returns when the bytes have been handed to the system.
  func append(_ bytes: [UInt8]) throws
  /// Returns when everything that was added before is on the disk.
  func sync() throws
}

/// A journal in a file.
final class JournalFile: JournalDisk {
  private let path: String
  /// The open file to which the journal is written; `nil` before the first checkpoint.
  private let current = Lock<SystemFile?>(nil)
  /// The file with the ending `.lock`; claimed as long as this object exists.
  private let claim: SystemFile

  /// Claims the file, so that no other object, of this process or of another, can use it.
  ///
  /// - Throws: ``JournalError/inUse(path:)``; ``RecordingError/unwritable(path:reason:)``.
  init(path: String) throws {
    // The system would read the path only up to that byte.
    guard !path.utf8.contains(0) else {
      throw RecordingError.unwritable(path: path, reason: "there is a zero byte in it")
    }
    let path = try Self.absolute(path)
    self.path = path
    let lockPath = path + ".lock"
    let claim = try Self.writing(lockPath) { () throws(SystemError) in try SystemFile(lockPath, for: .claiming) }
    do throws(SystemError) { try claim.claim() } catch {
      claim.close()
      if error.isClaimed { throw JournalError.inUse(path: path) }
      throw RecordingError.unwritable(path: lockPath, reason: error.reason)
    }
    self.claim = claim
  }

  deinit {
    current.withLock { $0 }?.close()
    claim.close()
  }

  func read() throws -> [UInt8]? { try FileBytes.readIfPresent(path) }

  func keepCopy(_ bytes: [UInt8]) throws -> String {
    let copy = path + ".damaged"
    try put(bytes, at: copy).close()
    return copy
  }

  func replace(_ bytes: [UInt8]) throws {
    let file = try put(bytes, at: path)
    let former = current.withLock { current in
      defer { current = file }
      return current
    }
    former?.close()
  }

  func append(_ bytes: [UInt8]) throws {
    // Only `replace` closes this file, and it is not called meanwhile.
    guard let file = current.withLock({ $0 }) else { throw notBegun }
    try Self.writing(path) { () throws(SystemError) in try file.write(bytes) }
  }

  func sync() throws {
    // The descriptor is duplicated, because `replace` may close it during the sync. The lock keeps it open until then.
    // What a replaced file contained is a part of the checkpoint, which was synced before it replaced the file.
    let copy = try Self.writing(path) { () throws(SystemError) in
      try current.withLock { file throws(SystemError) in try file?.duplicate() }
    }
    guard let copy else { throw notBegun }
    defer { copy.close() }
    try Self.writing(path) { () throws(SystemError) in try copy.sync() }
  }

  private var notBegun: RecordingError { .unwritable(path: path, reason: "there is no checkpoint in it yet") }

  // MARK: - Files

  /// Writes a file beside the one of this path, and renames it when it is on the disk. Returns the open file.
  private func put(_ bytes: [UInt8], at path: String) throws -> SystemFile {
    let next = path + ".new"
    let file = try Self.writing(next) { () throws(SystemError) in try SystemFile(next, for: .appending) }
    do {
      try Self.writing(next) { () throws(SystemError) in
        try file.write(bytes)
        try file.sync()
      }
      try Self.writing(path) { () throws(SystemError) in try SystemFile.rename(next, to: path) }
      try Self.syncFolder(of: path)
      return file
    } catch {
      file.close()
      throw error
    }
  }

  /// Syncs the folder of a file, because a new name is on the disk only when its folder is.
  private static func syncFolder(of path: String) throws {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = end == path.startIndex ? "/" : String(path[..<end])
    try writing(folder) { () throws(SystemError) in
      let file = try SystemFile(folder, for: .reading)
      defer { file.close() }
      try file.syncFolder()
    }
  }

  /// The absolute path. The process may change its current folder later, and each checkpoint opens the file by its path.
  private static func absolute(_ path: String) throws -> String {
    if path.hasPrefix("/") { return path }
    return try writing(path) { () throws(SystemError) in "\(try SystemFile.currentFolder())/\(path)" }
  }

  /// Calls the system. The error that it throws names the file that could not be written.
  private static func writing<Value>(_ path: String, _ call: () throws(SystemError) -> Value) throws -> Value {
    do throws(SystemError) { return try call() } catch {
      throw RecordingError.unwritable(path: path, reason: error.reason)
    }
  }
}
