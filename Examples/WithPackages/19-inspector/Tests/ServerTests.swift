// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import InspectorCore
import NIOCore
import Testing

@testable import Inspector

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The inspector as a browser uses it: a real server and real requests.
@Suite struct `The inspector over HTTP` {
  private let store = Store(initialState: Counter.State(), reducer: Counter())

  private func whileRunning(_ body: (Inspector, Int) async throws -> Void) async throws {
    try await Inspector.whileRunning(store, body)
  }

  private func request(
    _ inspector: Inspector, _ target: String, _ headers: [String: String] = [:], body: String? = nil
  ) async throws -> (status: Int, text: String) {
    var request = URLRequest(url: try #require(URL(string: inspector.url.absoluteString + target.dropFirst())))
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if let body {
      request.httpMethod = "POST"
      if headers["Content-Type"] == nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
      request.httpBody = Data(body.utf8)
    }
    let (data, response) = try await URLSession.shared.data(for: request)
    return (try #require(response as? HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))
  }

  @Test(.timeLimit(.minutes(5)))
  func `Serves the page, jumps, forks, sends and exports`() async throws {
    try await whileRunning { inspector, id in
      for path in ["/", "/page.css", "/page.js", "/list.js", "/moment.js", "/tools.js", "/timeline"] {
        #expect(try await request(inspector, path).status == 200, "\(path)")
      }
      let sent = try await request(inspector, "/send", body: #"{"store": \#(id), "action": "{\"add\":{\"_0\":4}}"}"#)
      #expect(sent.status == 200 && sent.text == #"{"store":\#(id)}"#)
      #expect(await store.state.sum == 4)
      let moment = try await request(inspector, "/moment?store=\(id)&at=1")
      let decoded = try JSONDecoder().decode(Moment.self, from: Data(moment.text.utf8))
      #expect(decoded.difference == ["sum:", "  - 0", "  + 4", "last:", "  - 0", "  + 4"])
      #expect(try await request(inspector, "/fork", body: #"{"store": \#(id), "at": 0}"#).text == #"{"store":2}"#)
      #expect(try await request(inspector, "/continue", body: #"{"store": 2}"#).text == #"{"store":3}"#)
      #expect(try await request(inspector, "/drop", body: #"{"store": 3}"#).status == 200)
      let recording = try await request(inspector, "/recording?store=\(id)")
      #expect(try Recording(parsing: recording.text.utf8).steps.count == 1)
      #expect(try await request(inspector, "/test?store=\(id)").text.contains("Counter.codec"))
      #expect(try await request(inspector, "/trace?store=\(id)&at=1").text.contains(#""kind":"reduced""#))
      #expect(try await request(inspector, "/rows?store=\(id)&before=9&text=add").text.contains(#""searched":0"#))
    }
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      ["Origin": "https://example.org"], ["Host": "example.org"], ["Sec-Fetch-Site": "cross-site"],
      ["Origin": "null"],
    ])
  func `Requests of other pages are refused and change nothing`(headers: [String: String]) async throws {
    try await whileRunning { inspector, id in
      for path in ["/", "/rows?store=\(id)&before=9", "/moment?store=\(id)&at=0", "/recording?store=\(id)"] {
        let status = try await request(inspector, path, headers).status
        #expect(status == 403, "\(path)")
      }
      for path in ["/send", "/fork", "/continue", "/drop"] {
        let body = #"{"store": \#(id), "at": 0, "action": "{\"add\":{\"_0\":4}}"}"#
        let status = try await request(inspector, path, headers, body: body).status
        #expect(status == 403, "\(path)")
      }
      #expect(await store.state == Counter.State())
      #expect(inspector.session.stores.map(\.id) == [id])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `Bad requests get an error with its reason and change nothing`() async throws {
    try await whileRunning { inspector, id in
      for (target, status) in [
        ("/rows", 400), ("/rows?store=\(id)", 400), ("/rows?store=\(id)&before=-1", 400),
        ("/moment?store=99&at=0", 404),
        ("/moment?store=\(id)&at=1", 404), ("/moment?store=\(id)&at=x", 400), ("/recording?store=\(id)&upTo=7", 404),
        ("/nothing", 404), ("/send", 404),
      ] {
        let answer = try await request(inspector, target)
        #expect(answer.status == status && answer.text.hasPrefix(#"{"error":""#), "\(target): \(answer)")
      }
      let long = String(repeating: "x", count: 70_000)
      for (path, body, status) in [
        ("/send", "", 400), ("/send", "{", 400), ("/send", #"{"store": \#(id)}"#, 400),
        ("/send", #"{"store": \#(id), "action": "{}"}"#, 400), ("/send", #"{"store": 99, "action": "{}"}"#, 404),
        ("/send", #"{"store": \#(id), "action": "\#(long)"}"#, 413), ("/fork", #"{"store": \#(id)}"#, 400),
        ("/fork", #"{"store": \#(id), "at": -1}"#, 404), ("/continue", #"{"store": \#(id)}"#, 409),
        ("/drop", #"{"store": \#(id)}"#, 409), ("/rows", "{}", 405),
      ] {
        let answer = try await request(inspector, path, body: body)
        #expect(
          answer.status == status && answer.text.hasPrefix(#"{"error":""#), "\(path) \(body.prefix(60)): \(answer)")
      }
      let form = try await request(
        inspector, "/send", ["Content-Type": "text/plain"],
        body: #"{"store": \#(id), "action": "{\"add\":{\"_0\":4}}"}"#)
      #expect(form.status == 400)
      #expect(await store.state == Counter.State())
      #expect(inspector.session.stores.map(\.id) == [id])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `The stream has the newest actions, and says how many it skips`() async throws {
    let session = InspectorSession()
    let id = try await session.attach(store, name: "counter", reducer: Counter(), codec: Counter.codec)
    let place = try #require(Places(1).take())
    var messages = LiveStream(session, store: id, filter: RowFilter(), place).makeAsyncIterator()
    var news: [[String: Any]] = []
    for count in [3, 20, 5_000] {
      for value in 0..<count { store.send(.add(value)) }
      _ = await store.state
      let text = String(buffer: try #require(try await messages.next()))
      #expect(text.hasPrefix("data: ") && text.hasSuffix("\n\n"))
      let json = try JSONSerialization.jsonObject(with: Data(text.dropFirst(6).utf8))
      news.append(try #require(json as? [String: Any]))
    }
    #expect(news.map { ($0["rows"] as? [Any])?.count } == [3, 20, 50])
    #expect(news.map { $0["skipped"] as? Int } == [0, 0, 4_950])
    #expect(news.map { $0["position"] as? Int } == [3, 23, 5_023])
  }
}
