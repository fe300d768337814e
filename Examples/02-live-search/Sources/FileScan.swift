// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Searches for a query in one file, one chunk at a time. How much memory it takes does not depend on the file.
///
/// A file is binary from its first zero byte on; there the scan ends.
final class FileScan {
  let file: OpenFile
  private let needle: Needle
  /// An unfinished line, then what was read after it. A read never fills the last byte: it can hold the final zero.
  private var buffer: [CChar]
  private var unfinished = 0
  private var lineNumber = 1
  /// Whether the line being read has been reported by an earlier chunk that could not hold all of it.
  private var isReported = false
  private var isAtEnd = false

  init(_ file: OpenFile, for needle: Needle, chunk: Int = 32 * 1024) {
    self.file = file
    self.needle = needle
    buffer = Array(repeating: 0, count: max(chunk, needle.count) + 1)
  }

  /// The matches of the next chunk; `nil` at the end of the file.
  func next() throws -> [Match]? {
    if isAtEnd { return nil }
    var matches: [Match] = []
    try unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      let room = unsafe start + unfinished
      let count = unsafe read(file.descriptor, room, buffer.count - 1 - unfinished)
      if count < 0 { throw PosixError(file.path) }
      isAtEnd = unsafe count == 0 || memchr(room, 0, count) != nil
      if isAtEnd, count > 0 { return }
      let isFull = unfinished + count == buffer.count - 1
      unsafe scan(start, to: room + count, isFull: isFull, &matches)
    }
    return matches
  }

  /// Searches whole lines and moves the unfinished last line to the front.
  private func scan(
    _ start: UnsafeMutablePointer<CChar>, to end: UnsafeMutablePointer<CChar>, isFull: Bool, _ matches: inout [Match]
  ) {
    var line = unsafe start
    while let newline = unsafe memchr(line, newlineByte, end - line)?.assumingMemoryBound(to: CChar.self) {
      unsafe examine(line, to: newline, &matches)
      isReported = false
      lineNumber += 1
      unsafe line = newline + 1
    }
    // A line that fills the buffer alone is searched in pieces, which overlap enough that no match falls between them.
    if unsafe isAtEnd || (isFull && line == start) {
      unsafe examine(line, to: end, &matches)
      unsafe line = max(line, end - max(0, needle.count - 1))
    }
    unfinished = unsafe end - line
    unsafe memmove(start, line, unfinished)
  }

  private func examine(
    _ line: UnsafeMutablePointer<CChar>, to end: UnsafeMutablePointer<CChar>, _ matches: inout [Match]
  ) {
    unsafe end.pointee = 0
    guard !isReported, let position = unsafe needle.position(in: line) else { return }
    isReported = true
    let bytes = unsafe UnsafeRawBufferPointer(start: line, count: end - line)
    unsafe matches.append(Match(file: file.path, line: lineNumber, text: excerpt(bytes, around: position)))
  }
}

private let newlineByte = Int32(UInt8(ascii: "\n"))

/// The line as text, or the part around the match if the line is very long.
private func excerpt(_ line: UnsafeRawBufferPointer, around position: Int) -> String {
  let limit = 1000
  guard line.count > limit else {
    let text = unsafe String(decoding: line, as: UTF8.self)
    return text.hasSuffix("\r") ? String(text.dropLast()) : text
  }
  let first = max(0, min(position - 40, line.count - limit))
  let text = unsafe String(decoding: line[first...].prefix(limit), as: UTF8.self)
  return (first > 0 ? "…" : "") + text + (first + limit < line.count ? "…" : "")
}
