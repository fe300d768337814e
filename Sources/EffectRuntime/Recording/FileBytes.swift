// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Calls of the system that open files, and read and write whole arrays of bytes.
enum FileBytes {
  /// Opens a file that child processes do not inherit. Returns its descriptor, or less than 0 with an error in `errno`.
  static func open(_ path: String, _ flags: Int32) -> Int32 { libraryOpen(path, flags | O_CLOEXEC) }

  /// Writes all bytes, however many calls of the system that takes.
  ///
  /// - Returns: the error that has ended the writing, also where the system would end the process by a signal: for a pipe
  ///   that has no reader, or a file that has reached its size limit. `nil` if everything was written.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    #if canImport(Darwin)
      writeAll(bytes, to: descriptor)
    #else
      SignalsOfWrites.withheld { writeAll(bytes, to: descriptor) }
    #endif
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { unsafe libraryWrite(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      // Otherwise a device that takes nothing and reports no error would be written to for ever.
      guard written != 0 else { return EIO }
      guard written > 0 else { return errno }
      rest = rest.dropFirst(written)
    }
    return nil
  }

  /// Reads a whole file.
  static func read(_ path: String) throws(RecordingError) -> [UInt8] {
    guard let bytes = try readIfPresent(path) else {
      throw .unreadable(path: path, reason: reason(ENOENT))
    }
    return bytes
  }

  /// Reads a whole file; `nil` if there is none.
  static func readIfPresent(_ path: String) throws(RecordingError) -> [UInt8]? {
    // The system would read the path only up to that byte.
    guard !path.utf8.contains(0) else { throw .unreadable(path: path, reason: "there is a zero byte in it") }
    let descriptor = open(path, O_RDONLY)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason(errno)) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk: [UInt8] = Array(repeating: 0, count: 65_536)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe libraryRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, reason: reason(errno)) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// The system's text for an error.
  static func reason(_ error: Int32) -> String { unsafe String(cString: strerror(error)) }
}

// Inside of a type, its own methods hide the functions of the library.
private func libraryOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags, 0o644) }
