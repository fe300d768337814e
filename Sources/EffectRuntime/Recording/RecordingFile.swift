// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file to which one recording is written, line by line.
///
/// Each line is handed to the system before the next action is reduced: a process that is killed loses at most the line it
/// was writing. (A machine that loses power may lose more; nothing is synced to the disk.)
///
/// - Isolation: usable from any thread; each line is written as a whole.
public final class RecordingFile: Sendable {
  /// Where it is.
  public let path: String
  private let descriptor: Int32
  private let isTaken = Atomic(false)

  /// Makes a file, or empties an existing one.
  ///
  /// - Throws: ``RecordingError/unwritable(path:reason:)``.
  public init(path: String) throws(RecordingError) {
    self.path = path
    // The system would read the path only up to that byte, and empty another file.
    guard !path.utf8.contains(0) else { throw .unwritable(path: path, reason: "there is a zero byte in it") }
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    self.descriptor = descriptor
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
    #endif
  }

  deinit { close(descriptor) }

  /// A second recording would make the first one unreadable.
  func claim() throws(RecordingError) {
    guard isTaken.exchange(true, ordering: .relaxed) else { return }
    throw .unwritable(path: path, reason: "there is a recording in it; make another RecordingFile")
  }

  /// Writes all bytes, however many calls of the system that takes.
  ///
  /// - Throws: ``RecordingError/unwritable(path:reason:)``, also where the system would end the process by a signal:
  ///   for a pipe that has no reader, or a file that has reached its size limit.
  func write(_ bytes: [UInt8]) throws(RecordingError) {
    #if canImport(Darwin)
      let reason = writeAll(bytes)
    #else
      let reason = SignalsOfWrites.withheld { writeAll(bytes) }
    #endif
    if let reason { throw Self.failure(path, reason) }
  }

  /// The error that has ended the writing; `nil` if everything was written.
  private func writeAll(_ bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let written = unsafe rest.withUnsafeBytes { unsafe Darwin.write(descriptor, $0.baseAddress, $0.count) }
      #elseif canImport(Glibc)
        let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      #else
        let written = unsafe rest.withUnsafeBytes { unsafe Musl.write(descriptor, $0.baseAddress, $0.count) }
      #endif
      if written < 0, errno == EINTR { continue }
      // Otherwise a device that takes nothing and reports no error would be written to for ever.
      guard written != 0 else { return EIO }
      guard written > 0 else { return errno }
      rest = rest.dropFirst(written)
    }
    return nil
  }

  private static func failure(_ path: String, _ error: Int32) -> RecordingError {
    .unwritable(path: path, reason: unsafe String(cString: strerror(error)))
  }
}

extension Recording {
  /// Reads a recording from a file, also from one that is still being written; see ``init(parsing:)``.
  ///
  /// - Isolation: blocks its thread while it reads.
  /// - Throws: ``RecordingError``: if the file cannot be read, or there is nothing in it that could be replayed.
  /// - Complexity: O(size).
  public init(contentsOfFile path: String) throws(RecordingError) {
    guard !path.utf8.contains(0) else { throw .unreadable(path: path, reason: "there is a zero byte in it") }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk: [UInt8] = Array(repeating: 0, count: 65_536)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(path) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    try self.init(parsing: bytes)
  }

  private static func failure(_ path: String) -> RecordingError {
    .unreadable(path: path, reason: unsafe String(cString: strerror(errno)))
  }
}
