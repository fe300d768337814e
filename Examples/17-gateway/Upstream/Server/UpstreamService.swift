// This source file is part of swift-effects. License: Apache-2.0.

import GatewayCore
import HTTPTypes
public import Hummingbird
public import Logging
import NIOCore

/// A slow service that fails on demand, and counts.
public struct UpstreamService: Sendable {
  private let state: UpstreamState
  // A client that keeps connections for a minute, as the gateway does, closes them itself.
  private let connections = Connections(most: max(Descriptors.connections(Configuration()), 1), patience: .seconds(90))

  /// A service that behaves like this until a control request changes that.
  public init(_ control: Control = Control()) {
    state = UpstreamState(control)
  }

  /// What it has been asked.
  public var counts: UpstreamCounts { state.counts }

  /// Changes how it behaves.
  public func set(_ control: Control) { state.control = control }

  /// The server.
  ///
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - logger: what it reports to.
  ///   - onPort: called with the port when the server listens.
  /// - Returns: a service.
  public func application(
    port: Int, logger: Logger, onPort: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> some ApplicationProtocol {
    let router = Router(context: GatewayContext.self)
    router.post("token") { [state] _, _ in Response.text(.ok, state.issueToken()) }
    router.get("items/:name") { request, context in try await item(request, context) }
    router.get("counts") { [state] _, _ in try Response.json(state.counts) }
    router.post("control") { [state] request, context in
      state.control = try await request.decode(as: Control.self, context: context)
      return try Response.json(state.control)
    }
    return Application(
      router: router, server: connections.server,
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: port), availableConnectionsDelegate: connections.delegate),
      onServerRunning: { channel in channel.localAddress?.port.map(onPort) }, logger: logger)
  }

  private func item(_ request: Request, _ context: GatewayContext) async throws -> Response {
    let name = try context.parameters.require("name")
    let token = request.headers[.authorization].map { String($0.dropFirst("Bearer ".count)) }
    switch state.begin(token ?? "") {
    case .fail(let status, let retryAfter):
      var response = Response.text(HTTPResponse.Status(code: status), "It fails on demand, or the token has expired.")
      if status == 429 || (status == 503 && retryAfter > 0) { response.headers[.retryAfter] = "\(retryAfter)" }
      return response
    case .answer(let delay):
      let hasLeft = try await connections.whileOpen(context.channel) {
        do { try await Task.sleep(for: delay) } catch { return true }
        return false
      }
      state.end(hasLeft: hasLeft)
      return hasLeft ? .text(.requestTimeout, "The client has left.") : .text(.ok, "The item “\(name)”.")
    }
  }
}
