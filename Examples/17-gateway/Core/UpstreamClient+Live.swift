// This source file is part of swift-effects. License: Apache-2.0.

public import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension UpstreamClient {
  /// Calls a service by HTTP.
  ///
  /// - Parameters:
  ///   - address: without a slash at its end, `http://127.0.0.1:8081`.
  ///   - client: makes the requests, and must be shut down by its owner.
  /// - Returns: the calls.
  public static func live(_ address: String, _ client: HTTPClient) -> UpstreamClient {
    UpstreamClient(
      signIn: {
        var request = HTTPClientRequest(url: "\(address)/token")
        request.method = .POST
        // All requests wait for it.
        let received = try await limited(to: .seconds(5)) { [request] in try await text(of: request, client) }
        guard let token = AccessToken(received: received) else { throw UpstreamFailure.strange(status: 200) }
        return token
      },
      item: { name, token in
        var request = HTTPClientRequest(url: "\(address)/items/\(name)")
        request.headers.add(name: "authorization", value: "Bearer \(token.value)")
        return try await text(of: request, client)
      })
  }

  /// A limit for all of a call. That of the HTTP client ends with the head of the answer.
  private static func limited(
    to limit: Duration, _ call: @escaping @Sendable () async throws -> String
  ) async throws -> String {
    try await withThrowingTaskGroup(of: String.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await call() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw UpstreamFailure.unavailable
      }
      guard let text = try await group.next() else { throw CancellationError() }
      return text
    }
  }

  private static func text(of request: HTTPClientRequest, _ client: HTTPClient) async throws -> String {
    let response: HTTPClientResponse
    do {
      // A request has a deadline of its own, which cancels this call. An hour only says that this is not the place for it.
      response = try await client.execute(request, timeout: .hours(1))
    } catch is HTTPClientError {
      throw UpstreamFailure.unavailable
    } catch is IOError {
      throw UpstreamFailure.unavailable
    }
    let body = try await response.body.collect(upTo: 65_536)
    switch response.status {
    case .ok: return String(buffer: body)
    case .unauthorized: throw UpstreamFailure.unauthorized
    case .notFound: throw UpstreamFailure.notFound
    case .tooManyRequests:
      // Clients get it, too. A day or a negative number would be a mistake of the service.
      let seconds = response.headers.first(name: "retry-after").flatMap { Int($0) }
      throw UpstreamFailure.busy(retryAfter: seconds.map { .seconds(min(max($0, 0), 3_600)) })
    case .serviceUnavailable: throw UpstreamFailure.unavailable
    default: throw UpstreamFailure.strange(status: Int(response.status.code))
    }
  }

  /// Makes a client for the calls of a gateway.
  ///
  /// - Parameter configuration: the limit of calls is the gateway's work: the client has a connection for each.
  /// - Returns: the client.
  public static func httpClient(_ configuration: Configuration) -> HTTPClient {
    var settings = HTTPClient.Configuration()
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.limit + 1
    // The gateway decides when to try again.
    settings.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
  }
}
