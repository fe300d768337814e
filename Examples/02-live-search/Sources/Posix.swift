// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An error of the operating system, in words.
struct PosixError: Error, Equatable, CustomStringConvertible {
  let description: String

  /// The error that has just happened, with what it happened to: `notes.txt: Permission denied`.
  init(_ subject: String, code: Int32 = errno) {
    description = unsafe "\(subject): \(String(cString: strerror(code)))"
  }
}

/// A file or directory that is open for reading, until its last reference is released.
final class OpenFile {
  let descriptor: Int32
  let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }
}

/// Identifies a file, whatever its path is.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// `nil` if there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// Writes all of a text to a descriptor, also after short writes and interruptions.
func write(_ text: String, to descriptor: Int32) throws {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { bytes in unsafe write(descriptor, bytes.baseAddress, bytes.count) }
    if count < 0, errno != EINTR { throw PosixError("output") }
    rest = rest.dropFirst(max(count, 0))
  }
}

/// Reports something to the user beside the results. If even that cannot be written, there is nowhere to report it.
func complain(_ message: String) {
  try? write("live-search: \(message)\n", to: STDERR_FILENO)
}
