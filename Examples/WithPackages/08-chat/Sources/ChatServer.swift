// This source file is part of swift-effects. License: Apache-2.0.

import FlyingFox
import FlyingSocks
import Foundation

/// A real server on its own port, which can be killed and started again.
actor ChatServer {
  nonisolated let room = Room()
  /// Outside the range of ports that the system gives to clients: while the server is down, no other process gets it.
  nonisolated let port: UInt16
  private var running: (server: HTTPServer, task: Task<Void, any Error>)?

  /// Starts a server on a free port.
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
    // Longer than the default of five seconds: a busy machine may take longer.
    try await server.waitUntilListening(timeout: 60)
  }

  /// Ends it at once: messages that are being sent are lost, without an error.
  func kill() async {
    await running?.server.stop()
    _ = await running?.task.result
    running = nil
  }
}

/// One connection: drafts come in, messages go out, one at a time and only as fast as the client reads them.
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
