// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file with text.
enum TextFile {
  /// What the file holds; `nil` if it cannot be read.
  static func read(_ path: String) -> String? {
    let file = unsafe open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { _ = close(file) }
    var bytes: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe page.withUnsafeMutableBytes { unsafe next(file, $0) }
      guard count > 0 else { break }
      bytes += page[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func next(_ file: Int32, _ page: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.read(file, page.baseAddress, page.count)
    #elseif canImport(Musl)
      unsafe Musl.read(file, page.baseAddress, page.count)
    #elseif canImport(Darwin)
      unsafe Darwin.read(file, page.baseAddress, page.count)
    #endif
  }
}
