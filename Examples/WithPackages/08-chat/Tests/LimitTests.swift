// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import NIOWebSocket
import Testing

@testable import chat

extension Sockets {
  /// What one client may use at most.
  @Suite struct `The limits of the chat` {
    @Test func `A head may be as long as the limit, and no byte longer`() async throws {
      try await ChatServer.whileRunning { server in
        let port = server.port
        let length = Wire.request(port, headers: ["X: "]).utf8.count
        for (extra, status) in [(0, "101"), (1, "431")] {
          let field = "X: " + String(repeating: "x", count: Limits.head - length + extra)
          let answers = try await Wire.answers(port, Wire.request(port, headers: [field]), then: Wire.frame(0x88, []))
          #expect(answers == [status])
        }
      }
    }

    @Test func `A hundred lines without an end are refused, and the others go on`() async throws {
      try await ChatServer.whileRunning { server in
        let line = "GET /" + String(repeating: "a", count: 1_000_000)
        let statuses = try await withThrowingTaskGroup(of: [String].self) { group in
          for _ in 1...100 { group.addTask { try await Wire.answers(server.port, line) } }
          for _ in 1...20 { try await server.answers() }
          return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(statuses == Array(repeating: "431", count: 100))
      }
    }

    @Test func `Each connection above the limit is refused, until another is closed`() async throws {
      try await ChatServer.whileRunning { server in
        var sockets: [WebSocket] = []
        for _ in 1...Limits.sockets {
          sockets.append(try await WebSocket.connect(to: server.port, path: "/?after=0"))
        }
        #expect(try await Wire.answers(server.port, Wire.request(server.port)) == ["503"])
        await #expect(throws: WebSocket.Closed.self) {
          _ = try await WebSocket.connect(to: server.port, path: "/?after=0")
        }
        try await sockets[0].write(.init("no JSON".utf8))
        await #expect(throws: WebSocket.Closed.self) { _ = try await sockets[0].read() }
        await sockets[0].hasClosed()
        try await server.answers()
      }
    }

    @Test func `Connections with half a request keep out no other`() async throws {
      try await ChatServer.whileRunning { server in
        var connections: [any Channel] = []
        for half in ["", "GET /?after=0 HTTP/1.1\r\nHost: "] {
          for _ in 1...3 * Limits.connections {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
              .connect(host: "127.0.0.1", port: Int(server.port)).get()
            channel.writeAndFlush(ByteBuffer(string: half), promise: nil)
            connections.append(channel)
          }
          try await server.answers()
        }
        for connection in connections { connection.close(promise: nil) }
      }
    }

    @Test func `A client that is silent is asked, and closed if it does not answer`() throws {
      let channel = EmbeddedChannel()
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try channel.pipeline.syncOperations.addHandler(WebSocketFrames(.server, on: channel.eventLoop))
      func isAsked(within seconds: Int64) throws -> Bool {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
        return try channel.readOutbound(as: WebSocketFrame.self)?.opcode == .ping
      }
      for _ in 1...3 {
        #expect(try isAsked(within: 2 * Limits.idleSeconds))
        let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: ByteBuffer())
        try channel.writeInbound(pong)
      }
      #expect(try isAsked(within: 2 * Limits.idleSeconds))
      #expect(try !isAsked(within: Limits.idleSeconds - 1) && channel.isActive)
      #expect(try !isAsked(within: 1) && !channel.isActive)
    }

    @Test func `A connection that does not send its request in time is closed`() throws {
      let channel = EmbeddedChannel()
      try channel.pipeline.syncOperations.addHandler(Handshake(port: 1, hasRoom: { true }) { _, _ in })
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      for second in 1...Limits.handshakeSeconds {
        #expect(channel.isActive, "\(second)")
        try channel.writeInbound(ByteBuffer(string: second == 1 ? "GET / HTTP/1.1\r\n" : "X: \(second)\r\n"))
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      }
      #expect(!channel.isActive)
    }

    @Test func `A refused client that does not close its side is closed`() throws {
      let channel = EmbeddedChannel()
      try channel.pipeline.syncOperations.addHandler(Handshake(port: 1, hasRoom: { true }) { _, _ in })
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try channel.writeInbound(ByteBuffer(string: "nonsense\r\n\r\n"))
      channel.embeddedEventLoop.advanceTime(by: .seconds(Limits.lingerSeconds))
      #expect(!channel.isActive)
    }
  }
}
