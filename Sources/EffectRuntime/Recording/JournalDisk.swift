// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Where a journal is kept. Tests have a disk of their own, which loses what was not synced.
///
/// - Isolation: ``sync()`` may be called on any thread, at the same time as the others; the others one after another.
protocol JournalDisk: Sendable {
  /// Reads the journal; `nil` if there is none.
  func read() throws -> [UInt8]?
  /// Writes a damaged journal to another place, and returns that place.
  func keepCopy(_ bytes: [UInt8]) throws -> String
  /// Replaces the journal. A process that ends at any moment leaves the former journal or this one. On the disk when it
  /// returns.
  func replace(_ bytes: [UInt8]) throws
  /// Adds to the journal; handed to the system when it returns.
  func append(_ bytes: [UInt8]) throws
  /// Returns when everything that was added before is on the disk.
  func sync() throws
}

/// A journal in a file.
final class JournalFile: JournalDisk {
  private let path: String
  /// The open file to which the journal is written; -1 before the first checkpoint.
  private let current = Lock<Int32>(-1)
  /// Locked as long as this object exists.
  private let claim: Int32

  /// Claims the file: for this object, in this process.
  init(path: String) throws {
    // The system would read the path only up to that byte.
    guard !path.utf8.contains(0) else {
      throw RecordingError.unwritable(path: path, reason: "there is a zero byte in it")
    }
    let path = try Self.absolute(path)
    self.path = path
    let lockPath = path + ".lock"
    let claim = FileBytes.open(lockPath, O_RDWR | O_CREAT)
    guard claim >= 0 else { throw Self.unwritable(lockPath) }
    guard flock(claim, LOCK_EX | LOCK_NB) == 0 else {
      let error = errno
      close(claim)
      if error == EWOULDBLOCK { throw JournalError.inUse(path: path) }
      throw RecordingError.unwritable(path: lockPath, reason: FileBytes.reason(error))
    }
    self.claim = claim
  }

  deinit {
    let descriptor = current.withLock { $0 }
    if descriptor >= 0 { close(descriptor) }
    close(claim)
  }

  func read() throws -> [UInt8]? { try FileBytes.readIfPresent(path) }

  func keepCopy(_ bytes: [UInt8]) throws -> String {
    let copy = path + ".damaged"
    close(try put(bytes, at: copy))
    return copy
  }

  func replace(_ bytes: [UInt8]) throws {
    let descriptor = try put(bytes, at: path)
    let former = current.withLock { current in
      defer { current = descriptor }
      return current
    }
    if former >= 0 { close(former) }
  }

  func append(_ bytes: [UInt8]) throws {
    // Only `replace` changes it, which is not called meanwhile.
    let descriptor = current.withLock { $0 }
    if let error = FileBytes.write(bytes, to: descriptor) {
      throw RecordingError.unwritable(path: path, reason: FileBytes.reason(error))
    }
  }

  func sync() throws {
    // A descriptor of its own, because `replace` may close the other one meanwhile. What that file contained is then a
    // part of the checkpoint, which is synced before it replaces the file.
    let descriptor = current.withLock { fcntl($0, F_DUPFD_CLOEXEC, 0) }
    guard descriptor >= 0 else { throw Self.unwritable(path) }
    defer { close(descriptor) }
    try Self.flush(descriptor, path)
  }

  // MARK: - Files

  /// Writes a file beside the one of this path, and renames it when it is on the disk. Returns the open file.
  private func put(_ bytes: [UInt8], at path: String) throws -> Int32 {
    let next = path + ".new"
    let descriptor = FileBytes.open(next, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
    guard descriptor >= 0 else { throw Self.unwritable(next) }
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
    #endif
    do {
      if let error = FileBytes.write(bytes, to: descriptor) {
        throw RecordingError.unwritable(path: next, reason: FileBytes.reason(error))
      }
      try Self.flush(descriptor, next)
      guard unsafe rename(next, path) == 0 else { throw Self.unwritable(path) }
      try Self.flushFolder(of: path)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func flush(_ descriptor: Int32, _ path: String, isFolder: Bool = false) throws {
    #if canImport(Darwin)
      // `fsync` leaves the data in the cache of the drive there; some file systems know only `fsync`.
      while true {
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        if errno != EINTR { break }
      }
    #endif
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // Some file systems cannot sync a folder, and say so by this error.
      if isFolder, errno == EINVAL { return }
      throw unwritable(path)
    }
  }

  /// The name of a file is on the disk when its folder is.
  private static func flushFolder(of path: String) throws {
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = FileBytes.open(folder, O_RDONLY)
    guard descriptor >= 0 else { throw unwritable(folder) }
    defer { close(descriptor) }
    try flush(descriptor, folder, isFolder: true)
  }

  /// The path from the root: the process may change its folder, and a checkpoint opens the file by its path.
  private static func absolute(_ path: String) throws -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = unsafe getcwd(nil, 0) else { throw unwritable(path) }
    defer { unsafe free(folder) }
    return unsafe "\(String(cString: folder))/\(path)"
  }

  private static func unwritable(_ path: String) -> RecordingError {
    .unwritable(path: path, reason: FileBytes.reason(errno))
  }
}
