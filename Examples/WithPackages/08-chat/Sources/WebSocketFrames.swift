// This source file is part of swift-effects. License: Apache-2.0.

import NIOCore
import NIOWebSocket

/// Makes messages of the frames of a WebSocket (RFC 6455), on either side.
///
/// It reads from the network only while a message is requested and the other side reads what was written, so neither the
/// messages nor the pongs need a queue: at most those of one read are kept. They can be requested after the end, too.
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
  private let eventLoop: any EventLoop
  private var context: ChannelHandlerContext?
  private var messages: CircularBuffer<ByteBuffer> = []
  /// The message whose first frames have been read, and how many these were.
  private var partial: (data: ByteBuffer, frames: Int)?
  private var waiting: EventLoopPromise<ByteBuffer>?
  /// How often in a row nothing has come in the time of the limits.
  private var silences = 0
  private var nextCheck: Scheduled<Void>?
  /// Nothing more is read or written.
  private var hasEnded = false

  init(_ side: Side, on eventLoop: any EventLoop) {
    self.side = side
    self.eventLoop = eventLoop
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if side == .server { check(context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    nextCheck?.cancel()
    stop()
    self.context = nil
  }

  // MARK: - Messages

  /// The next message. One task waits at a time.
  func next() -> EventLoopFuture<ByteBuffer>? {
    guard waiting == nil else { return nil }
    if let message = messages.popFirst() { return eventLoop.makeSucceededFuture(message) }
    guard let context, !hasEnded else { return nil }
    let promise = eventLoop.makePromise(of: ByteBuffer.self)
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

  /// Asks a client that sends nothing, and closes the connection if it does not answer. A client that does not read is not read
  /// either, so it cannot answer.
  private func check(_ context: ChannelHandlerContext) {
    nextCheck = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(Limits.idleSeconds)) {
      self.silences += 1
      if self.silences == 3 { return context.close(promise: nil) }
      if self.silences == 2, !self.hasEnded {
        context.writeAndFlush(NIOAny(self.frame(.ping, ByteBuffer())), promise: nil)
      }
      self.check(context)
    }
  }

  // MARK: - Frames

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasEnded else { return }
    silences = 0
    let frame = unwrapInboundIn(data)
    let isMasked = frame.maskKey != nil
    guard isMasked == (side == .server), !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return end(.protocolError) }
    var data = frame.unmaskedData
    switch frame.opcode {
    case .text where partial == nil: receive(data, frames: 1, isLast: frame.fin)
    case .continuation:
      guard var (message, frames) = partial else { return end(.protocolError) }
      // Otherwise the buffer would be copied for each frame.
      partial = nil
      guard message.readableBytes + data.readableBytes <= side.limit else { return end(.messageTooLarge) }
      frames += 1
      guard frames <= Limits.framesOfMessage else { return end(.policyViolation) }
      message.writeBuffer(&data)
      receive(message, frames: frames, isLast: frame.fin)
    case .ping: context.writeAndFlush(NIOAny(self.frame(.pong, data)), promise: nil)
    case .pong: break
    case .connectionClose: receiveEnd(data)
    case .binary: end(.unacceptableData)
    default: end(.protocolError)
    }
  }

  private func receive(_ message: ByteBuffer, frames: Int, isLast: Bool) {
    partial = isLast ? nil : (message, frames)
    guard isLast else { return }
    guard isUTF8(message) else { return end(.dataInconsistentWithMessage) }
    if let promise = waiting {
      waiting = nil
      promise.succeed(message)
    } else {
      messages.append(message)
    }
  }

  /// The other side ends the connection, perhaps with a code and a reason.
  private func receiveEnd(_ data: ByteBuffer) {
    var reason = data
    guard data.readableBytes > 0 else { return end(data) }
    guard let code = reason.readInteger(as: UInt16.self), Self.codes.contains(where: { $0.contains(code) }) else {
      return end(.protocolError)
    }
    end(isUTF8(reason) ? WebSocketErrorCode(codeNumber: Int(code)) : .dataInconsistentWithMessage)
  }

  /// The codes that may be sent (RFC 6455, section 7.4, and the registry of IANA).
  private static let codes: [ClosedRange<UInt16>] = [1000...1003, 1007...1014, 3000...4999]

  private func isUTF8(_ text: ByteBuffer) -> Bool { String(validating: text.readableBytesView, as: UTF8.self) != nil }

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
