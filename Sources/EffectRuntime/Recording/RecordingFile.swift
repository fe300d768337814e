// This source file is part of swift-effects. License: Apache-2.0.

/// Where a recording is written. Tests have a disk of their own, which loses what was not synced.
///
/// - Isolation: ``sync()`` may be called on any thread, also during other calls. ``read()`` may, too, and then finds what
///   has been added so far. The other calls must not overlap.
protocol RecordingDisk: Sendable {
  /// Reads what has been written; `nil` if there is nothing.
  func read() throws -> [UInt8]?
  /// Replaces all that was written, and returns when the new content is on the disk. A process that ends at any moment
  /// leaves the former content or this one.
  func replace(_ bytes: [UInt8]) throws
  /// Adds to what was written, and returns when the bytes have been handed to the system.
  func append(_ bytes: [UInt8]) throws
  /// Returns when everything that was added before is on the disk. Does nothing after ``close()``.
  func sync() throws
  /// Ends this use, so that another object can use the same place. Called again, it does nothing.
  func close()
}

/// A recording in memory.
final class RecordingMemory: RecordingDisk {
  private let bytes = Lock<[UInt8]>([])

  func read() -> [UInt8]? { bytes.withLock { $0 } }
  func replace(_ content: [UInt8]) { bytes.withLock { $0 = content } }
  func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
  func sync() {}
  func close() {}
}

/// A recording in a file.
final class RecordingFile: RecordingDisk {
  /// How many copies of damaged files are kept. The first ones show how the damage began, so the last one is replaced.
  private static let copyLimit = 9

  private struct Open {
    /// The file at the path, claimed as well: so another object sees that it is used, also by a second name of the file
    /// or if the file with the ending `.lock` was removed. `nil` if there is none before the first checkpoint.
    var current: SystemFile?
    /// There was a checkpoint, so more can be added to `current`.
    var isBegun = false
    /// The file with the ending `.lock`.
    var claim: SystemFile

    func close() {
      current?.endClaim()
      current?.close()
      claim.endClaim()
      claim.close()
    }
  }

  /// Absolute and without symbolic links: each checkpoint renames a file to this path, which would replace a link.
  private let path: String
  /// `nil` when it has been closed.
  private let open: Lock<Open?>

  /// Claims the file, so that no other object, of this process or of another, can use it until ``close()``.
  ///
  /// - Throws: ``RecordingError/inUse(path:)``; ``RecordingError/unwritable(path:reason:)``.
  init(path: String) throws {
    // The system would read the path only up to that byte.
    guard !path.utf8.contains(0) else {
      throw RecordingError.unwritable(path: path, reason: "there is a zero byte in it")
    }
    let path = try Self.writing(path) { () throws(SystemError) in
      let resolved = try SystemFile.resolve(path)
      try SystemFile.refuseDevice(resolved)
      return resolved
    }
    self.path = path
    let lockPath = path + ".lock"
    let claim = try Self.writing(lockPath) { () throws(SystemError) in
      try SystemFile.refuseDevice(lockPath)
      return try SystemFile(lockPath, for: .claiming)
    }
    try Self.claim(claim, at: lockPath, of: path)
    do {
      open = Lock(Open(current: try Self.claimed(path), claim: claim))
    } catch {
      claim.endClaim()
      claim.close()
      throw error
    }
  }

  /// Claims a file, and closes it if that is not possible.
  private static func claim(_ file: SystemFile, at place: String, of path: String) throws {
    do throws(SystemError) { try file.claim() } catch {
      file.close()
      if error.isClaimed { throw RecordingError.inUse(path: path) }
      throw RecordingError.unwritable(path: place, reason: error.reason)
    }
  }

  /// The file that is there, claimed; `nil` if there is none that can be read.
  private static func claimed(_ path: String) throws -> SystemFile? {
    guard let file = try? SystemFile(path, for: .reading) else { return nil }
    try claim(file, at: path, of: path)
    // Another object has just replaced it by a checkpoint.
    guard file.isStill(at: path) else {
      file.endClaim()
      file.close()
      throw RecordingError.inUse(path: path)
    }
    return file
  }

  deinit { close() }

  func read() throws -> [UInt8]? { try FileBytes.readIfPresent(path) }

  /// Writes damaged content to another place, where no other copy is, and returns that place.
  func keepCopy(_ bytes: [UInt8]) throws -> String {
    func copy(_ number: Int) -> String { "\(path).damaged-\(number)" }
    for number in 1..<Self.copyLimit {
      let kept: [UInt8]?
      // A copy that cannot be read is not replaced.
      do { kept = try FileBytes.readIfPresent(copy(number)) } catch { continue }
      // The same damage is found again if the store could not be restored.
      if kept == bytes { return copy(number) }
      if kept == nil {
        try put(bytes, at: copy(number)).close()
        return copy(number)
      }
    }
    let last = copy(Self.copyLimit)
    try Self.writing(last) { () throws(SystemError) in try SystemFile.refuseDevice(last) }
    try put(bytes, at: last).close()
    return last
  }

  func replace(_ bytes: [UInt8]) throws {
    try checkPlace(of: open.withLock { $0?.current })
    let file = try put(bytes, at: path)
    let former = open.withLock { open in
      defer {
        open?.current = file
        open?.isBegun = true
      }
      return open?.current
    }
    former?.endClaim()
    former?.close()
  }

  func append(_ bytes: [UInt8]) throws {
    // Only `replace` and `close` close this file, and they are not called meanwhile.
    guard let file = open.withLock({ $0?.isBegun == true ? $0?.current : nil }) else { throw notBegun }
    try checkPlace(of: file)
    try Self.writing(path) { () throws(SystemError) in try file.write(bytes) }
  }

  /// Throws if what is written to the file would not be found at the path.
  private func checkPlace(of file: SystemFile?) throws {
    if let file, !file.isStill(at: path) {
      throw RecordingError.unwritable(path: path, reason: "it was removed, renamed or replaced while it was in use")
    }
  }

  func sync() throws {
    // The descriptor is duplicated, because `replace` or `close` may close it during the sync. The lock keeps it open until
    // then. What a replaced file contained is a part of the checkpoint, which was synced before it replaced the file.
    let copy = try Self.writing(path) { () throws(SystemError) in
      try open.withLock { open throws(SystemError) in try open?.current?.duplicate() }
    }
    guard let copy else { return }
    defer { copy.close() }
    try Self.writing(path) { () throws(SystemError) in try copy.sync() }
  }

  func close() {
    open.withLock { open in
      open?.close()
      open = nil
    }
  }

  private var notBegun: RecordingError { .unwritable(path: path, reason: "there is no checkpoint in it yet") }

  // MARK: - Files

  /// Writes a file beside the one of this path, and renames it when it is on the disk. Returns the open file, which has the
  /// permissions of the recording.
  private func put(_ bytes: [UInt8], at path: String) throws -> SystemFile {
    let next = path + ".new"
    let file = try Self.writing(next) { () throws(SystemError) in try SystemFile(next, replacing: self.path) }
    do {
      try Self.writing(next) { () throws(SystemError) in
        // Before another object can find it at the path.
        try file.claim()
        try file.write(bytes)
        try file.sync()
      }
      try Self.writing(path) { () throws(SystemError) in try SystemFile.rename(next, to: path) }
      try Self.syncFolder(of: path)
      return file
    } catch {
      file.endClaim()
      file.close()
      // On a full disk it would take room. If it was renamed, there is nothing of this name.
      _ = PlatformFile.remove(next)
      throw error
    }
  }

  /// Syncs the folder of a file, because a new name is on the disk only when its folder is.
  private static func syncFolder(of path: String) throws {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let folder = end == path.startIndex ? "/" : String(path[..<end])
    try writing(folder) { () throws(SystemError) in
      let file = try SystemFile(folder, for: .reading)
      defer { file.close() }
      try file.syncFolder()
    }
  }

  /// Calls the system. The error that it throws names the file that could not be written.
  private static func writing<Value>(_ path: String, _ call: () throws(SystemError) -> Value) throws -> Value {
    do throws(SystemError) { return try call() } catch {
      throw RecordingError.unwritable(path: path, reason: error.reason)
    }
  }
}
