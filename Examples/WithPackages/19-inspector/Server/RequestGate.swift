// This source file is part of swift-effects. License: Apache-2.0.

import ConnectionLimit
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Stands before the answers of one connection: what it refuses is answered here, and nothing behind it is read as a request.
///
/// - Isolation: the event loop of the connection.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let token: Token
  private let connections: OpenConnections
  private let idle: TimeAmount
  /// A request was read, and the end of its answer has not been written.
  private var isAnswering = false
  /// Nothing more is read. The connection is closed behind the answer.
  private var isClosing = false
  /// Closes the connection unless the rest of a request comes, or, behind the last answer, unless the client closes it.
  private var rest: Scheduled<Void>?
  /// Closes the connection unless the client reads.
  private var stall: Scheduled<Void>?

  init(_ token: Token, _ connections: OpenConnections, idle: TimeAmount = .seconds(Limits.idleSeconds)) {
    self.token = token
    self.connections = connections
    self.idle = idle
  }

  // MARK: - Reading

  func handlerAdded(context: ChannelHandlerContext) {
    connections.opened(context.channel)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      // No browser sends a request before the answer of the last one.
      guard !isAnswering else { return isClosing = true }
      isAnswering = true
      if let refusal = refusal(of: head, port: context.channel.localAddress?.port) { return refuse(refusal, context) }
      // For the whole body: each part of it would begin the time of an idle connection again.
      rest = closes(context, after: idle)
      if head.headerFields[.expect]?.lowercased() == "100-continue" {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
      }
    case .body: break
    case .end:
      rest?.cancel()
      connections.works(context.channel)
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    rest?.cancel()
    stall?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isClosing else { return }
    if error is IOError { return context.close(promise: nil) }
    // What is behind a request does not change its answer, which may say that an action was sent.
    guard !isAnswering else { return isClosing = true }
    switch error {
    case HTTPParserError.headerOverflow:
      let text = "A line of the request is longer than \(Limits.line) bytes, or all of them than \(Limits.head)."
      refuse(.init(.requestHeaderFieldsTooLarge, text), context)
    default: refuse(.init(.badRequest, "This is not a request of HTTP/1.1."), context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    let isAtEnd = event as? ChannelEvent == .inputClosed && isClosing && !isAnswering
    if isAtEnd || event is ChannelShouldQuiesceEvent {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  // MARK: - Checks

  /// Why a request must not be done, as far as its head says so.
  private func refusal(of head: HTTPRequest, port: Int?) -> Refusal? {
    let fields = head.headerFields
    // The first one is in `authority`. A proxy could read another one.
    guard head.authority != nil, !fields.contains(where: { $0.name.canonicalName == "host" }) else {
      return Refusal(.badRequest, "A request has one header Host.")
    }
    let sender = Sender(
      host: head.authority, origin: fields[.origin], site: HTTPField.Name("Sec-Fetch-Site").flatMap { fields[$0] })
    guard sender.isThisPage(port: port) else {
      return Refusal(.forbidden, "Only the page of this inspector may send requests.")
    }
    guard let path = head.path, token.rest(of: path) != nil else {
      return Refusal(.forbidden, "This is not the link of the running inspector. Open the one that it has printed.")
    }
    switch head.method {
    case .get:
      let hasBody = fields[.transferEncoding] != nil || fields[.contentLength].map { $0 != "0" } ?? false
      return hasBody ? Refusal(.badRequest, "A request that reads has no body.") : nil
    case .post:
      // Forms of other pages cannot send this type unless the server allows it.
      guard fields[.contentType] == "application/json" else {
        return Refusal(.badRequest, "The content type must be application/json.")
      }
      guard fields[.transferEncoding] == nil, let length = fields[.contentLength] else {
        return Refusal(.lengthRequired, "The length is missing.")
      }
      // A number that is too long for the type is too large as well.
      return Int(length).map { $0 <= Limits.body } ?? false
        ? nil : Refusal(.contentTooLarge, "The body is longer than \(Limits.body) bytes.")
    default: return Refusal(.methodNotAllowed, "\(head.method.rawValue) is not allowed here.")
    }
  }

  // MARK: - Writing

  private func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
    for part in [.head(refusal.head), .body(refusal.body), .end(nil)] as [HTTPResponsePart] {
      write(context: context, data: wrapOutboundOut(part), promise: nil)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    if case .head(let head) = part, head.headerFields[.connection] == "close" { isClosing = true }
    guard case .end = part else { return context.write(data, promise: promise) }
    isAnswering = false
    defer { connections.waits(context.channel) }
    guard isClosing else { return context.write(data, promise: promise) }
    let written = promise ?? context.eventLoop.makePromise()
    context.writeAndFlush(data, promise: written)
    written.futureResult.assumeIsolated().whenComplete { _ in self.linger(context) }
  }

  /// Closes the connection when the client has closed its side. At once, the client could lose the answer.
  private func linger(_ context: ChannelHandlerContext) {
    context.close(mode: .output, promise: nil)
    rest?.cancel()
    rest = closes(context, after: .seconds(Limits.lingerSeconds))
  }

  /// A client that does not read is not waited for without end.
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      stall?.cancel()
    } else {
      stall = closes(context, after: idle)
    }
    context.fireChannelWritabilityChanged()
  }

  private func closes(_ context: ChannelHandlerContext, after time: TimeAmount) -> Scheduled<Void> {
    context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
  }
}
