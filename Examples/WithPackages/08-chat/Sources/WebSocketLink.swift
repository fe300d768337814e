// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// A link over WebSockets. The feature does not depend on it.
actor WebSocketLink: Link {
  private let port: UInt16
  private var opened = 0
  private var current: (line: Int, socket: WebSocket)?

  init(port: UInt16) {
    self.port = port
  }

  func open(after number: Int) async throws -> Int {
    let socket = try await WebSocket.connect(to: port, path: "/?after=\(number)")
    // A task that was cancelled meanwhile must not replace the next line.
    try Task.checkCancellation()
    opened += 1
    current = (opened, socket)
    return opened
  }

  func next(on line: Int) async throws -> Message {
    guard let current, current.line == line else { throw NotConnected() }
    return try JSONDecoder().decode(Message.self, from: await current.socket.read())
  }

  func post(_ draft: Draft) async throws {
    try Task.checkCancellation()
    guard let current else { throw NotConnected() }
    try await current.socket.write(JSONEncoder().encode(draft))
  }

  func close(_ line: Int) {
    guard let current, current.line == line else { return }
    current.socket.close()
    self.current = nil
  }
}
