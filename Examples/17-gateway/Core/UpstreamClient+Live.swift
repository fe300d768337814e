// This source file is part of swift-effects. License: Apache-2.0.

public import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

extension UpstreamClient {
  /// Calls a service by HTTP.
  ///
  /// - Parameters:
  ///   - address: where it is.
  ///   - client: makes the requests, and must be shut down by its owner.
  /// - Returns: the calls.
  public static func live(_ address: UpstreamAddress, _ client: HTTPClient) -> UpstreamClient {
    let refused = Refused()
    return UpstreamClient(
      signIn: {
        var request = HTTPClientRequest(url: "\(address.text)/token")
        request.method = .POST
        // All requests wait for it.
        let received = try await limited(to: .seconds(5)) { [request] in try await text(of: request, client) }
        guard let token = AccessToken(received: received) else { throw UpstreamFailure.strange(status: 200) }
        return token
      },
      item: { name, token in
        // Calls that had to wait for a place still have the token of their arrival.
        if refused.token.withLock({ $0 == token }) { throw UpstreamFailure.unauthorized }
        var request = HTTPClientRequest(url: "\(address.text)/items/\(name)")
        request.headers.add(name: "authorization", value: "Bearer \(token.value)")
        do {
          return try await text(of: request, client)
        } catch UpstreamFailure.unauthorized {
          refused.token.withLock { $0 = token }
          throw UpstreamFailure.unauthorized
        }
      })
  }

  /// The last token that was not accepted.
  private final class Refused: Sendable {
    let token = Mutex<AccessToken?>(nil)
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
    let (response, body): (HTTPClientResponse, ByteBuffer)
    do {
      // A request has a deadline of its own, which cancels this call. An hour only says that this is not the place for it.
      response = try await client.execute(request, timeout: .hours(1))
      body = try await response.body.collect(upTo: 65_536)
    } catch let error as HTTPClientError where error == .cancelled {
      throw CancellationError()
    } catch let failure where isOfConnection(failure) {
      // Also if the body has ended early. Both calls may be repeated: the second token replaces the first.
      throw UpstreamFailure.unavailable
    }
    switch response.status {
    case .ok: return String(buffer: body)
    case .unauthorized: throw UpstreamFailure.unauthorized
    case .notFound: throw UpstreamFailure.notFound
    case .tooManyRequests, .serviceUnavailable:
      let wait = response.headers.first(name: "retry-after").flatMap {
        RetryAfter.wait($0, date: response.headers.first(name: "date"))
      }
      throw UpstreamFailure.busy(retryAfter: wait)
    default: throw UpstreamFailure.strange(status: Int(response.status.code))
    }
  }

  /// Whether there was no connection, or it has ended too early.
  private static func isOfConnection(_ error: any Error) -> Bool {
    error is HTTPClientError || error is IOError || error is ChannelError || error is NIOConnectionError
      || error as? HTTPParserError == .invalidEOFState
  }

  /// Makes a client for the calls of a gateway.
  ///
  /// - Parameter configuration: the limit of calls is the gateway's work: the client has a connection for each.
  /// - Returns: the client.
  public static func httpClient(_ configuration: Configuration) -> HTTPClient {
    var settings = HTTPClient.Configuration()
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.limit + 1
    // An answer must not choose what the gateway calls. A redirect is an answer that the service should not give.
    settings.redirectConfiguration = .disallow
    // The gateway decides when to try again.
    settings.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
  }
}
