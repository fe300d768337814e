// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

extension Services {
  /// A server and a file. The file is what is called outside of the database: a line for each call, with its key.
  static func live(folder: String, worker: String, calls: String, lease: Duration) throws -> Services {
    let taking = try Connection(folder: folder)
    let listening = try Connection(folder: folder)
    let finishing = try (0..<4).map { _ in try Connection(folder: folder) }
    let outside = try CallLog(path: calls)
    return Services(
      take: { try await Database.take($0, worker, lease, taking) },
      renew: { try await Database.renew($0, lease, taking) },
      call: { try outside.call(key: $0, from: worker) },
      finish: { try await Database.finish($0, worker, finishing[$0.id % finishing.count]) },
      news: { try await listening.notifications(of: "orders") })
  }
}

/// A service outside of the database. It keeps every call, and so knows which keys it has seen before.
struct CallLog: Sendable {
  private let file: Int32

  init(path: String) throws {
    file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    if file < 0 { throw DatabaseError(description: "cannot open \(path)") }
  }

  /// One `write` to a file that is only appended to: lines of several processes do not mix.
  func call(key: Int, from worker: String) throws {
    let line = Array("\(key) \(worker)\n".utf8)
    guard unsafe write(file, line, line.count) == line.count else {
      throw DatabaseError(description: "a call was not written")
    }
  }

  /// The keys of all calls.
  static func keys(path: String) throws -> [Int] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
  }
}
