// This source file is part of swift-effects. License: Apache-2.0.

import AsyncHTTPClient
import GatewayCore
import NIOCore
import NIOPosix
import Testing

/// A service that answers with any bytes, also wrong ones, and then closes the connection.
enum RawUpstream {
  static func run<Value: Sendable>(
    _ answer: @escaping @Sendable (_ head: String) -> String,
    _ body: @Sendable (UpstreamClient) async throws -> Value
  ) async throws -> Value {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Answerer(answer))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let http = UpstreamClient.httpClient(Configuration())
    let port = try #require(server.localAddress?.port)
    let address = try #require(UpstreamAddress("http://127.0.0.1:\(port)"))
    let value: Value
    do {
      value = try await body(.live(address, http))
    } catch {
      try await http.shutdown()
      throw error
    }
    try await http.shutdown()
    try await server.close()
    return value
  }

  private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: @Sendable (String) -> String
    private var head = ""

    init(_ answer: @escaping @Sendable (String) -> String) {
      self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      head += String(buffer: unwrapInboundIn(data))
      guard head.contains("\r\n\r\n") else { return }
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer(head))), promise: nil)
      context.close(promise: nil)
    }
  }
}

/// A client that sends any bytes.
struct RawConnection {
  let channel: any Channel
  private let texts: AsyncStream<String>

  init(_ address: String) async throws {
    let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
    let (texts, continuation) = AsyncStream<String>.makeStream()
    self.texts = texts
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Reader(continuation))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
  }

  func send(_ text: String) async throws {
    try await channel.writeAndFlush(ByteBuffer(string: text))
  }

  /// What comes until it contains this text; all that comes if it never does.
  func text(until end: String) async -> String {
    var text = ""
    for await part in texts {
      text += part
      if text.contains(end) { break }
    }
    return text
  }

  private final class Reader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let texts: AsyncStream<String>.Continuation

    init(_ texts: AsyncStream<String>.Continuation) {
      self.texts = texts
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      texts.yield(String(buffer: unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) {
      texts.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
}
