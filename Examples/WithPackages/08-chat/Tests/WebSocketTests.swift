// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import chat

extension Sockets {
  /// What a client must not be able to do with frames.
  @Suite struct `WebSockets of the chat` {
    private static let close: UInt8 = 0x88
    private static let draft = #"{"id":"x","author":"x","text":"x"}"#.utf8

    private static let bad: [(name: String, sent: [UInt8], code: Int)] = [
      ("not masked", Wire.frame(0x81, draft, isMasked: false), 1002),
      ("too large", Wire.frame(0x81, Array(repeating: 0x20, count: Limits.message + 1)), 1009),
      ("1 MB", Wire.frame(0x81, Array(repeating: 0x20, count: 1_000_000)), 1009),
      ("2^62 bytes", [0x81, 0xFF, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1009),
      ("negative length", [0x81, 0xFF] + Array(repeating: 0xFF, count: 12), 1009),
      (
        "too large in parts",
        Wire.frame(0x01, Array(repeating: 0x20, count: Limits.message)) + Wire.frame(0x80, [0x20]), 1009
      ),
      ("a part of nothing", Wire.frame(0x80, draft), 1002),
      ("a message within a message", Wire.frame(0x01, draft) + Wire.frame(0x81, draft), 1002),
      ("reserved bit", Wire.frame(0xC1, draft), 1002),
      ("unknown opcode", Wire.frame(0x83, draft), 1002),
      ("ping in parts", Wire.frame(0x09, []), 1002),
      ("long ping", Wire.frame(0x89, Array(repeating: 0, count: 126)), 1002),
      ("binary", Wire.frame(0x82, draft), 1003),
      ("no JSON", Wire.frame(0x81, "hello".utf8), 1007),
      ("no UTF-8", Wire.frame(0x81, [0xFF]), 1007),
      ("UTF-16", Wire.frame(0x81, draft.flatMap { [$0, 0] }), 1007),
      (
        "a message in many parts",
        Wire.frame(0x01, []) + (1...Limits.framesOfMessage).flatMap { _ in Wire.frame(0x00, []) }, 1008
      ),
      ("a code that must not be sent", Wire.frame(close, [0x03, 0xED]), 1002),
      ("half a code", Wire.frame(close, [0x03]), 1002),
      ("a reason that is no UTF-8", Wire.frame(close, [0x03, 0xE8, 0xFF]), 1007),
    ]

    @Test(arguments: bad.indices)
    func `A frame that is not allowed closes the connection with a code`(index: Int) async throws {
      let (name, sent, code) = Self.bad[index]
      try await ChatServer.whileRunning { server in
        try await Wire.open(server.port) { wire in
          try? await wire.send(sent + Wire.frame(0x81, Self.draft))
          let frames = try await wire.frames()
          #expect(frames == [Self.close, 2, UInt8(code >> 8), UInt8(code & 0xFF)], "\(name)")
        }
        #expect(await server.room.messages.isEmpty, "\(name)")
        try await server.answers()
      }
    }

    @Test func `A ping is answered by a pong, and a close by a close`() async throws {
      try await ChatServer.whileRunning { server in
        try await Wire.open(server.port) { wire in
          // Within a message in two parts.
          let parts = [Array(Self.draft.prefix(5)), Array(Self.draft.dropFirst(5))]
          try await wire.send(Wire.frame(0x01, parts[0]) + Wire.frame(0x89, "hello".utf8) + Wire.frame(0x80, parts[1]))
          _ = await server.room.enter(after: 0).next()
          try await wire.send(Wire.frame(Self.close, [0x03, 0xE8]))
          let frames = try await wire.frames()
          #expect(frames.starts(with: Wire.frame(0x8A, "hello".utf8, isMasked: false)))
          #expect(frames.suffix(4) == [Self.close, 2, 0x03, 0xE8])
        }
      }
    }

    @Test func `What was sent before the end of a connection is accepted`() async throws {
      try await ChatServer.whileRunning { server in
        for ending in [Wire.frame(Self.close, [0x03, 0xE8]), Wire.frame(0x82, [])] {
          let count = await server.room.messages.count
          let drafts = (1...50).map { #"{"id":"\#(count + $0)","author":"x","text":"x"}"# }
          try await Wire.open(server.port, after: count) { wire in
            try await wire.send(drafts.flatMap { Wire.frame(0x81, $0.utf8) } + ending)
            _ = await wire.rest()
          }
          try await server.answers()
          #expect(await server.room.messages.count == count + 51)
        }
      }
    }

    /// Small frames take the server the most time for a byte.
    @Test func `Clients that send many small frames do not hold up another one`() async throws {
      try await ChatServer.whileRunning { server in
        let flood = Array((0..<30_000).map { _ in Wire.frame(0x8A, []) }.joined())
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 1...10 {
            group.addTask {
              try await Wire.open(server.port) { wire in
                try await wire.send(flood + Wire.frame(0x81, Self.draft))
                _ = await wire.rest()
              }
            }
          }
          // Those that are open have sent as much as the server and the system keep.
          while await server.room.visits.count < 10 { await Task.yield() }
          try await server.answers()
          #expect(await !server.room.messages.contains { $0.draft.id == "x" })
          group.cancelAll()
        }
      }
    }

    @Test func `The longest message arrives, although its characters are escaped`() async throws {
      try await ChatServer.whileRunning { server in
        let empty = #"{"id":"x","author":"x","text":""}"#
        let text = String(repeating: "/", count: Limits.message - empty.utf8.count)
        let socket = try await WebSocket.connect(to: server.port, path: "/?after=0")
        try await socket.write(Data(empty.replacing(#""text":""#, with: #""text":""# + text).utf8))
        #expect(try await JSONDecoder().decode(Message.self, from: socket.read()).draft.text == text)
      }
    }

    @Test func `A cancelled read ends, and closes the connection`() async throws {
      try await ChatServer.whileRunning { server in
        let socket = try await WebSocket.connect(to: server.port, path: "/?after=0")
        let read = Task { try await socket.read() }
        read.cancel()
        await #expect(throws: WebSocket.Closed.self) { _ = try await read.value }
        await socket.hasClosed()
      }
    }
  }
}
