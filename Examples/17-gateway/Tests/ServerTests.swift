// This source file is part of swift-effects. License: Apache-2.0.

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Testing
import UpstreamService

@testable import GatewayCore
@testable import gateway

/// The gateways with real connections, before a real upstream service.
@Suite(.serialized, .timeLimit(.minutes(1))) struct `Over HTTP` {
  private struct Reply: Equatable { var status: Int; var text: String; var retryAfter: String? }

  private static func get(
    _ address: String, _ http: HTTPClient, session: String = ""
  ) async throws -> Reply {
    var request = HTTPClientRequest(url: address)
    request.headers.add(name: "authorization", value: "Bearer \(session)")
    let response = try await http.execute(request, timeout: .seconds(20))
    let text = String(buffer: try await response.body.collect(upTo: 65_536))
    return Reply(
      status: Int(response.status.code), text: text, retryAfter: response.headers.first(name: "retry-after"))
  }

  private static func upstream(delay: Int = 1) -> UpstreamService {
    var control = Control()
    control.delayMilliseconds = delay
    return UpstreamService(control)
  }

  @Test(arguments: [true, false]) func `Items, refusals and metrics`(_ isPlain: Bool) async throws {
    let upstream = Self.upstream()
    try await Served.run(upstream, Configuration(), isPlain: isPlain) { address, http, _ in
      #expect(try await Self.get("\(address)/items/a", http).status == 401)
      let session = try await Load.signIn(address, http)
      #expect(try await Self.get("\(address)/items/a", http, session: session).text == "The item “a”.")
      #expect(try await Self.get("\(address)/items/a%2Fb", http, session: session).status == 400)
      #expect(try await Self.get("\(address)/health", http).status == 200)
      #expect(
        try await Self.get("\(address)/metrics", http).text == """
          gateway_active 0
          gateway_queued 0
          gateway_refused_total 0
          gateway_answered_total 1
          gateway_tokens_total 1

          """)
      var control = Control()
      for (sent, received) in [(60, "60"), (1_000_000_000, "3600")] {
        (control.failureStatus, control.failures, control.retryAfter) = (429, 1, sent)
        upstream.set(control)
        let busy = try await Self.get("\(address)/items/a", http, session: session)
        #expect(busy.status == 503)
        #expect(busy.retryAfter == received)
      }
      (control.failureStatus, control.failures) = (500, 1)
      upstream.set(control)
      #expect(
        try await Self.get("\(address)/items/a", http, session: session)
          == Reply(status: 502, text: "The upstream service has failed.", retryAfter: nil))
    }
  }

  // MARK: - Limits

  @Test(arguments: [true, false]) func `Connections without a request make room for others`(
    _ isPlain: Bool
  ) async throws {
    var configuration = Configuration()
    (configuration.connections, configuration.patience) = (4, .seconds(600))
    try await Served.run(Self.upstream(), configuration, isPlain: isPlain) { address, http, _ in
      let events = try await http.execute(HTTPClientRequest(url: "\(address)/events"), timeout: .seconds(20))
      var texts = events.body.makeAsyncIterator()
      #expect(try await texts.next() != nil)
      var idle: [RawConnection] = []
      for number in 0..<8 {
        idle.append(try await RawConnection(address))
        if number.isMultiple(of: 2) { try await idle[number].send("GET /health HTTP/1.1\r\nHost:") }
      }
      for connection in idle.prefix(5) { try await connection.channel.closeFuture.get() }

      let session = try await Load.signIn(address, http)
      #expect(try await Self.get("\(address)/items/a", http, session: session).status == 200)
      // A connection with a request stays.
      #expect(try await texts.next() != nil)
      for connection in idle { try? await connection.channel.close() }
    }
  }

  @Test(arguments: [true, false]) func `A connection that brings no request is closed in time`(
    _ isPlain: Bool
  ) async throws {
    var configuration = Configuration()
    configuration.patience = .milliseconds(20)
    try await Served.run(Self.upstream(), configuration, isPlain: isPlain) { address, _, _ in
      for text in ["", "GET /health HTTP/1.1\r\n", "POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"] {
        let connection = try await RawConnection(address)
        // It may be closed already.
        try? await connection.send(text)
        try await connection.channel.closeFuture.get()
      }
    }
  }

  @Test(arguments: [true, false]) func `Event streams have a limit`(_ isPlain: Bool) async throws {
    var configuration = Configuration()
    configuration.streams = 2
    try await Served.run(Self.upstream(), configuration, isPlain: isPlain) { address, http, _ in
      let open = [
        try await http.execute(HTTPClientRequest(url: "\(address)/events"), timeout: .seconds(20)),
        try await http.execute(HTTPClientRequest(url: "\(address)/events"), timeout: .seconds(20)),
      ]
      let refused = try await Self.get("\(address)/events", http)
      #expect(refused.status == 503)
      #expect(refused.retryAfter == "1")
      for stream in open {
        for try await text in stream.body {
          #expect(String(buffer: text).hasPrefix("data: {"))
          break
        }
      }
    }
  }

  @Test func `A request has one host, and its client may ask before it sends the body`() async throws {
    try await Served.run(Self.upstream(), Configuration(), isPlain: true) { address, _, _ in
      for (hosts, status) in [("", 400), ("Host: a\r\n", 200), ("Host: a\r\nhost: b\r\n", 400)] {
        let connection = try await RawConnection(address)
        try await connection.send("GET /health HTTP/1.1\r\n\(hosts)\r\n")
        #expect(await connection.text(until: ".").hasPrefix("HTTP/1.1 \(status) "))
        try await connection.channel.close()
      }
      let body = #"{"name":"ann","password":"secret"}"#
      let connection = try await RawConnection(address)
      try await connection.send(
        "POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n")
      #expect(await connection.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      try await connection.send(body)
      #expect(await connection.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
      try await connection.channel.close()
    }
  }

  @Test(arguments: [true, false]) func `A burst has its items although a token serves one request`(
    _ isPlain: Bool
  ) async throws {
    var (control, configuration) = (Control(), Configuration())
    (control.tokenUses, control.delayMilliseconds) = (1, 1)
    (configuration.limit, configuration.deadline) = (4, nil)
    let upstream = UpstreamService(control)
    try await Served.run(upstream, configuration, isPlain: isPlain) { address, http, _ in
      let session = try await Load.signIn(address, http)
      try await withThrowingTaskGroup(of: Int.self) { requests in
        for number in 0..<20 {
          requests.addTask { try await Self.get("\(address)/items/\(number)", http, session: session).status }
        }
        for try await status in requests { #expect(status == 200) }
      }
    }
    // A token that was refused is not sent by those that still wait for a place.
    #expect(upstream.counts.requests <= 20 * configuration.limit)
  }

  @Test func `A user who signs in too often ends only their own sessions`() throws {
    let sessions = Sessions(users: ["ann": "secret", "bob": "secret"])
    func signIn(_ name: String) -> String? {
      if case .session(let token) = sessions.signIn(name, "secret") { "Bearer \(token)" } else { nil }
    }
    let tokens = ["ann", "bob"].compactMap(signIn)
    #expect(sessions.signIn("ann", "wrong") == .wrong)
    for _ in 0..<1_000 { #expect(signIn("ann") != nil) }
    #expect(tokens.map { sessions.contains($0) } == [false, true])
  }

  @Test func `After ten wrong passwords a name is refused for the rest of a minute, and other names are not`() throws {
    let sessions = Sessions(users: ["ann": "secret", "bob": "secret"])
    let now = ContinuousClock.now
    func isSignedIn(_ name: String, after seconds: Int) -> Bool {
      if case .session = sessions.signIn(name, "secret", at: now + .seconds(seconds)) { true } else { false }
    }
    for number in 0..<10 { #expect(sessions.signIn("ann", "\(number)", at: now) == .wrong) }
    #expect(sessions.signIn("ann", "secret", at: now + .seconds(20)) == .refused(retryAfter: .seconds(40)))
    #expect(isSignedIn("bob", after: 20))
    for number in 0..<10 { #expect(sessions.signIn("\(number)", "secret", at: now) == .wrong) }
    #expect(sessions.signIn("carl", "secret", at: now) == .refused(retryAfter: .seconds(60)))
    #expect(isSignedIn("bob", after: 20))
    #expect(isSignedIn("ann", after: 60))
  }

  @Test(arguments: [true, false]) func `A refused sign-in says when to try again`(_ isPlain: Bool) async throws {
    try await Served.run(Self.upstream(), Configuration(), isPlain: isPlain) { address, http, _ in
      var replies: [(status: UInt, retryAfter: String?)] = []
      for _ in 0...10 {
        var request = HTTPClientRequest(url: "\(address)/sign-in")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: #"{"name":"ann","password":"wrong"}"#))
        let response = try await http.execute(request, timeout: .seconds(20))
        replies.append((response.status.code, response.headers.first(name: "retry-after")))
      }
      #expect(replies.map(\.status) == Array(repeating: 401, count: 10) + [429])
      let wait = try #require(replies.last?.retryAfter.flatMap { Int($0) })
      #expect((1...60).contains(wait))
    }
  }

  @Test(arguments: [true, false]) func `The deadline is a status`(_ isPlain: Bool) async throws {
    var configuration = Configuration()
    configuration.deadline = .milliseconds(50)
    let upstream = Self.upstream(delay: 600_000)
    try await Served.run(upstream, configuration, isPlain: isPlain) { address, http, _ in
      let session = try await Load.signIn(address, http)
      #expect(try await Self.get("\(address)/items/a", http, session: session).status == 504)
    }
    // The upstream service has ended as well, so it has noticed. On a busy machine the deadline may come before the call.
    #expect(upstream.counts.left == upstream.counts.requests)
  }

  @Test(arguments: [true, false]) func `A client that leaves ends the upstream call, and events tell`(
    _ isPlain: Bool
  ) async throws {
    var configuration = Configuration()
    configuration.deadline = nil
    let upstream = Self.upstream(delay: 600_000)
    try await Served.run(upstream, configuration, isPlain: isPlain) { address, http, _ in
      let session = try await Load.signIn(address, http)
      let events = try await http.execute(HTTPClientRequest(url: "\(address)/events"), timeout: .seconds(20))
      let request = Task { try await Self.get("\(address)/items/a", http, session: session) }
      var hasBegun = false
      for try await buffer in events.body {
        let text = String(buffer: buffer)
        if text.contains(#""active":1"#) {
          hasBegun = true
          request.cancel()
        }
        if hasBegun, text.contains(#""active":0,"queued":0"#) { break }
      }
      #expect(hasBegun)
    }
    #expect(upstream.counts.left == 1)
    #expect(upstream.counts.active == 0)
  }

  @Test(arguments: [true, false]) func `A shutdown under load loses no request`(_ isPlain: Bool) async throws {
    let upstream = Self.upstream(delay: 20)
    try await Served.run(upstream, Configuration(), isPlain: isPlain) { address, http, group in
      let session = try await Load.signIn(address, http)
      let statuses = try await withThrowingTaskGroup(of: [Int].self) { clients in
        for client in 0..<20 {
          clients.addTask {
            var statuses: [Int] = []
            while statuses.last != 503 {
              do {
                statuses.append(try await Self.get("\(address)/items/\(client)", http, session: session).status)
              } catch {
                // The server has ended. A request that it had accepted is counted below.
                break
              }
              if client == 0, statuses.count == 5 { await group.triggerGracefulShutdown() }
            }
            return statuses
          }
        }
        return try await clients.reduce(into: []) { $0 += $1 }
      }
      #expect(statuses.count >= 5)
      #expect(statuses.allSatisfy { $0 == 200 || $0 == 503 })
      // Each item that the upstream service has sent was received by a client.
      #expect(upstream.counts.left == 0)
      #expect(upstream.counts.answered == statuses.count { $0 == 200 })
    }
  }
}
