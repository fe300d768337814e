// This source file is part of swift-effects. License: Apache-2.0.

/// The way to the server. At most one line is open at a time; lines are numbered, so that nobody reads what is another's.
protocol Link: Sendable {
  /// Opens a line in the place of the one there may be. On it comes all that the server has behind that number, and then
  /// whatever is new.
  func open(after number: Int) async throws -> Int
  /// The next message on this line. Nothing is read before it is asked for. Throws when the line is no more, or when the task
  /// is cancelled.
  func next(on line: Int) async throws -> Message
  /// Writes to the line that is open. That this returns does not mean that the server has read it.
  func post(_ draft: Draft) async throws
  /// Closes this line, if it is still open.
  func close(_ line: Int) async
}

/// There is no such line.
struct NotConnected: Error {}
