// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import InspectorCore
import NIOCore
import NIOPosix
import Testing

@testable import Inspector

/// What a program or page must not be able to do, byte by byte.
@Suite(.timeLimit(.minutes(5))) struct `The inspector under attack` {
  private let store = Store(initialState: Counter.State(), reducer: Counter())

  private func whileRunning(_ body: (Inspector) async throws -> Void) async throws {
    try await Inspector.whileRunning(store) { inspector, _ in try await body(inspector) }
  }

  private let add = #"{"store": 1, "action": "{\"add\":{\"_0\":4}}"}"#

  @Test(arguments: [65_535, 65_536, 65_537, 2_097_151, 2_097_152, 2_097_153])
  func `A refused request has one answer, and its body is never read as a request`(length: Int) async throws {
    try await whileRunning { inspector in
      let inner = Wire.request(inspector, "POST", "send", body: add)
      let filler = String(repeating: " ", count: length - 2 * inner.utf8.count)
      let body = inner + filler + inner
      for origin in ["https://example.org", "null", "http://127.0.0.1:1"] {
        let foreign = Wire.request(inspector, "POST", "send", ["Origin: \(origin)"], body: body)
        let answered = try await Wire.exchange(inspector, foreign).map(\.status)
        #expect(answered == [403], "\(origin)")
      }
      let unknown = foreignToken(Wire.request(inspector, "POST", "send", body: body), inspector)
      #expect(try await Wire.exchange(inspector, unknown).map(\.status) == [403])
      let form = Wire.request(inspector, "POST", "send", body: body)
        .replacing("application/json", with: "text/plain", maxReplacements: 1)
      #expect(try await Wire.exchange(inspector, form).map(\.status) == [400])
      // Of the page itself it is read as one body, or refused because of its length.
      let own = try await Wire.exchange(inspector, Wire.request(inspector, "POST", "send", body: body))
      #expect(own.map(\.status) == [length <= Limits.body ? 400 : 413])
      #expect(await store.state == Counter.State())
    }
  }

  private func foreignToken(_ request: String, _ inspector: Inspector) -> String {
    request.replacing(inspector.url.path(), with: Token().path, maxReplacements: 1)
  }

  @Test func `Requests behind a request that is not answered yet, and bodies of other kinds, change nothing`()
    async throws
  {
    try await whileRunning { inspector in
      let send = Wire.request(inspector, "POST", "send", body: add)
      let chunked = "Transfer-Encoding: chunked"
      let (host, path) = ("Host: 127.0.0.1:\(inspector.url.port ?? 0)", inspector.url.path())
      for (text, statuses) in [
        (Wire.request(inspector, "GET", "nothing") + send, [404]),
        (Wire.request(inspector, "GET", "rows", ["Content-Length: \(send.utf8.count)"]) + send, [400]),
        (Wire.request(inspector, "GET", "rows", [chunked]) + "0\r\n\r\n" + send, [400]),
        (
          "POST \(path)send HTTP/1.1\r\n\(host)\r\nContent-Type: application/json\r\n\(chunked)\r\n\r\n0\r\n\r\n\(send)",
          [411]
        ),
        ("POST \(path)send HTTP/1.1\r\n\(host)\r\nContent-Type: application/json\r\n\r\n\(send)", [411]),
        (Wire.request(inspector, "POST", "send", [chunked], body: add) + send, [400]),
        (Wire.request(inspector, "POST", "send", ["Content-Length: 3"], body: add) + send, [400]),
        (Wire.request(inspector, "PUT", "send", ["Content-Length: 0"]) + send, [405]),
        ("POST \(path)send HTTP/1.1\r\n\(host)\r\nContent-Length: -1\r\n\r\n\(send)", [400]),
        ("POST \(path)send HTTP/1.1\r\n\(host)\r\nContent-Length: 99999999999999999999\r\n\r\n\(send)", [400]),
        ("nonsense\r\n\r\n" + send, [400]),
      ] {
        let answered = try await Wire.exchange(inspector, text).map(\.status)
        #expect(answered == statuses, "\(text.prefix(200))")
      }
      #expect(await store.state == Counter.State())
    }
  }

  @Test func `An action that was sent is answered, whatever is behind its request`() async throws {
    try await whileRunning { inspector in
      var sum = 0
      for (headers, rest) in [
        ([], "\u{1}\u{2}"), (["Connection: close"], "xx"), (["Connection: close"], "GET / HTTP/1.1\r\n\r\n"),
      ] as [([String], String)] {
        for _ in 1...20 {
          let text = Wire.request(inspector, "POST", "send", headers, body: add) + rest
          let answered = try await Wire.exchange(inspector, text).map(\.status)
          #expect(answered == [200], "\(headers) \(rest)")
          sum += 4
        }
      }
      #expect(await store.state.sum == sum)
    }
  }

  @Test func `A body may be as long as the limit, and no byte longer`() async throws {
    try await whileRunning { inspector in
      for (length, status) in [(Limits.body - 1, 200), (Limits.body, 200), (Limits.body + 1, 413)] {
        let body = add + String(repeating: " ", count: length - add.utf8.count)
        let text = Wire.request(inspector, "POST", "send", ["Connection: close"], body: body)
        let answered = try await Wire.exchange(inspector, text).map(\.status)
        #expect(answered == [status], "\(length)")
      }
      #expect(await store.state.sum == 8)
    }
  }

  @Test func `A line that is too long is refused before it has ended`() async throws {
    try await whileRunning { inspector in
      let path = inspector.url.path()
      let long = String(repeating: "a", count: Limits.line + 1)
      let host = "Host: 127.0.0.1:\(inspector.url.port ?? 0)\r\n"
      for text in [
        "GET \(path)\(long)", "GET \(path)\(String(repeating: "a", count: 80_000))",
        "GET \(path)\(String(repeating: "a", count: 1_000_000))",
        "GET \(path) HTTP/1.1\r\n\(host)X: \(long)", "GET \(path) HTTP/1.1\r\n\(host)\(long)",
        "GET \(path) HTTP/1.1\r\n\(host)" + String(repeating: "X: \(long.prefix(1_000))\r\n", count: 40),
        "GET \(path) HTTP/1.1\r\n\(host)" + String(repeating: "X: y\r\n", count: Limits.headers + 1),
      ] {
        let answers = try await Wire.exchange(inspector, text)
        #expect(answers.map(\.status) == [431], "\(text.prefix(100)): \(text.count)")
        #expect(answers.first?.body.contains("longer than") == true)
      }
      let target = String(repeating: "a", count: Limits.line - path.utf8.count)
      let longest = Wire.request(inspector, "GET", target, ["Connection: close"])
      #expect(try await Wire.exchange(inspector, longest).map(\.status) == [404])
    }
  }

  @Test(arguments: [
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-1", "9007199254740992",
    "99999999999999999999",
    "", "x", "1e3", "0x1", "1.0", "%00", "%",
  ])
  func `A number that cannot be one is refused, whatever parameter it is`(number: String) async throws {
    try await whileRunning { inspector in
      for target in [
        "trace?store=1&at=", "moment?store=1&at=", "rows?store=1&before=", "recording?store=1&upTo=",
        "recording?store=1&newest=", "test?store=1&newest=", "trace?at=0&store=", "events?store=",
      ] {
        let answers = try await Wire.exchange(inspector, Wire.request(inspector, "GET", target + number))
        #expect(answers.map(\.status) == [400] && answers.first?.body.contains("must be a number") == true, "\(target)")
      }
    }
  }

  @Test func `The largest number is answered`() async throws {
    try await whileRunning { inspector in
      for (target, status) in [
        ("trace?store=1&at=", 200), ("moment?store=1&at=", 404), ("rows?store=1&before=", 200),
        ("recording?store=1&upTo=", 404), ("recording?store=1&newest=", 200), ("test?store=1&newest=", 200),
        ("trace?at=0&store=", 404),
      ] {
        let request = Wire.request(inspector, "GET", "\(target)\(Limits.number)", ["Connection: close"])
        let answered = try await Wire.exchange(inspector, request).map(\.status)
        #expect(answered == [status], "\(target)")
      }
      for number in ["9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e400"] {
        for body in [#"{"store": 1, "at": \#(number)}"#, #"{"store": \#(number), "at": 0}"#] {
          let answers = try await Wire.exchange(inspector, Wire.request(inspector, "POST", "fork", body: body))
          #expect(answers.map(\.status) == [404] || answers.map(\.status) == [400], "\(body)")
        }
      }
      #expect(inspector.session.stores.count == 1)
    }
  }

  @Test func `Nothing is read or changed without the token, which is another one at each start`() async throws {
    try await whileRunning { inspector in
      for target in [
        "", "page.js", "events", "rows?store=1&before=9", "moment?store=1&at=0", "recording?store=1", "timeline",
      ] {
        let request = Wire.request(inspector, "GET", target)
        for path in ["/", Token().path, String(inspector.url.path().dropLast(2)) + "/", "/\(inspector.url.path())", ""]
        {
          let answers = try await Wire.exchange(
            inspector, request.replacing(inspector.url.path(), with: path, maxReplacements: 1))
          #expect(answers.map(\.status) == [403] || path.isEmpty && answers.map(\.status) == [400], "\(path)\(target)")
        }
      }
      for target in ["send", "fork", "continue", "drop"] {
        let request = foreignToken(Wire.request(inspector, "POST", target, body: add), inspector)
        #expect(try await Wire.exchange(inspector, request).map(\.status) == [403])
      }
      #expect(await store.state == Counter.State())
    }
    #expect(Set((0..<100).map { _ in Token().path }).count == 100)
    #expect(Token().path.wholeMatch(of: /\/[0-9a-f]{32}\//) != nil)
  }

  @Test func `Connections with half a request keep out no other`() async throws {
    try await whileRunning { inspector in
      let port = try #require(inspector.url.port)
      var connections: [any Channel] = []
      let halfBody = String(Wire.request(inspector, "POST", "send", body: add).dropLast())
      for half in ["", "GET \(inspector.url.path())", halfBody] {
        for _ in 0..<3 * Limits.connections {
          let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
          channel.writeAndFlush(ByteBuffer(string: half), promise: nil)
          connections.append(channel)
        }
        let request = Wire.request(inspector, "GET", "rows?store=1&before=1", ["Connection: close"])
        #expect(try await Wire.exchange(inspector, request).map(\.status) == [200])
      }
      for connection in connections { connection.close(promise: nil) }
      #expect(await store.state == Counter.State())
    }
  }

  @Test func `A request has one host`() async throws {
    try await whileRunning { inspector in
      let own = Wire.request(inspector, "GET", "rows?store=1&before=1", ["Connection: close"])
      let host = "Host: 127.0.0.1:\(inspector.url.port ?? 0)\r\n"
      for (hosts, statuses) in [
        ("", [400]), (host, [200]), (host + host, [400]), (host + "Host: example.org\r\n", [400]),
        ("Host: example.org\r\n" + host, [400]), (host + "hOST:\r\n", [400]),
      ] {
        let answered = try await Wire.exchange(inspector, own.replacing(host, with: hosts)).map(\.status)
        #expect(answered == statuses, "\(hosts)")
      }
    }
  }

  @Test func `A client that asks whether it may send its body is answered`() async throws {
    try await Inspector.whileRunning(store, idle: .seconds(5)) { inspector, _ in
      let request = Wire.request(inspector, "POST", "send", ["Expect: 100-Continue"], body: add)
      let head = String(request.dropLast(add.count))
      try await Wire.connect(inspector) { reader, outbound in
        for sum in [4, 8] {
          try await outbound.write(ByteBuffer(string: head))
          let expected = "HTTP/1.1 100 Continue\r\n\r\n"
          try #require(try await reader.some() == expected)
          try await outbound.write(ByteBuffer(string: add))
          #expect(try await reader.next()?.status == 200)
          #expect(await store.state.sum == sum)
        }
      }
      let foreign = head.replacing(inspector.url.path(), with: Token().path)
      #expect(try await Wire.exchange(inspector, foreign).map(\.status) == [403])
    }
  }

  @Test func `A stream more than the limit is refused with the reason`() async throws {
    try await whileRunning { inspector in
      let answers = try await streaming(Limits.streams, inspector)
      #expect(answers.map(\.status) == [503])
    }
  }

  /// Opens so many streams, one inside the other, and then one more.
  private func streaming(_ count: Int, _ inspector: Inspector) async throws -> [Wire.Answer] {
    let request = Wire.request(inspector, "GET", "events?store=1")
    if count == 0 { return try await Wire.exchange(inspector, request) }
    return try await Wire.connect(inspector) { reader, outbound in
      try await outbound.write(ByteBuffer(string: request))
      let head = try await reader.some()
      #expect(head?.hasPrefix("HTTP/1.1 200") == true)
      return try await streaming(count - 1, inspector)
    }
  }

  @Test func `A place that is released is free again`() {
    let places = Places(12)
    var taken = (0..<12).map { _ in places.take() }
    #expect(!taken.contains { $0 == nil } && places.take() == nil)
    taken.removeLast()
    #expect(places.take() != nil)
  }

  @Test func `A small POST on a connection that is kept is answered at once`() async throws {
    try await whileRunning { inspector in
      let fastest = try await Wire.connect(inspector) { reader, outbound in
        var fastest = Duration.seconds(60)
        let request = Wire.request(inspector, "POST", "send", body: add)
        let parts = [request.prefix(request.count - add.count), request.suffix(add.count)]
        for _ in 0..<100 {
          let began = ContinuousClock.now
          for part in parts { try await outbound.write(ByteBuffer(substring: part)) }
          let answer = try await reader.next()
          fastest = min(fastest, ContinuousClock.now - began)
          #expect(answer?.status == 200)
        }
        return fastest
      }
      // With a delayed acknowledgement each takes 40 ms.
      #expect(fastest < .milliseconds(30))
      #expect(await store.state.sum == 400)
    }
  }
}
