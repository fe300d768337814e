// This source file is part of swift-effects. License: Apache-2.0.

/// A file to which one recording is written, line by line.
///
/// Each line is handed to the system before the next action is reduced: a process that is killed loses at most the line it
/// was writing. Nothing is synced to the disk: a power failure may lose more.
///
/// - Isolation: usable from any thread; each line is written as a whole.
final class RecordingFile: Sendable {
  private let path: String
  private let file: SystemFile

  /// Makes a file, or empties an existing one. No other recording can be written to it until this object is released.
  ///
  /// - Parameter path: where the file is. Its folder must exist. A path with a zero byte is refused.
  /// - Throws: ``RecordingError/unwritable(path:reason:)``.
  init(path: String) throws(RecordingError) {
    self.path = path
    // The system would read the path only up to that byte, and empty another file.
    guard !path.utf8.contains(0) else { throw .unwritable(path: path, reason: "there is a zero byte in it") }
    do throws(SystemError) {
      file = try SystemFile(path, for: .appending)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
    do throws(SystemError) {
      // Before the file is emptied: two recordings in one file could not be read.
      try file.claim()
      try file.empty()
    } catch {
      file.endClaim()
      file.close()
      throw .unwritable(
        path: path,
        reason: error.isClaimed
          ? "another recording is written to it, until its `StoreRecorder` is released; use another path" : error.reason
      )
    }
  }

  deinit {
    file.endClaim()
    file.close()
  }

  /// Writes all bytes, by as many calls of the system as needed.
  ///
  /// - Throws: ``RecordingError/unwritable(path:reason:)``, also where the system would end the process by a signal:
  ///   for a pipe that has no reader, and, except on Darwin, for a file that has reached its size limit.
  func write(_ bytes: [UInt8]) throws(RecordingError) {
    do throws(SystemError) { try file.write(bytes) } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }
}

extension Recording {
  /// Reads a recording from a file, also from one that is still being written; see ``init(parsing:)``.
  ///
  /// - Parameter path: where the file is.
  /// - Isolation: blocks its thread while it reads.
  /// - Throws: ``RecordingError/unreadable(path:reason:)``, and what ``init(parsing:)`` throws.
  /// - Complexity: O(size).
  public init(contentsOfFile path: String) throws(RecordingError) {
    try self.init(parsing: FileBytes.read(path))
  }
}
