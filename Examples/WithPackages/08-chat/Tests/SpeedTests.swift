// This source file is part of swift-effects. License: Apache-2.0.

import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import chat

/// How fast both sides of a WebSocket read and write, without a network.
@Suite struct `As fast as it is read` {
  /// Counts the reads, and holds what is written, as a network that is full does.
  private final class FullNetwork: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var reads = 0
    var held: [EventLoopPromise<Void>?] = []

    func read(context: ChannelHandlerContext) {
      reads += 1
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      held.append(promise)
    }
  }

  @Test func `Nothing is read before it is requested`() throws {
    let (channel, network) = (EmbeddedChannel(), FullNetwork())
    let frames = WebSocketFrames(.client, on: channel.eventLoop)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.pipeline.syncOperations.addHandler(network)
    try channel.syncOptions?.setOption(.autoRead, value: false)
    try channel.pipeline.syncOperations.addHandler(frames)
    func arrive(_ texts: String...) {
      for text in texts {
        channel.pipeline.fireChannelRead(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
      }
      channel.pipeline.fireChannelReadComplete()
    }
    #expect(network.reads == 0)
    let first = try #require(frames.next())
    #expect(network.reads == 1)
    // Two in one read. The second is kept, and nothing more is read.
    arrive("a", "b")
    #expect(try first.wait() == ByteBuffer(string: "a"))
    #expect(network.reads == 1)
    #expect(try frames.next()?.wait() == ByteBuffer(string: "b"))
    #expect(network.reads == 1)
    let third = try #require(frames.next())
    #expect(network.reads == 2)
    arrive()
    #expect(network.reads == 3)
    // One task reads at a time.
    #expect(frames.next() == nil)
    channel.close(promise: nil)
    channel.embeddedEventLoop.run()
    #expect(throws: WebSocket.Closed.self) { _ = try third.wait() }
  }

  @Test func `A message has been written when the network has taken it`() throws {
    let (channel, network) = (EmbeddedChannel(), FullNetwork())
    let frames = WebSocketFrames(.server, on: channel.eventLoop)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.pipeline.syncOperations.addHandler(network)
    try channel.pipeline.syncOperations.addHandler(frames)
    var isWritten = false
    frames.write(ByteBuffer(string: "a"))?.assumeIsolated().whenSuccess { isWritten = true }
    #expect(!isWritten)
    network.held.first??.succeed()
    #expect(isWritten)
  }

  @Test func `While the client does not read, no pings are read`() throws {
    let (channel, network) = (EmbeddedChannel(), FullNetwork())
    let frames = WebSocketFrames(.server, on: channel.eventLoop)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.pipeline.syncOperations.addHandler(network)
    try channel.pipeline.syncOperations.addHandler(frames)
    let message = try #require(frames.next())
    #expect(network.reads == 1)
    channel.isWritable = false
    channel.pipeline.fireChannelReadComplete()
    #expect(network.reads == 1)
    channel.isWritable = true
    channel.pipeline.fireChannelWritabilityChanged()
    #expect(network.reads == 2)
    channel.close(promise: nil)
    channel.embeddedEventLoop.run()
    #expect(throws: WebSocket.Closed.self) { _ = try message.wait() }
  }
}
