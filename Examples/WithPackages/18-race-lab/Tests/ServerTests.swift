// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import LocalServer
import Testing

@testable import race_lab

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The lab as a browser uses it: a real server, real requests, a real stream.
@Suite struct `The lab over HTTP` {
  private static let race = "overlap=restart&limit=1&latency=decreasing&least=0&most=5000&deaf=true"

  /// A lab that quickly notices closed connections.
  private static func whileRunning(_ body: @Sendable (Lab, LocalServer) async throws -> Void) async throws {
    let lab = Lab(beat: .milliseconds(10))
    try await LocalServer.whileRunning(answering: { await LabServer(lab: lab).answer($0) }) { try await body(lab, $0) }
  }

  private static func url(_ server: LocalServer, _ target: String) throws -> URL {
    try #require(URL(string: server.url.absoluteString + target))
  }

  private static func status(_ request: URLRequest) async throws -> Int? {
    (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
  }

  private static func typing(_ body: String, at server: LocalServer) throws -> URLRequest {
    var request = URLRequest(url: try url(server, "/typed"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body.utf8)
    return request
  }

  @Test(.timeLimit(.minutes(5)))
  func `Two queries are typed: the naive search ends stale, the other is right, and all events are sent (E1)`()
    async throws
  {
    try await Self.whileRunning { lab, server in
      var events = EventReader(url: try Self.url(server, "/events?\(Self.race)")).makeAsyncIterator()
      var seen: [EventReader.Event] = []
      var shown: [String: Shown] = [:]
      while let event = await events.next() {
        seen.append(event)
        if event.name == "session" {
          for text in ["s", "swift"] {
            let request = try Self.typing(#"{"session": \#(event.data), "text": "\#(text)"}"#, at: server)
            #expect(try await Self.status(request) == 204)
          }
        }
        if event.name.hasSuffix("-shown") {
          shown[event.name] = try JSONDecoder().decode(Shown.self, from: Data(event.data.utf8))
        }
        // The search that was typed last answers first.
        let areIdle = shown.count == 2 && shown.values.allSatisfy { $0.query == "swift" && !$0.isBusy }
        if areIdle { break }
      }
      let naive = try #require(shown["naive-shown"])
      let chosen = try #require(shown["chosen-shown"])
      #expect(naive.isStale && naive.query == "swift" && naive.outdated == 1)
      #expect(!chosen.isStale && chosen.answered == "swift" && chosen.outdated == 0 && chosen.count == 6)
      for name in ["naive", "chosen"] {
        let numbers = try seen.filter { $0.name == name }.map { event in
          try #require(JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])["number"] as? Int
        }
        #expect(!numbers.isEmpty && numbers == numbers.indices.map { $0 + 1 })
      }
      events.cancel()
      await lab.has(sessions: 0)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A browser that disconnects ends its session, and a session that is replaced ends its stream`()
    async throws
  {
    try await Self.whileRunning { lab, server in
      var gone = EventReader(url: try Self.url(server, "/events?\(Self.race)")).makeAsyncIterator()
      #expect(await gone.next()?.name == "session")
      await lab.has(sessions: 1)
      gone.cancel()
      await lab.has(sessions: 0)

      var first = EventReader(url: try Self.url(server, "/events?\(Self.race)")).makeAsyncIterator()
      let id = try #require(await first.next()?.data.dropFirst().dropLast())
      var second = EventReader(url: try Self.url(server, "/events?\(Self.race)&replaces=\(id)")).makeAsyncIterator()
      #expect(await second.next()?.name == "session")
      while await first.next() != nil {}
      await lab.has(sessions: 1)
      second.cancel()
      await lab.has(sessions: 0)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A server that stops ends streams and sessions`() async throws {
    let lab = Lab()
    let reading = try await LocalServer.whileRunning(answering: { await LabServer(lab: lab).answer($0) }) { server in
      let url = try Self.url(server, "/events?\(Self.race)")
      let reading = Task { for await _ in EventReader(url: url) {} }
      await lab.has(sessions: 1)
      return reading
    }
    await reading.value
    await lab.has(sessions: 0)
  }

  @Test func `Invalid requests are refused`() async throws {
    try await Self.whileRunning { lab, server in
      #expect(try await Self.status(URLRequest(url: try Self.url(server, "/events"))) == 400)
      #expect(try await Self.status(URLRequest(url: try Self.url(server, "/events?\(Self.race)0"))) == 400)
      #expect(try await Self.status(URLRequest(url: try Self.url(server, "/secret"))) == 404)
      #expect(try await Self.status(URLRequest(url: try Self.url(server, "/typed"))) == 404)

      let session = try #require(await lab.open(LabTests.quick, replacing: nil))
      let known = { (text: String) in try Self.typing(#"{"session": "\#(session.id)", "text": "\#(text)"}"#, at: server)
      }
      #expect(try await Self.status(Self.typing(#"{"session": "0", "text": "s"}"#, at: server)) == 404)
      #expect(try await Self.status(Self.typing("s", at: server)) == 400)
      #expect(try await Self.status(Self.typing(#"{"session": "\#(session.id)"}"#, at: server)) == 400)
      #expect(try await Self.status(known(String(repeating: "ß", count: 40))) == 204)
      #expect(try await Self.status(known(String(repeating: "ß", count: 41))) == 400)
      #expect(try await Self.status(known(String(repeating: "s", count: 1000))) == 413)
      var form = try known("s")
      form.setValue("text/plain", forHTTPHeaderField: "Content-Type")
      #expect(try await Self.status(form) == 400)
      var foreign = try known("s")
      foreign.setValue("cross-site", forHTTPHeaderField: "Sec-Fetch-Site")
      #expect(try await Self.status(foreign) == 403)
      var renamed = URLRequest(url: try Self.url(server, "/"))
      renamed.setValue("elsewhere.example", forHTTPHeaderField: "Host")
      #expect(try await Self.status(renamed) == 403)

      for _ in 1..<Lab.mostSessions { #expect(await lab.open(LabTests.quick, replacing: nil) != nil) }
      #expect(try await Self.status(URLRequest(url: try Self.url(server, "/events?\(Self.race)"))) == 503)
    }
  }

  @Test(arguments: ["/", "/page.css", "/page.js", "/timeline?title=%3Cscript%3E"])
  func `The page loads nothing from other servers, and no text becomes a part of it`(target: String) async throws {
    try await Self.whileRunning { _, server in
      let (data, response) = try await URLSession.shared.data(from: try Self.url(server, target))
      let answer = try #require(response as? HTTPURLResponse)
      #expect(answer.statusCode == 200)
      #expect(answer.value(forHTTPHeaderField: "Content-Security-Policy")?.contains("frame-ancestors") == true)
      let text = String(decoding: data, as: UTF8.self)
      #expect(!text.contains("http://") && !text.contains("https://"))
      #expect(!text.contains("<script>"))
    }
  }
}
