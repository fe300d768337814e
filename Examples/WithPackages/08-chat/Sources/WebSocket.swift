// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// One side of a WebSocket, over SwiftNIO: `URLSession` has none on Linux.
///
/// Nothing is read before it is requested, so a slow reader holds up the other side. One task reads at a time, and one
/// writes. It is closed when a read or write is cancelled, or when its last reference is released.
final class WebSocket: Sendable {
  struct Closed: Error {}

  private let channel: any Channel
  private let frames: NIOLoopBound<WebSocketFrames>

  /// Goes on with a connection whose request was answered, and which has the coders of frames. Called on its event loop.
  init(upgrading channel: any Channel, as side: WebSocketFrames.Side) throws {
    let frames = WebSocketFrames(side, on: channel.eventLoop)
    try channel.syncOptions?.setOption(.autoRead, value: false)
    try channel.pipeline.syncOperations.addHandler(frames)
    self.channel = channel
    self.frames = NIOLoopBound(frames, eventLoop: channel.eventLoop)
  }

  deinit {
    close()
  }

  static func connect(to port: UInt16, path: String) async throws -> WebSocket {
    let (channel, opened) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.maxMessagesPerRead, value: 1)
      .connect(host: "127.0.0.1", port: Int(port)) { channel in
        channel.eventLoop.makeCompletedFuture {
          let opened = try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: upgrade(port, path))
          return (channel, opened)
        }
      }
    return try await withTaskCancellationHandler {
      try await opened.get()
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  private static func upgrade(_ port: UInt16, _ path: String)
    -> NIOUpgradableHTTPClientPipelineConfiguration<WebSocket>
  {
    let upgrader = NIOTypedWebSocketClientUpgrader<WebSocket>(
      maxFrameSize: Limits.numberedMessage, enableAutomaticErrorHandling: false
    ) { channel, _ in
      channel.eventLoop.makeCompletedFuture { try WebSocket(upgrading: channel, as: .client) }
    }
    var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
      upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
        upgradeRequestHead: HTTPRequestHead(
          version: .http1_1, method: .GET, uri: path, headers: ["Host": "127.0.0.1:\(port)"]),
        upgraders: [upgrader],
        notUpgradingCompletionHandler: { channel in
          channel.close(promise: nil)
          return channel.eventLoop.makeFailedFuture(Closed())
        }))
    // The first messages may come with the answer.
    configuration.leftOverBytesStrategy = .forwardBytes
    return configuration
  }

  /// The next whole message.
  func read() async throws -> Data {
    try await Data(perform { $0.next() }.readableBytesView)
  }

  /// Returns when the message has been handed to the operating system.
  func write(_ text: Data) async throws {
    try await perform { $0.write(ByteBuffer(bytes: text)) }
  }

  /// Tells the other side why, and closes the connection.
  func end(_ code: WebSocketErrorCode) {
    channel.eventLoop.execute { [frames] in frames.value.end(code) }
  }

  /// Closes the connection at once.
  func close() {
    channel.close(promise: nil)
  }

  /// Returns when the connection is closed.
  func hasClosed() async {
    try? await channel.closeFuture.get()
  }

  private func perform<Result: Sendable>(
    _ work: @escaping @Sendable (WebSocketFrames) -> EventLoopFuture<Result>?
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      try await channel.eventLoop.flatSubmit { [channel, frames] in
        work(frames.value) ?? channel.eventLoop.makeFailedFuture(Closed())
      }.get()
    } onCancel: {
      close()
    }
  }
}
