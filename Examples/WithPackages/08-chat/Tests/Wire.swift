// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import chat

/// The tests with sockets, one after another: the process of an exit test inherits the open sockets of all others, and would
/// keep their ports.
@Suite(.serialized, .timeLimit(.minutes(5))) enum Sockets {}

/// A connection whose bytes a test chooses.
struct Wire {
  private let channel: any Channel
  private let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

  /// Connects, and closes the connection behind the body.
  static func connect<Result: Sendable>(_ port: UInt16, _ body: (Wire) async throws -> Result) async throws -> Result {
    // The rest is sent although the server has closed its side, as an attacker does.
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(host: "127.0.0.1", port: Int(port)) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await body(Wire(channel: channel.channel, inbound: inbound, outbound: outbound))
    }
  }

  /// Connects as a WebSocket that has all messages up to a number.
  static func open<Result: Sendable>(
    _ port: UInt16, after number: Int = 0, _ body: (Wire) async throws -> Result
  ) async throws -> Result {
    try await connect(port) { wire in
      try await wire.send(request(port, "/?after=\(number)"))
      return try await body(wire)
    }
  }

  /// Sends bytes on a connection of their own, and reads until the server closes it. Returns the lines that begin an answer.
  static func answers(_ port: UInt16, _ text: String, then frame: [UInt8] = []) async throws -> [String] {
    try await connect(port) { wire in
      // The server may close the connection before it has read all.
      try? await wire.send(Array(text.utf8) + frame)
      return String(decoding: await wire.rest(), as: UTF8.self).matches(of: /HTTP\/1.1 (\d+)/).map { String($0.1) }
    }
  }

  /// A request as a client sends it.
  static func request(
    _ port: UInt16, _ path: String = "/?after=0", method: String = "GET", host: String? = nil, headers: [String] = [],
    version: Int = 13
  ) -> String {
    let lines =
      ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"]
      + ["Upgrade: websocket", "Connection: keep-alive, Upgrade"]
      + ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: \(version)"] + headers
    return lines.map { "\($0)\r\n" }.joined() + "\r\n"
  }

  /// A frame, with a mask of zeros.
  static func frame(_ first: UInt8, _ data: some Collection<UInt8>, isMasked: Bool = true) -> [UInt8] {
    let bit: UInt8 = isMasked ? 0x80 : 0
    let length: [UInt8] =
      switch data.count {
      case ..<126: [bit | UInt8(data.count)]
      case ...0xFFFF: [bit | 126] + bytes(data.count, 2)
      default: [bit | 127] + bytes(data.count, 8)
      }
    return [first] + length + (isMasked ? [0, 0, 0, 0] : []) + data
  }

  private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }
  }

  func send(_ text: String) async throws {
    try await outbound.write(ByteBuffer(string: text))
  }

  func send(_ bytes: [UInt8]) async throws {
    try await outbound.write(ByteBuffer(bytes: bytes))
  }

  /// Reads some bytes, and no more.
  func some() async throws {
    for try await _ in inbound { return }
  }

  /// All bytes until the server closes the connection.
  func rest() async -> [UInt8] {
    var bytes: [UInt8] = []
    do { for try await more in inbound { bytes += more.readableBytesView } } catch {}
    return bytes
  }

  /// The bytes behind the head of the answer, until the server closes the connection.
  func frames() async throws -> [UInt8] {
    let all = await rest()
    let head = try #require(all.firstRange(of: Array("\r\n\r\n".utf8)))
    return Array(all[head.upperBound...])
  }

  /// Closes the connection with a reset.
  func reset() async throws {
    try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    try? await channel.close()
  }
}

extension ChatServer {
  /// Starts a server, calls the body, and ends the server, whatever happens in the body.
  static func whileRunning(_ body: (ChatServer) async throws -> Void) async throws {
    let server = try await start()
    do {
      try await body(server)
      await server.kill()
    } catch {
      await server.kill()
      throw error
    }
  }

  /// Whether a new client can send a message, and read it.
  func answers() async throws {
    let socket = try await WebSocket.connect(to: port, path: "/?after=\(await room.messages.count)")
    let draft = Draft(id: UUID().uuidString, author: "eve", text: "hello")
    try await socket.write(JSONEncoder().encode(draft))
    while try await JSONDecoder().decode(Message.self, from: socket.read()).draft != draft {}
    socket.close()
    await socket.hasClosed()
  }
}
