// This source file is part of swift-effects. License: Apache-2.0.

/// Reads whole files.
enum FileBytes {
  /// Reads a whole file.
  static func read(_ path: String) throws(RecordingError) -> [UInt8] {
    try readAll(path).orThrow(path)
  }

  /// Reads a whole file; `nil` if there is none.
  static func readIfPresent(_ path: String) throws(RecordingError) -> [UInt8]? {
    let content = try readAll(path)
    if case .failure(let error) = content, error.isMissing { return nil }
    return try content.orThrow(path)
  }

  private static func readAll(_ path: String) throws(RecordingError) -> Result<[UInt8], SystemError> {
    // The system would read the path only up to that byte.
    guard !path.utf8.contains(0) else { throw .unreadable(path: path, reason: "there is a zero byte in it") }
    return Result { () throws(SystemError) in
      // To read a pipe or a device may never end.
      try SystemFile.refuseDevice(path)
      let file = try SystemFile(path, for: .reading)
      defer { file.close() }
      var bytes: [UInt8] = []
      var page: [UInt8] = Array(repeating: 0, count: 65_536)
      while true {
        let count = try file.read(into: &page)
        if count == 0 { return bytes }
        bytes += page[..<count]
      }
    }
  }
}

extension Result where Success == [UInt8], Failure == SystemError {
  fileprivate func orThrow(_ path: String) throws(RecordingError) -> [UInt8] {
    switch self {
    case .success(let bytes): return bytes
    case .failure(let error): throw .unreadable(path: path, reason: error.reason)
    }
  }
}
