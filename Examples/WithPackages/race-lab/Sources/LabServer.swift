// This source file is part of swift-effects. License: Apache-2.0.

import FlyingFox
import Foundation
import TimelinePage

/// Answers the requests of the page.
struct LabServer: Sendable {
  let lab: Lab

  private static let mostBytes = 1024
  private static let mostCharacters = 40

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard isFromThisPage(request) else { return HTTPResponse(statusCode: .forbidden) }
    switch (request.method, request.path) {
    case (.GET, "/"): return page("text/html", PackageResources.page_html)
    case (.GET, "/page.css"): return page("text/css", PackageResources.page_css)
    case (.GET, "/page.js"): return page("text/javascript", PackageResources.page_js)
    case (.GET, "/timeline"): return timeline()
    case (.GET, "/events"): return await events(request)
    case (.POST, "/typed"): return await typed(request)
    default: return HTTPResponse(statusCode: .notFound)
    }
  }

  /// Other pages in the same browser may send requests too. They are refused: requests under another host name for this
  /// machine, and requests from a link or a script of another site.
  private func isFromThisPage(_ request: HTTPRequest) -> Bool {
    let host = request.headers[.host]?.split(separator: ":").first
    let site = request.headers[HTTPHeader("Sec-Fetch-Site")] ?? "none"
    return (host == "127.0.0.1" || host == "localhost") && (site == "none" || site == "same-origin")
  }

  // MARK: - Pages

  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  private func page(_ type: String, _ bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(statusCode: .ok, headers: headers(type, policy: Self.policy), body: Data(bytes))
  }

  /// The page that shows a trace, without events: the page of the lab puts it in a frame and sends it the events.
  ///
  /// The page has a policy of its own. Here it may not connect, because it need not open links.
  private func timeline() -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: headers("text/html", policy: "connect-src 'none'; frame-ancestors 'self'"),
      body: Data(timelinePage()))
  }

  private func headers(_ type: String, policy: String) -> HTTPHeaders {
    [
      .contentType: "\(type); charset=utf-8", .cacheControl: "no-store",
      HTTPHeader("Content-Security-Policy"): policy, HTTPHeader("X-Content-Type-Options"): "nosniff",
    ]
  }

  // MARK: - Races

  /// A race that begins with the answer and ends when the browser stops reading it.
  private func events(_ request: HTTPRequest) async -> HTTPResponse {
    guard let settings = Settings({ request.query[$0] }) else { return HTTPResponse(statusCode: .badRequest) }
    guard let session = await lab.open(settings, replacing: request.query["replaces"]) else {
      return HTTPResponse(statusCode: .serviceUnavailable)
    }
    let stream = EventStream(session.outbox) { [lab, id = session.id] in Task { await lab.close(id) } }
    return HTTPResponse(
      statusCode: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: HTTPBodySequence(from: stream))
  }

  private struct Typed: Decodable {
    let session: String
    let text: String
  }

  private func typed(_ request: HTTPRequest) async -> HTTPResponse {
    // Forms of other pages cannot send this type unless the server allows it.
    guard request.headers[.contentType] == "application/json" else { return HTTPResponse(statusCode: .badRequest) }
    guard let length = request.headers[.contentLength].flatMap({ Int($0) }) else {
      return HTTPResponse(statusCode: .lengthRequired)
    }
    guard length <= Self.mostBytes else { return HTTPResponse(statusCode: .payloadTooLarge) }
    guard let body = try? await request.bodyData, let typed = try? JSONDecoder().decode(Typed.self, from: body),
      typed.text.unicodeScalars.count <= Self.mostCharacters
    else { return HTTPResponse(statusCode: .badRequest) }
    switch await lab.type(typed.text, in: typed.session) {
    case .done: return HTTPResponse(statusCode: .noContent)
    case .unknownSession: return HTTPResponse(statusCode: .notFound)
    case .tooManyTexts: return HTTPResponse(statusCode: .tooManyRequests)
    }
  }
}
