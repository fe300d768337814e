// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// A file with text.
enum TextFile {
  /// What the file holds; `nil` if it cannot be read.
  static func read(_ path: String) -> String? {
    guard let file = PlatformFile(path, .reading) else { return nil }
    defer { file.close() }
    var bytes: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 4_096)
    while true {
      // SAFETY: the bytes of `page` are valid during the closure. `read` writes at most their count, and keeps no pointer.
      let count = unsafe page.withUnsafeMutableBytes { unsafe file.read($0) }
      guard count > 0 else { break }
      bytes += page[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
