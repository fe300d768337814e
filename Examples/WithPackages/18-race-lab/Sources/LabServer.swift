// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import HTTPTypes
import HummingbirdCore
import LocalServer
import NIOCore
import TimelinePage

/// Answers the requests of the page.
struct LabServer: Sendable {
  let lab: Lab

  private static let mostBytes = 1024
  private static let mostCharacters = 40

  func answer(_ request: Request) async -> Response {
    guard isFromThisPage(request) else { return Response(.forbidden) }
    switch (request.method, request.uri.path) {
    case (.get, "/"): return page("text/html", PackageResources.page_html)
    case (.get, "/page.css"): return page("text/css", PackageResources.page_css)
    case (.get, "/page.js"): return page("text/javascript", PackageResources.page_js)
    case (.get, "/timeline"): return timeline()
    case (.get, "/events"): return await events(request)
    case (.post, "/typed"): return await typed(request)
    default: return Response(.notFound)
    }
  }

  /// Other pages in the same browser may send requests too. They are refused: requests under another host name for this
  /// machine, and requests from a link or a script of another site.
  private func isFromThisPage(_ request: Request) -> Bool {
    let host = request.head.authority?.split(separator: ":").first
    let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] } ?? "none"
    return (host == "127.0.0.1" || host == "localhost") && (site == "none" || site == "same-origin")
  }

  // MARK: - Pages

  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  private func page(_ type: String, _ bytes: [UInt8]) -> Response {
    Response(.ok, headers(type, policy: Self.policy), bytes)
  }

  /// The page that shows a trace, without events: the page of the lab puts it in a frame and sends it the events.
  ///
  /// The page has a policy of its own. Here it may not connect, because it need not open links.
  private func timeline() -> Response {
    Response(.ok, headers("text/html", policy: "connect-src 'none'; frame-ancestors 'self'"), timelinePage())
  }

  private func headers(_ type: String, policy: String) -> HTTPFields {
    [
      .contentType: "\(type); charset=utf-8", .cacheControl: "no-store", .contentSecurityPolicy: policy,
      .xContentTypeOptions: "nosniff",
    ]
  }

  // MARK: - Races

  /// A race that begins with the answer and ends when the browser stops reading it.
  private func events(_ request: Request) async -> Response {
    guard let settings = Settings({ request.query[$0] }) else { return Response(.badRequest) }
    guard let session = await lab.open(settings, replacing: request.query["replaces"]) else {
      return Response(.serviceUnavailable)
    }
    let stream = EventStream(session.outbox) { [lab, id = session.id] in Task { await lab.close(id) } }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody(asyncSequence: stream))
  }

  private struct Typed: Decodable {
    let session: String
    let text: String
  }

  private func typed(_ request: Request) async -> Response {
    // Forms of other pages cannot send this type unless the server allows it.
    guard request.headers[.contentType] == "application/json" else { return Response(.badRequest) }
    guard let length = request.headers[.contentLength].flatMap({ Int($0) }) else {
      return Response(.lengthRequired)
    }
    guard length <= Self.mostBytes else { return Response(.contentTooLarge) }
    guard let body = try? await request.body.collect(upTo: Self.mostBytes),
      let typed = try? JSONDecoder().decode(Typed.self, from: Data(body.readableBytesView)),
      typed.text.unicodeScalars.count <= Self.mostCharacters
    else { return Response(.badRequest) }
    switch await lab.type(typed.text, in: typed.session) {
    case .done: return Response(.noContent)
    case .unknownSession: return Response(.notFound)
    case .tooManyTexts: return Response(.tooManyRequests)
    }
  }
}
