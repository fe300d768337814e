// This source file is part of swift-effects. License: Apache-2.0.

import ConnectionLimit
public import EffectRuntime
public import Foundation
import HummingbirdCore
public import InspectorCore
import Logging
import NIOCore
import NIOPosix

/// A page that shows the stores of this process while they run.
///
/// ```swift
/// let inspector = try await Inspector.start()
/// try await inspector.attach(store, name: "search", reducer: Search(find: stub), codec: Search.codec)
/// print(inspector.url)
/// ```
///
/// It listens on 127.0.0.1 only, and refuses requests that do not know its link or come from other pages. Who knows the link
/// can send actions: start it only where you develop.
///
/// - Lifetime: until ``stop()``, or until it is released. It does not keep the stores alive.
/// - Isolation: usable from any thread. It works on two threads that all inspectors share, and not on those of the stores.
public final class Inspector: Sendable {
  /// Where the page is: `http://127.0.0.1:…/…/`. Its path is a secret that is new for each inspector.
  public let url: URL
  /// The stores that are shown.
  public let session: InspectorSession

  /// Two threads for all inspectors of the process. They are kept: what is still to be done on them when an inspector ends would
  /// be lost.
  private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)

  private let server: Server<HTTP1Channel>
  private let running: Task<Void, Never>

  private init(url: URL, _ session: InspectorSession, _ server: Server<HTTP1Channel>, _ running: Task<Void, Never>) {
    self.url = url
    self.session = session
    self.server = server
    self.running = running
  }

  deinit { Task { [server] in try? await server.shutdownGracefully() } }

  /// Starts to serve the page.
  ///
  /// - Parameter port: the port; 0 for any that is free.
  /// - Returns: the inspector, which serves the page as long as it exists. What it has to give up later, for example because
  ///   there are too many open files, it says on standard error.
  /// - Throws: an error of the system, for example if the port is in use, or if there are too few file descriptors.
  public static func start(port: UInt16 = 0) async throws -> Inspector {
    try await start(port: port, idle: .seconds(Limits.idleSeconds))
  }

  /// Starts with another time after which an idle connection is closed.
  static func start(port: UInt16 = 0, idle: TimeAmount) async throws -> Inspector {
    let (session, token) = (InspectorSession(), Token())
    var logger = Logger(label: "inspector") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    // One for connections and short answers, one for exports.
    let (requests, exports) = (LoopExecutor(threads.next()), LoopExecutor(threads.next()))
    let connections = OpenConnections(most: try Descriptors.connections(upTo: Limits.connections))
    // So that there are connections for other requests.
    let streams = min(Limits.streams, connections.most / 2)
    let handler = InspectorRequests(session, token, streams: streams, exports: exports)
    let (ports, listening) = AsyncThrowingStream<Int, any Error>.makeStream()
    let server = Server(
      childChannelSetup: channel(handler, token, connections, idle),
      configuration: ServerConfiguration(
        address: .hostname("127.0.0.1", port: Int(port)), serverName: nil, reuseAddress: true,
        availableConnectionsDelegate: .maximum(connections.most, logger: logger)),
      onServerRunning: { [logger] channel in
        try? await channel.eventLoop.submit {
          try channel.pipeline.syncOperations.addHandler(AcceptReport(logger), position: .first)
        }.get()
        if let port = channel.localAddress?.port { listening.yield(port) }
        listening.finish()
      },
      eventLoopGroup: requests.loop, logger: logger)
    let running = Task<Void, Never> {
      do {
        try await withTaskExecutorPreference(requests) { try await server.run() }
      } catch {
        listening.finish(throwing: error)
      }
    }
    for try await port in ports {
      guard let url = URL(string: "http://127.0.0.1:\(port)\(token.path)") else { break }
      return Inspector(url: url, session, server, running)
    }
    try await server.shutdownGracefully()
    throw ChannelError.unknownLocalAddress
  }

  /// How a connection is read, within the limits.
  private static func channel(
    _ requests: InspectorRequests, _ token: Token, _ connections: OpenConnections, _ idle: TimeAmount
  ) -> HTTP1Channel {
    HTTP1Channel(
      responder: { request, writer, _ in
        let answer = await requests.answer(request)
        try await writer.write(response: answer.head, body: answer.body)
      },
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [RequestGate(token, connections, idle: idle)], idleTimeout: idle,
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: Limits.line, maxHeaderListSize: Limits.head, maxHeaderFieldCount: Limits.headers)))
  }

  /// Attaches a store; see ``InspectorSession/attach(_:name:reducer:codec:test:)``.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - name: what the page calls it.
  ///   - reducer: what the store reduces with, with stubs for its dependencies.
  ///   - codec: reads actions that are sent by hand, and writes exports.
  ///   - test: how an exported test makes the reducer and the codec.
  /// - Returns: the number of the store.
  /// - Throws: ``InspectorError/nameInUse(_:)``.
  @discardableResult
  public func attach<R: Reducer & Sendable>(
    _ store: Store<R>, name: String, reducer: R, codec: RecordingCodec<R.State, R.Action>,
    test: TestExpressions? = nil
  ) async throws(InspectorError) -> Int where R.State: Sendable {
    try await session.attach(store, name: name, reducer: reducer, codec: codec, test: test)
  }

  /// Ends it: all connections are closed. Called twice it does nothing.
  public func stop() async {
    try? await server.shutdownGracefully()
    await running.value
  }
}
