// This source file is part of swift-effects. License: Apache-2.0.

import NIOCore
import NIOWebSocket

/// Makes messages of the frames of a WebSocket (RFC 6455), on either side.
///
/// It reads from the network only while a message is requested and the other side reads what was written, so neither the
/// messages nor the pongs need a queue: at most those of one read are kept.
///
/// - Isolation: the event loop of the connection.
final class WebSocketFrames: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame

  enum Side {
    case client, server

    /// Bytes of a message that this side reads.
    var limit: Int { self == .server ? Limits.message : Limits.numberedMessage }
    /// A client masks what it sends, so that no proxy takes it for HTTP.
    var mask: WebSocketMaskingKey? { self == .client ? .random() : nil }
  }

  private let side: Side
  private var context: ChannelHandlerContext?
  private var messages: CircularBuffer<ByteBuffer> = []
  /// The message whose first frames have been read.
  private var partial: ByteBuffer?
  private var waiting: EventLoopPromise<ByteBuffer>?
  /// Nothing more is read or written.
  private var hasEnded = false

  init(_ side: Side) {
    self.side = side
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    stop()
    self.context = nil
  }

  // MARK: - Messages

  /// The next message. One task waits at a time.
  func next() -> EventLoopFuture<ByteBuffer>? {
    guard let context, waiting == nil else { return nil }
    if let message = messages.popFirst() { return context.eventLoop.makeSucceededFuture(message) }
    guard !hasEnded else { return nil }
    let promise = context.eventLoop.makePromise(of: ByteBuffer.self)
    waiting = promise
    readOn(context)
    return promise.futureResult
  }

  /// Succeeds when the bytes have been handed to the operating system.
  func write(_ text: ByteBuffer) -> EventLoopFuture<Void>? {
    guard let context, !hasEnded else { return nil }
    return context.channel.writeAndFlush(frame(.text, text))
  }

  /// Ends the connection with this code.
  func end(_ code: WebSocketErrorCode) {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    end(data)
  }

  private func end(_ data: ByteBuffer) {
    guard let context, !hasEnded else { return }
    stop()
    context.channel.end(with: frame(.connectionClose, data))
  }

  private func stop() {
    hasEnded = true
    partial = nil
    waiting?.fail(WebSocket.Closed())
    waiting = nil
  }

  private func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
    WebSocketFrame(fin: true, opcode: opcode, maskKey: side.mask, data: data)
  }

  // MARK: - Frames

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasEnded else { return }
    let frame = unwrapInboundIn(data)
    let isMasked = frame.maskKey != nil
    guard isMasked == (side == .server), !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return end(.protocolError) }
    var data = frame.unmaskedData
    switch frame.opcode {
    case .text where partial == nil: receive(data, isLast: frame.fin)
    case .continuation:
      guard var message = partial else { return end(.protocolError) }
      guard message.readableBytes + data.readableBytes <= side.limit else { return end(.messageTooLarge) }
      message.writeBuffer(&data)
      receive(message, isLast: frame.fin)
    case .ping: context.writeAndFlush(NIOAny(self.frame(.pong, data)), promise: nil)
    case .pong: break
    case .connectionClose: end(data.readSlice(length: min(2, data.readableBytes)) ?? ByteBuffer())
    case .binary: end(.unacceptableData)
    default: end(.protocolError)
    }
  }

  private func receive(_ message: ByteBuffer, isLast: Bool) {
    partial = isLast ? nil : message
    guard isLast else { return }
    if let promise = waiting {
      waiting = nil
      promise.succeed(message)
    } else {
      messages.append(message)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    readOn(context)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    readOn(context)
  }

  /// After the end it reads too, and ignores what it reads: so it sees that the other side has closed the connection.
  private func readOn(_ context: ChannelHandlerContext) {
    if hasEnded || waiting != nil && context.channel.isWritable { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength: end(.messageTooLarge)
    case is NIOWebSocketError: end(.protocolError)
    default: context.close(promise: nil)
    }
  }
}
