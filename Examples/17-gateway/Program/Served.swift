// This source file is part of swift-effects. License: Apache-2.0.

import AsyncHTTPClient
import GatewayCore
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UpstreamService

/// An upstream service and a gateway before it, on ports that are free.
enum Served {
  private struct NoAddress: Error {}

  static func run<Value: Sendable>(
    _ upstream: UpstreamService, _ configuration: Configuration, isPlain: Bool,
    _ body: @escaping @Sendable (_ address: String, HTTPClient, _ group: ServiceGroup) async throws -> Value
  ) async throws -> Value {
    var logger = Logger(label: "load")
    // What fails on demand is not reported.
    logger.logLevel = .critical
    let client = UpstreamClient.httpClient(configuration)
    let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: many)
    let (upstreamPorts, upstreamListens) = AsyncStream<Int>.makeStream()
    let (ports, listens) = AsyncStream<Int>.makeStream()
    let result: Result<Value, any Error>
    do {
      result = .success(
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          let upstreamGroup = ServiceGroup(
            services: [upstream.application(port: 0, logger: logger) { upstreamListens.yield($0) }], logger: logger)
          tasks.addTask { try await upstreamGroup.run() }
          var iterator = upstreamPorts.makeAsyncIterator()
          let upstreamPort = await iterator.next() ?? 0
          guard let upstreamAddress = UpstreamAddress("http://127.0.0.1:\(upstreamPort)") else { throw NoAddress() }
          let gateway = Main.gateway(isPlain: isPlain, configuration, .live(upstreamAddress, client))
          let group = ServiceGroup(
            services: [
              FrontEnd(gateway, configuration).application(port: 0, logger: logger) { listens.yield($0) },
              GatewayService(gateway, configuration),
            ], logger: logger)
          tasks.addTask { try await group.run() }
          var gatewayIterator = ports.makeAsyncIterator()
          let port = await gatewayIterator.next() ?? 0
          let value = try await body("http://127.0.0.1:\(port)", http, group)
          await group.triggerGracefulShutdown()
          await upstreamGroup.triggerGracefulShutdown()
          try await tasks.waitForAll()
          return value
        })
    } catch {
      result = .failure(error)
    }
    try await client.shutdown()
    try await http.shutdown()
    return try result.get()
  }

  private static var many: HTTPClient.Configuration {
    var settings = HTTPClient.Configuration()
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_000
    // A server that has ended is not waited for.
    settings.timeout.connect = .seconds(1)
    return settings
  }
}
