// This source file is part of swift-effects. License: Apache-2.0.

import HTTPTypes
public import Hummingbird
public import Logging
public import NIOCore
import ServiceLifecycle

/// A request with its connection.
public struct GatewayContext: RequestContext {
  /// What Hummingbird knows.
  public var coreContext: CoreRequestContextStorage
  /// The connection.
  public let channel: any Channel

  /// A request that comes by a connection.
  public init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

/// The HTTP of a gateway.
public struct FrontEnd: Sendable {
  private struct Credentials: Decodable {
    let name: String
    let password: String
  }

  let gateway: Gateway
  let sessions: Sessions
  let connections: Connections
  let events: EventStreams
  let configuration: Configuration

  /// The HTTP of this gateway.
  public init(_ gateway: Gateway, _ configuration: Configuration) {
    self.gateway = gateway
    self.configuration = configuration
    let most = max(Descriptors.connections(configuration), 1)
    connections = Connections(most: most, patience: configuration.patience)
    // So that there are connections for other requests.
    events = EventStreams(gateway, most: min(configuration.streams, (most + 1) / 2))
    sessions = Sessions(users: configuration.users)
  }

  /// The server. It runs until a graceful shutdown.
  ///
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - logger: what it reports to.
  ///   - onPort: called with the port when the server listens.
  /// - Returns: a service.
  public func application(
    port: Int, logger: Logger, onPort: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> some ApplicationProtocol {
    Application(
      router: router, server: connections.server,
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: port), availableConnectionsDelegate: connections.delegate),
      services: [events],
      onServerRunning: { channel in channel.localAddress?.port.map(onPort) }, logger: logger)
  }

  var router: Router<GatewayContext> {
    let router = Router(context: GatewayContext.self)
    router.add(middleware: OneHost())
    router.post("sign-in") { request, context in try await signIn(request, context) }
    router.get("items/:name") { request, context in try await item(request, context) }
    router.get("events") { _, context in events(context) }
    router.get("health") { _, _ in await health() }
    router.get("metrics") { _, _ in await metrics() }
    return router
  }

  private func signIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
    let credentials = try await request.decode(as: Credentials.self, context: context)
    switch sessions.signIn(credentials.name, credentials.password) {
    case .session(let token): return .text(.ok, token)
    case .wrong: return .text(.unauthorized, "The name or the password is wrong.")
    case .refused(let wait):
      var response = Response.text(.tooManyRequests, "There were too many wrong passwords. Try again later.")
      response.headers[.retryAfter] = Answer.refused(retryAfter: wait).retryAfter.map { "\($0)" }
      return response
    }
  }

  private func item(_ request: Request, _ context: GatewayContext) async throws -> Response {
    guard sessions.contains(request.headers[.authorization]) else {
      return .text(.unauthorized, "Sign in first, and send the session in the header Authorization.")
    }
    let name = try context.parameters.require("name")
    // It is put into the address of the upstream service.
    guard name.utf8.allSatisfy(Self.isPlain) else {
      return .text(.badRequest, "A name consists of letters, digits, “-” and “_”.")
    }
    // listing: handler
    let answer = try await connections.whileOpen(context.channel) { [gateway] in await gateway.get(name) }
    if case .failed(let problem) = answer { context.logger.error("\(problem)") }
    var response = Response.text(HTTPResponse.Status(code: answer.status), answer.text)
    response.headers[.retryAfter] = answer.retryAfter.map { "\($0)" }
    return response
    // end
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Server-sent events. They end when the client leaves, or when the server is shut down.
  private func events(_ context: GatewayContext) -> Response {
    guard let stream = events.open() else {
      var response = Response.text(.serviceUnavailable, "Too many event streams are open. Try again later.")
      response.headers[.retryAfter] = Answer.refused(retryAfter: configuration.retryAfter).retryAfter.map { "\($0)" }
      return response
    }
    connections.watch(context.channel, stream.end)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody(asyncSequence: stream.texts.cancelOnGracefulShutdown()))
  }

  private func health() async -> Response {
    await gateway.counts().isLeaving
      ? .text(.serviceUnavailable, "The gateway is shut down.") : .text(.ok, "The gateway works.")
  }

  private func metrics() async -> Response {
    let counts = await gateway.counts()
    return .text(
      .ok,
      """
      gateway_active \(counts.active)
      gateway_queued \(counts.queued)
      gateway_refused_total \(counts.refused)
      gateway_answered_total \(counts.answered)
      gateway_tokens_total \(counts.tokens)

      """)
  }
}

/// Refuses a request whose host is missing, or that a proxy before the gateway could read as another one.
private struct OneHost: RouterMiddleware {
  typealias Context = GatewayContext

  @concurrent func handle(
    _ request: Request, context: GatewayContext,
    next: @concurrent (Request, GatewayContext) async throws -> Response
  ) async throws -> Response {
    // The first one is in `authority`.
    guard request.head.authority != nil, !request.headers.contains(where: { $0.name.canonicalName == "host" }) else {
      return .text(.badRequest, "A request has one header Host.")
    }
    return try await next(request, context)
  }
}

extension Response {
  /// A short text.
  public static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
