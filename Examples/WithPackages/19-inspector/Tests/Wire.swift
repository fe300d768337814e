// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Inspector
import NIOCore
import NIOPosix
import Testing

/// A connection whose bytes a test chooses.
enum Wire {
  /// Connects, and closes the connection behind the body.
  static func connect<Result: Sendable>(
    _ inspector: Inspector, _ body: (inout Reader, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws -> Result
  ) async throws -> Result {
    // The rest is sent although the server has closed its side, as an attacker does.
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(host: "127.0.0.1", port: try #require(inspector.url.port)) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var reader = Reader(inbound.makeAsyncIterator())
      return try await body(&reader, outbound)
    }
  }

  /// Sends bytes on a connection of their own, and reads until the server closes it.
  static func exchange(_ inspector: Inspector, _ request: String) async throws -> [Answer] {
    try await connect(inspector) { reader, outbound in
      try await outbound.write(ByteBuffer(string: request))
      return try await reader.all()
    }
  }

  /// A request with the headers that the page sends.
  static func request(
    _ inspector: Inspector, _ method: String, _ target: String, _ headers: [String] = [], body: String = ""
  ) -> String {
    let type = method == "POST" ? ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] : []
    let lines =
      ["\(method) \(inspector.url.path(percentEncoded: true))\(target) HTTP/1.1"]
      + ["Host: 127.0.0.1:\(inspector.url.port ?? 0)"] + type + headers
    return lines.map { "\($0)\r\n" }.joined() + "\r\n" + body
  }

  /// An answer of the server.
  struct Answer: Equatable {
    let status: Int
    let body: String
  }

  /// Reads answers that say their length.
  struct Reader {
    private var bytes: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var text = ""

    init(_ bytes: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) {
      self.bytes = bytes
    }

    /// All answers until the server closes the connection.
    mutating func all() async throws -> [Answer] {
      var answers: [Answer] = []
      while let answer = try await next() { answers.append(answer) }
      return answers
    }

    /// The next answer; `nil` if the server has closed the connection.
    mutating func next() async throws -> Answer? {
      while true {
        if let answer = takeAnswer() { return answer }
        guard let more = try await bytes.next(isolation: #isolation) else {
          #expect(text.isEmpty)
          return nil
        }
        text += String(buffer: more)
      }
    }

    /// The next bytes, whatever they are.
    mutating func some() async throws -> String? {
      try await bytes.next(isolation: #isolation).map { String(buffer: $0) }
    }

    private mutating func takeAnswer() -> Answer? {
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2,
        let length = parts[0].firstMatch(of: /(?i)content-length: (\d+)/).flatMap({ Int($0.1) }),
        let status = parts[0].firstMatch(of: /HTTP\/1.1 (\d+)/).flatMap({ Int($0.1) }), parts[1].utf8.count >= length
      else { return nil }
      let body = String(decoding: parts[1].utf8.prefix(length), as: UTF8.self)
      text = String(decoding: parts[1].utf8.dropFirst(length), as: UTF8.self)
      return Answer(status: status, body: body)
    }
  }
}
