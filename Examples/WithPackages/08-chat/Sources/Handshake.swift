// This source file is part of swift-effects. License: Apache-2.0.

import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The server's side of a connection until it is a WebSocket.
///
/// It reads one request up to its empty line. An HTTP decoder would also read what comes behind it as requests; here this is
/// frames, or nothing when the request is refused.
///
/// - Isolation: the event loop of the connection.
final class Handshake: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let port: UInt16
  private let hasRoom: () -> Bool
  private let opened: (WebSocket, _ after: Int) -> Void
  private var bytes = ByteBuffer()
  /// How many bytes were searched for the empty line.
  private var searched = 0
  /// The request was read. What comes behind it is kept for the frames.
  private var hasRequest = false
  /// Nothing more is read.
  private var isRefused = false
  private var limit: Scheduled<Void>?

  /// - Parameters:
  ///   - port: the port of the server.
  ///   - hasRoom: whether there are fewer WebSockets than the limit allows.
  ///   - opened: is called with the WebSocket, and the number of the last message that its client has.
  init(port: UInt16, hasRoom: @escaping () -> Bool, opened: @escaping (WebSocket, _ after: Int) -> Void) {
    self.port = port
    self.hasRoom = hasRoom
    self.opened = opened
  }

  func handlerAdded(context: ChannelHandlerContext) {
    limit = context.channel.close(after: Limits.handshakeSeconds)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    limit?.cancel()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    bytes.writeImmutableBuffer(unwrapInboundIn(data))
    // While the answer is written, more may be read: a connection that was reset is noticed then.
    guard !hasRequest else { return }
    do throws(Refusal) {
      guard let text = try nextHead() else { return }
      hasRequest = true
      let request = try UpgradeRequest(text, port: port)
      try accept(request, context)
    } catch {
      refuse(error, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// The request without its empty line, when it is complete.
  private func nextHead() throws(Refusal) -> String? {
    let view = bytes.readableBytesView
    let rest = view[(view.startIndex + max(0, searched - 3))...]
    searched = view.count
    let end = rest.firstRange(of: Array("\r\n\r\n".utf8))
    guard (end?.upperBound ?? view.endIndex) - view.startIndex <= Limits.head else {
      throw Refusal(.requestHeaderFieldsTooLarge, "The request is longer than \(Limits.head) bytes.")
    }
    guard let end else { return nil }
    let text = bytes.readString(length: end.lowerBound - view.startIndex)
    bytes.moveReaderIndex(forwardBy: 4)
    return text
  }

  private func accept(_ request: UpgradeRequest, _ context: ChannelHandlerContext) throws(Refusal) {
    let channel = context.channel
    // Only for its answer: what it would add to the pipeline is added below.
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    var answer: HTTPHeaders?
    upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: request.head, initialResponseHeaders: [:])
      .assumeIsolated().whenSuccess { answer = $0 }
    guard let answer else { throw Refusal(.upgradeRequired, "The request must upgrade to WebSocket version 13.") }
    guard hasRoom() else { throw Refusal(.serviceUnavailable, "There are too many WebSockets already.") }
    channel.writeAndFlush(Self.text(.switchingProtocols, answer), promise: nil)
    do {
      try channel.pipeline.syncOperations.addHandlers([
        WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: Limits.message)),
      ])
      let socket = try WebSocket(upgrading: channel, as: .server)
      // What was sent behind the request.
      context.fireChannelRead(wrapInboundOut(bytes))
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
      opened(socket, request.number)
    } catch {
      context.close(promise: nil)
    }
  }

  private func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
    isRefused = true
    bytes = ByteBuffer()
    limit?.cancel()
    var headers: HTTPHeaders = ["Connection": "close", "Content-Length": "\(refusal.reason.utf8.count)"]
    if refusal.status == .upgradeRequired {
      headers.add(contentsOf: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"])
    }
    context.channel.end(with: Self.text(refusal.status, headers, refusal.reason))
  }

  private static func text(_ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: String = "") -> ByteBuffer {
    let lines = ["HTTP/1.1 \(status.code) \(status.reasonPhrase)"] + headers.map { "\($0.name): \($0.value)" }
    return ByteBuffer(string: lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
  }
}
