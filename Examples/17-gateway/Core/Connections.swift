// This source file is part of swift-effects. License: Apache-2.0.

import Hummingbird
public import HummingbirdCore
public import NIOCore
import Synchronization

/// Cancels the work for a client that has closed its connection.
///
/// Hummingbird has `consumeWithCancellationOnInboundClose` for this, which closes the connection after the answer. Here it
/// stays open for the next request.
public final class Connections: Sendable {
  private typealias Cancel = @Sendable () -> Void

  /// What is to be cancelled for each open connection; nothing between two requests.
  private let work = Mutex<[ObjectIdentifier: Cancel]>([:])

  /// Knows no connection yet.
  public init() {}

  /// A server that tells when a client has left.
  public var server: HTTPServerBuilder {
    .http1(configuration: .init(additionalChannelHandlers: [Departure(connections: self)]))
  }

  /// Does the work of a request.
  ///
  /// - Parameters:
  ///   - channel: the connection of the request.
  ///   - operation: the work; cancelled when the client has closed the connection.
  /// - Returns: what the work returns.
  public func whileOpen<Value: Sendable>(
    _ channel: any Channel, _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await operation() }
    watch(channel) { task.cancel() }
    defer { watch(channel) {} }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Calls a closure when the client has closed the connection, unless another one takes its place before that.
  public func watch(_ channel: any Channel, _ cancel: @escaping @Sendable () -> Void) {
    let isOpen = work.withLock { work in
      guard work[ObjectIdentifier(channel)] != nil else { return false }
      work[ObjectIdentifier(channel)] = cancel
      return true
    }
    if !isOpen { cancel() }
  }

  fileprivate func opened(_ channel: any Channel) {
    work.withLock { $0[ObjectIdentifier(channel)] = {} }
  }

  fileprivate func closed(_ channel: any Channel) {
    let cancel = work.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    cancel?()
  }
}

/// Notices the end of what a client sends. Hummingbird goes on to write to it, because it may still read.
private final class Departure: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  private let connections: Connections

  init(connections: Connections) {
    self.connections = connections
  }

  func handlerAdded(context: ChannelHandlerContext) {
    connections.opened(context.channel)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { connections.closed(context.channel) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    connections.closed(context.channel)
    context.fireChannelInactive()
  }
}
