// This source file is part of swift-effects. License: Apache-2.0.

import Logging
import NIOCore

/// Says that connections cannot be accepted, for example because there are too many open files; once, until one is accepted.
///
/// The server goes on: it tries again a second later.
final class AcceptReport: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  private let logger: Logger
  private var isReported = false

  init(_ logger: Logger) {
    self.logger = logger
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isReported = false
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if !isReported {
      logger.error("The inspector cannot accept a connection: \(error). It tries again every second.")
    }
    isReported = true
    context.fireErrorCaught(error)
  }
}
