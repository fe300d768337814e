// This source file is part of swift-effects. License: Apache-2.0.

import AsyncHTTPClient
import GatewayCore
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import UpstreamService

/// Clients that ask one after the other, of a gateway and an upstream service in this process.
struct Load {
  let isPlain: Bool
  let requests: Int
  let clients: Int

  private struct Failure: Error, CustomStringConvertible { let description: String }

  /// Says how it went.
  func run() async throws -> String {
    var configuration = Configuration()
    configuration.limit = 64
    configuration.waiting = clients
    var control = Control()
    control.delayMilliseconds = 1
    control.tokenUses = 1_000
    let upstream = UpstreamService(control)
    return try await Served.run(upstream, configuration, isPlain: isPlain) {
      [isPlain, requests, clients] address, http, _ in
      let session = try await Self.signIn(address, http)
      let clock = ContinuousClock()
      let start = clock.now
      let results = try await withThrowingTaskGroup(of: [(UInt, Duration)].self) { group in
        for client in 0..<clients {
          let share = requests / clients + (client < requests % clients ? 1 : 0)
          group.addTask {
            var results: [(UInt, Duration)] = []
            for number in 0..<share {
              var request = HTTPClientRequest(url: "\(address)/items/\(client)-\(number)")
              request.headers.add(name: "authorization", value: "Bearer \(session)")
              let start = clock.now
              let response = try await http.execute(request, timeout: .seconds(30))
              _ = try await response.body.collect(upTo: 65_536)
              results.append((response.status.code, clock.now - start))
            }
            return results
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      let seconds = (clock.now - start) / .seconds(1)
      let times = results.map(\.1).sorted()
      let counts = upstream.counts
      return """
        \(isPlain ? "plain " : "effect"): \(results.count { $0.0 == 200 }) of \(requests) requests have their item, \
        \(Int(Double(requests) / seconds)) requests/s, p50 \(Self.text(times, 0.5)), p99 \(Self.text(times, 0.99)), \
        \(counts.tokens) tokens, \(counts.mostActive) upstream calls at once
        """
    }
  }

  static func signIn(_ address: String, _ http: HTTPClient) async throws -> String {
    var request = HTTPClientRequest(url: "\(address)/sign-in")
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.body = .bytes(ByteBuffer(string: #"{"name":"ann","password":"secret"}"#))
    let response = try await http.execute(request, timeout: .seconds(10))
    guard response.status == .ok else { throw Failure(description: "The sign-in has the status \(response.status).") }
    return String(buffer: try await response.body.collect(upTo: 1_024))
  }

  private static func text(_ times: [Duration], _ quantile: Double) -> String {
    guard !times.isEmpty else { return "-" }
    return "\(Int(times[Int(Double(times.count - 1) * quantile)] / .microseconds(1))) µs"
  }
}
