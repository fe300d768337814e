// This source file is part of swift-effects. License: Apache-2.0.

import ConnectionLimit
public import Foundation
public import HTTPTypes
public import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix

/// A real HTTP server on a free port of this machine, which runs as long as a closure.
///
/// The query of a request selects what goes wrong: `delay=300` is answered after 300 milliseconds, `fail=2` with status
/// 503 the first two times, `hang=1` the first time not at all. Everything else is answered by the closure that the
/// server is given. It reads and writes on threads of its own, and the rest of a refused request is never read as the next one. It
/// leaves half of the free file descriptors to others. The connection that has waited longest for a request makes room for a new one.
public struct LocalServer: Sendable {
  /// The answer to a request.
  public typealias Answer = @Sendable (Request) async -> Response

  /// Its address: `http://127.0.0.1:…`.
  public let url: URL

  private let desk: Desk

  /// How many requests have arrived.
  public var asked: Int {
    get async { await desk.requests.asked }
  }

  /// Returns when this number of requests has arrived, or when its task is cancelled, like all waits here.
  public func hasBeenAsked(times: Int) async {
    await desk.wait { $0.asked >= times }
  }

  /// Returns when no request is being answered.
  public func isQuiet() async {
    await desk.wait { $0.answering == 0 }
  }

  /// Returns when a request has arrived that hangs.
  public func hangs() async {
    await desk.wait { $0.hanging > 0 }
  }

  /// Starts a server, calls the body, and stops the server, whatever happens in the body.
  public static func whileRunning<Result: Sendable>(
    answering answer: @escaping Answer, _ body: @Sendable (LocalServer) async throws -> Result
  ) async throws -> Result {
    let desk = Desk()
    let (ports, listening) = AsyncStream<Int>.makeStream()
    let logger = Logger(label: "server") { _ in SwiftLogNoOpLogHandler() }
    let connections = OpenConnections(most: try Descriptors.connections(upTo: 200))
    let server = Server(
      childChannelSetup: Connection(
        responder: { request, writer, _ in
          let response = await desk.answer(request, by: answer)
          try await writer.write(response: response.head, body: response.body)
        }, connections),
      configuration: ServerConfiguration(
        address: .hostname("127.0.0.1", port: 0), serverName: nil, reuseAddress: true,
        availableConnectionsDelegate: .maximum(connections.most, logger: logger)),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { listening.yield(port) }
        listening.finish()
      },
      // One loop: connections are handed out in their order, so none is left when the server stops behind the last request.
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton.next(),
      logger: logger)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { listening.finish() }
        try await server.run()
      }
      // It ends at once, also what it is answering.
      defer { group.cancelAll() }
      for await port in ports {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { break }
        return try await body(LocalServer(url: url, desk: desk))
      }
      // It could not listen, and throws the reason.
      try await group.waitForAll()
      throw ChannelError.unknownLocalAddress
    }
  }
}

/// A connection that is closed when the server stops. A client keeps its connection open for the next request.
private struct Connection: ServerChildChannel {
  private let base: HTTP1Channel

  init(responder: @escaping HTTPChannelHandler.Responder, _ connections: OpenConnections) {
    base = HTTP1Channel(
      responder: responder,
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [RequestWatch(connections)], idleTimeout: .seconds(60)))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    base.setup(channel: channel, logger: logger)
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await withTaskCancellationHandler {
      await base.handle(value: value, logger: logger)
    } onCancel: {
      value.channel.close(promise: nil)
    }
  }
}

/// Tells when a connection has a request.
private final class RequestWatch: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart

  private let connections: OpenConnections

  init(_ connections: OpenConnections) {
    self.connections = connections
  }

  func handlerAdded(context: ChannelHandlerContext) {
    connections.opened(context.channel)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .end = unwrapInboundIn(data) { connections.works(context.channel) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
    context.write(data, promise: promise)
    if isEnd { connections.waits(context.channel) }
  }
}

extension Response {
  /// An answer with these bytes.
  public init(_ status: HTTPResponse.Status, _ headers: HTTPFields = [:], _ bytes: some Sequence<UInt8> = []) {
    self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

extension Request {
  /// The values of the query.
  public var query: [String: String] {
    Dictionary(uri.queryParameters.map { (String($0.key), String($0.value)) }) { first, _ in first }
  }
}

/// Handles all requests: counts them, and lets them wait and fail.
private actor Desk {
  struct Requests {
    var asked = 0
    var answering = 0
    var hanging = 0
  }

  typealias Condition = @Sendable (Requests) -> Bool

  private(set) var requests = Requests() { didSet { wake() } }
  private var visits: [String: Int] = [:]
  private var waiting: [Int: (condition: Condition, continuation: CheckedContinuation<Void, Never>)] = [:]
  private var waits = 0

  func answer(_ request: Request, by answer: LocalServer.Answer) async -> Response {
    requests.asked += 1
    requests.answering += 1
    defer { requests.answering -= 1 }
    let (hang, fail) = (number("hang", of: request), number("fail", of: request))
    var visit = 1
    // Only requests that must go wrong are remembered: there may be any number of the others.
    if hang > 0 || fail > 0 {
      visit += visits[request.uri.string, default: 0]
      visits[request.uri.string] = visit
    }
    try? await Task.sleep(for: .milliseconds(number("delay", of: request)))
    if visit <= hang {
      requests.hanging += 1
      try? await Task.sleep(for: .seconds(3600))
    }
    if visit <= fail { return Response(.serviceUnavailable) }
    return await answer(request)
  }

  /// Also returns when its task is cancelled: so a test with a time limit ends, even if the condition is never true.
  func wait(until condition: @escaping Condition) async {
    waits += 1
    let wait = waits
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !condition(requests), !Task.isCancelled else { return continuation.resume() }
        waiting[wait] = (condition, continuation)
      }
    } onCancel: {
      Task { await end(wait) }
    }
  }

  private func end(_ wait: Int) {
    waiting.removeValue(forKey: wait)?.continuation.resume()
  }

  private func wake() {
    for (wait, waiter) in waiting where waiter.condition(requests) { end(wait) }
  }

  private func number(_ name: String, of request: Request) -> Int {
    request.query[name].flatMap { Int($0) } ?? 0
  }
}
