// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// A service outside of the database. It keeps every call, a line with its key, and so knows which keys it has seen before.
struct CallLog: Sendable {
  private let file: Int32

  init(path: String) throws {
    file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    if file < 0 { throw Failure(description: "cannot open \(path)") }
  }

  /// One `write` to a file that is only appended to: lines of several processes do not mix.
  func call(key: Int, from worker: String) throws {
    let line = Array("\(key) \(worker)\n".utf8)
    guard unsafe write(file, line, line.count) == line.count else {
      throw Failure(description: "a call was not written")
    }
  }

  /// The keys of all calls.
  static func keys(path: String) throws -> [Int] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
  }
}
