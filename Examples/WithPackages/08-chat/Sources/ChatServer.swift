// This source file is part of swift-effects. License: Apache-2.0.

import FlyingFox
import FlyingSocks
import Foundation

/// A real server on a port of its own, which can be killed and started again.
actor ChatServer {
  nonisolated let room = Room()
  /// Not of the range from which the system gives ports to clients: while the server is down, nobody else gets this one.
  nonisolated let port: UInt16
  private var running: (server: HTTPServer, task: Task<Void, any Error>)?

  /// Starts one on a port that is free.
  static func start() async throws -> ChatServer {
    guard let port = (20_000..<32_000).shuffled().first(where: isFree) else { throw NotConnected() }
    let server = ChatServer(port: port)
    try await server.start()
    return server
  }

  private static func isFree(_ port: UInt16) -> Bool {
    guard let socket = try? Socket(domain: Int32(AF_INET)) else { return false }
    defer { try? socket.close() }
    return (try? socket.bind(to: .inet(ip4: "127.0.0.1", port: port))) != nil
  }

  private init(port: UInt16) {
    self.port = port
  }

  /// Returns when it listens.
  func start() async throws {
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled,
      handler: ClosureHTTPHandler { [room] request in
        let desk = Desk(room: room, number: request.query["after"].flatMap { Int($0) } ?? 0)
        return try await WebSocketHTTPHandler(handler: desk).handleRequest(request)
      })
    let task = Task { try await server.run() }
    running = (server, task)
    // Not within its five seconds: a machine that is busy may take longer.
    try await server.waitUntilListening(timeout: 60)
  }

  /// Ends it at once: whatever was on its way is lost, and nobody is told.
  func kill() async {
    await running?.server.stop()
    _ = await running?.task.result
    running = nil
  }
}

/// One connection: drafts come in, messages go out, one at a time and only as fast as the other side reads them.
private struct Desk: WSHandler {
  let room: Room
  let number: Int

  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    let visit = await room.enter(after: number)
    let reading = Task { [room] in
      defer { visit.end() }
      for try await frame in client where frame.opcode == .text {
        await room.accept(try JSONDecoder().decode(Draft.self, from: frame.payload))
      }
    }
    return AsyncStream {
      guard let message = await visit.next() else { return nil }
      return try? WSFrame(fin: true, opcode: .text, mask: nil, payload: JSONEncoder().encode(message))
    } onCancel: {
      reading.cancel()
    }
  }
}
