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
  /// How the upstream service behaves.
  enum Upstream: String, CaseIterable {
    case healthy, slow, failing

    var control: Control {
      var control = Control()
      control.tokenUses = 1_000
      control.delayMilliseconds = self == .slow ? 50 : 1
      control.failEvery = self == .failing ? 10 : 0
      return control
    }
  }

  let isPlain: Bool
  let upstream: Upstream
  let duration: Duration
  let clients: Int

  private struct Failure: Error, CustomStringConvertible { let description: String }

  /// What the clients saw.
  private struct Results {
    var times: [Duration] = []
    var items = 0
  }

  /// Says how it went.
  func run() async throws -> String {
    var configuration = Configuration()
    configuration.limit = 32
    configuration.waiting = clients
    let service = UpstreamService(upstream.control)
    return try await Served.run(service, configuration, isPlain: isPlain) {
      [self] address, http, _ in
      let session = try await Self.signIn(address, http)
      let clock = ContinuousClock()
      let start = clock.now
      let end = start + duration
      let results = try await withThrowingTaskGroup(of: Results.self) { group in
        for client in 0..<clients {
          group.addTask {
            var results = Results()
            while clock.now < end {
              var request = HTTPClientRequest(url: "\(address)/items/\(client)-\(results.times.count)")
              request.headers.add(name: "authorization", value: "Bearer \(session)")
              let start = clock.now
              let response = try await http.execute(request, timeout: .seconds(30))
              _ = try await response.body.collect(upTo: 65_536)
              results.times.append(clock.now - start)
              if response.status == .ok { results.items += 1 }
            }
            return results
          }
        }
        return try await group.reduce(into: Results()) {
          $0.times += $1.times
          $0.items += $1.items
        }
      }
      let seconds = (clock.now - start) / .seconds(1)
      let times = results.times.sorted()
      let counts = service.counts
      return """
        \(upstream), \(isPlain ? "plain" : "effect"): \(results.items) of \(times.count) requests have their item, \
        \(Int(Double(times.count) / seconds)) requests/s, p50 \(Self.text(times, 0.5)), p99 \(Self.text(times, 0.99)), \
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
