// This source file is part of swift-effects. License: Apache-2.0.

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The limits of one connection. It is closed if for some time there is no whole request on it, whatever is sent meanwhile; or if
/// its client does not take the answers.
///
/// Hummingbird's `idleTimeout` is another one: it begins again with each byte.
final class Patience: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  /// Called when it begins or ends to wait for a request.
  private let isWaiting: (any Channel, Bool) -> Void
  /// Whole requests, and whole answers. A request may be answered before it is whole.
  private var requests = 0, answers = 0
  private var expectsContinue = false
  private var end: Scheduled<Void>?

  init(_ limit: Duration, isWaiting: @escaping (any Channel, Bool) -> Void) {
    self.limit = TimeAmount(limit)
    self.isWaiting = isWaiting
  }

  func handlerAdded(context: ChannelHandlerContext) {
    isWaiting(context.channel, true)
    update(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end?.cancel()
  }

  func channelInactive(context: ChannelHandlerContext) {
    end?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      expectsContinue = head.headerFields[.expect]?.lowercased() == "100-continue"
      answerExpectation(context)
    case .body: break
    case .end:
      expectsContinue = false
      requests += 1
      if requests > answers { isWaiting(context.channel, false) }
      update(context)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
    context.write(data, promise: promise)
    guard isEnd else { return }
    answers += 1
    answerExpectation(context)
    guard answers >= requests else { return }
    isWaiting(context.channel, true)
    end?.cancel()
    end = nil
    update(context)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    update(context)
    context.fireChannelWritabilityChanged()
  }

  private func update(_ context: ChannelHandlerContext) {
    guard answers >= requests || !context.channel.isWritable else {
      end?.cancel()
      end = nil
      return
    }
    guard end == nil else { return }
    end = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
  }

  /// Not while an earlier request is answered: its answer comes first.
  private func answerExpectation(_ context: ChannelHandlerContext) {
    guard expectsContinue, answers >= requests else { return }
    expectsContinue = false
    context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
  }
}
