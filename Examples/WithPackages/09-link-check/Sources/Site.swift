// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import HTTPTypes
import HummingbirdCore
import LocalServer

/// The built-in site: two hosts whose links are followed, and a third, with all cases that a crawler must handle.
///
/// The link of a page contains what must go wrong with it: `delay=500`, `fail=1`, `hang=9` (see `LocalServer`).
enum Site {
  static let start = Page(host: "http://docs.example", path: "/")
  static let hosts: Set = ["http://docs.example", "http://shop.example"]

  private enum Content {
    case links([String])
    case moved(String)
    case failure
  }

  private static let pages: [String: [String: Content]] = [
    "http://docs.example": [
      "/": .links([
        "/", "/guide?delay=100", "/archive?delay=500", "/old", "http://shop.example", "mailto:me@docs.example",
      ]),
      "/guide": .links(["/", "/#top", "install", "/missing", "http://partner.example/docs"]),
      "/install": .links(["/guide?delay=100", "/missing", "/news?fail=1", "/round"]),
      "/archive": .links(["/news?fail=1", "/search?hang=9", "/round"]),
      "/news": .links(["/"]),
      "/search": .links([]),
      "/old": .moved("/guide?delay=100"),
      "/round": .moved("/round/about"),
      "/round/about": .moved("/round"),
    ],
    "http://shop.example": [
      "/": .links(["/items?delay=100", "/cart", "http://docs.example/"]),
      "/items": .links(["/items/1", "/items/2", "/items/3", "/stock?fail=9"]),
      "/items/1": .links(["/items?delay=100", "/items/2"]),
      "/items/2": .links(["/items?delay=100", "/items/3"]),
      "/items/3": .links(["/items?delay=100", "/items/1", "http://docs.example/guide?delay=100"]),
      "/cart": .failure,
      "/stock": .links([]),
    ],
    "http://partner.example": [
      "/docs": .links(["/more"]),
      "/more": .links([]),
    ],
  ]

  /// Serves each host on its own port while a closure runs. The closure gets a client with the addresses of the hosts.
  static func whileServed<Result: Sendable>(
    _ body: @escaping @Sendable (PageClient) async throws -> Result
  ) async throws -> Result {
    try await serve(pages.keys.sorted()[...], PageClient(), body)
  }

  private static func serve<Result: Sendable>(
    _ hosts: ArraySlice<String>, _ client: PageClient, _ body: @escaping @Sendable (PageClient) async throws -> Result
  ) async throws -> Result {
    guard let host = hosts.first else { return try await body(client) }
    return try await LocalServer.whileRunning(answering: { answer($0, of: host) }) { server in
      var client = client
      client.places[host] = server.url
      return try await serve(hosts.dropFirst(), client, body)
    }
  }

  private static func answer(_ request: Request, of host: String) -> Response {
    switch pages[host]?[request.uri.path] {
    case .links(let links): page(linkingTo: links)
    case .moved(let target): redirect(to: target)
    case .failure: Response(.internalServerError)
    case nil: Response(.notFound)
    }
  }

  static func redirect(to target: String) -> Response {
    Response(.movedPermanently, [.location: target])
  }

  static func page(linkingTo links: [String]) -> Response {
    let list = links.map { "<li><a href=\"\($0)\">\($0)</a></li>\n" }.joined()
    return Response(.ok, [.contentType: "text/html"], "<!doctype html>\n<ul>\n\(list)</ul>\n".utf8)
  }
}
