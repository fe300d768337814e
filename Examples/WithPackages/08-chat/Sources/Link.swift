// This source file is part of swift-effects. License: Apache-2.0.

/// The connection to the server. At most one line is open at a time; lines have numbers, so no task reads another line.
protocol Link: Sendable {
  /// Opens a line, which replaces an open one. The server sends all messages after that number on it, and then all new
  /// ones.
  func open(after number: Int) async throws -> Int
  /// The next message on this line. Nothing is read before it is requested. Throws when the line has ended, or when the
  /// task is cancelled.
  func next(on line: Int) async throws -> Message
  /// Writes to the open line. When this returns, the server may not have read it yet.
  func post(_ draft: Draft) async throws
  /// Closes this line, if it is still open.
  func close(_ line: Int) async
}

/// There is no such line.
struct NotConnected: Error {}
