// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime
import FlyingFox
import FlyingSocks
public import Foundation
public import InspectorCore

/// A page that shows the stores of this process while they run.
///
/// ```swift
/// let inspector = try await Inspector.start()
/// try await inspector.attach(store, name: "search", reducer: Search(find: stub), codec: Search.codec)
/// print(inspector.url)
/// ```
///
/// It listens on 127.0.0.1 only, and refuses requests of other pages. Every program of this machine can still reach it, and
/// the page can send actions: start it only where you develop.
///
/// - Lifetime: until ``stop()``, or until it is released. It does not keep the stores alive.
/// - Isolation: usable from any thread.
public final class Inspector: Sendable {
  /// Where the page is: `http://127.0.0.1:…`.
  public let url: URL
  /// The stores that are shown.
  public let session: InspectorSession

  private let server: HTTPServer
  private let running: Task<Void, Never>

  private init(url: URL, _ session: InspectorSession, _ server: HTTPServer, _ running: Task<Void, Never>) {
    self.url = url
    self.session = session
    self.server = server
    self.running = running
  }

  deinit { running.cancel() }

  /// Starts to serve the page.
  ///
  /// - Parameter port: the port; 0 for any that is free.
  /// - Returns: the inspector, which serves the page as long as it exists.
  /// - Throws: an error of the system, for example if the port is in use.
  public static func start(port: UInt16 = 0) async throws -> Inspector {
    let session = InspectorSession()
    let listening = ListeningPort()
    let requests = InspectorRequests(session, port: listening)
    let server = try HTTPServer(
      address: .inet(ip4: "127.0.0.1", port: port), logger: .disabled,
      handler: ClosureHTTPHandler { await requests.answer($0) })
    let running = Task<Void, Never> { try? await server.run() }  // it throws when it is stopped
    do {
      try await server.waitUntilListening(timeout: 60)
      guard case .ip4(let host, let port) = await server.listeningAddress,
        let url = URL(string: "http://\(host):\(port)")
      else { throw SocketError.unsupportedAddress }
      listening.set(port)
      return Inspector(url: url, session, server, running)
    } catch {
      running.cancel()
      throw error
    }
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
    await server.stop()
    running.cancel()
    await running.value
  }
}
