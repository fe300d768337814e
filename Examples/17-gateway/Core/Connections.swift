// This source file is part of swift-effects. License: Apache-2.0.

import Hummingbird
public import HummingbirdCore
public import NIOCore
import Synchronization

/// The connections of clients. Cancels the work for a client that has closed its connection, and limits how many there are.
///
/// Hummingbird has `consumeWithCancellationOnInboundClose` for the first, which closes the connection after the answer. Here it
/// stays open for the next request.
public final class Connections: Sendable {
  private typealias Cancel = @Sendable () -> Void

  private struct Open {
    let channel: any Channel
    /// What is to be cancelled; nothing between two requests.
    var cancel: Cancel = {}
    /// When it began to wait for a request, as a number that rises; nil while one is answered.
    var waiting: Int?
  }

  private struct State {
    var open: [ObjectIdentifier: Open] = [:]
    var last = 0
    /// How many connections are to be closed as soon as they wait for a request.
    var surplus = 0

    /// The connection that has waited longest.
    mutating func takeOldest() -> (any Channel)? {
      let waiting = open.filter { $0.value.waiting != nil }
      guard let oldest = waiting.min(by: { ($0.value.waiting ?? 0) < ($1.value.waiting ?? 0) }) else { return nil }
      open[oldest.key]?.waiting = nil
      return oldest.value.channel
    }
  }

  private let most: Int
  private let patience: Duration
  private let state = Mutex(State())

  /// Knows no connection yet.
  ///
  /// - Parameters:
  ///   - most: how many may be open. The one that has waited longest for a request makes room for a further one.
  ///   - patience: how long one may be open without a whole request, or not take its answer.
  public init(most: Int, patience: Duration) {
    self.most = most
    self.patience = patience
  }

  /// A server that tells when a client has left.
  public var server: HTTPServerBuilder {
    .http1(
      configuration: .init(
        additionalChannelHandlers: [
          Departure(connections: self), Patience(self.patience) { [self] in waits($0, $1) },
        ]))
  }

  /// The limit of connections.
  public var delegate: any AvailableConnectionsDelegate { Limit(connections: self) }

  private struct Limit: AvailableConnectionsDelegate {
    let connections: Connections
    var count = 0

    mutating func connectionOpened() {
      count += 1
      if !isAcceptingNewConnections() { connections.makeRoom() }
    }

    mutating func connectionClosed() {
      count -= 1
      if isAcceptingNewConnections() { connections.state.withLock { $0.surplus = 0 } }
    }

    func isAcceptingNewConnections() -> Bool { count < connections.most }
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
    let isOpen = state.withLock { state in
      guard state.open[ObjectIdentifier(channel)] != nil else { return false }
      state.open[ObjectIdentifier(channel)]?.cancel = cancel
      return true
    }
    if !isOpen { cancel() }
  }

  private func waits(_ channel: any Channel, _ isWaiting: Bool) {
    let oldest: (any Channel)? = state.withLock { state in
      state.last += 1
      state.open[ObjectIdentifier(channel)]?.waiting = isWaiting ? state.last : nil
      guard state.surplus > 0, let oldest = state.takeOldest() else { return nil }
      state.surplus -= 1
      return oldest
    }
    if let oldest { close(oldest) }
  }

  /// Without this, connections without a request would keep out all others until their time has come.
  private func makeRoom() {
    let oldest: (any Channel)? = state.withLock { state in
      guard let oldest = state.takeOldest() else {
        // All have requests, or are so new that they are not known here.
        state.surplus += 1
        return nil
      }
      return oldest
    }
    if let oldest { close(oldest) }
  }

  /// Not at once: an answer that is being written is sent before.
  private func close(_ channel: any Channel) {
    channel.eventLoop.execute { channel.close(promise: nil) }
  }

  fileprivate func opened(_ channel: any Channel) {
    state.withLock { $0.open[ObjectIdentifier(channel)] = Open(channel: channel) }
  }

  fileprivate func closed(_ channel: any Channel) {
    let open = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
    open?.cancel()
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
