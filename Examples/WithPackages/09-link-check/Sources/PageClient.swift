// This source file is part of swift-effects. License: Apache-2.0.

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Requests pages over the network. The crawl does not depend on it.
struct PageClient: Sendable {
  /// The real addresses of hosts whose names do not resolve to them.
  var places: [String: URL] = [:]

  private static let client: HTTPClient = {
    // A redirect is an answer for the crawl, so it is not followed here, and so is a host that cannot be reached.
    var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
    settings.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
  }()

  func answer(_ page: Page) async throws -> Answer {
    let request = HTTPClientRequest(url: (places[page.host]?.absoluteString ?? page.host) + page.path)
    let response = try await Self.client.execute(request, timeout: .minutes(1))
    let status = Int(response.status.code)
    switch status {
    case 200..<300:
      guard response.headers.first(name: "Content-Type")?.hasPrefix("text/html") == true else { return .page([]) }
      return .page(links(in: String(buffer: try await response.body.collect(upTo: 16_777_216)), on: page))
    case 300..<400:
      let target = response.headers.first(name: "Location").flatMap { Page($0, on: page) }
      return target.map(Answer.moved) ?? .status(status)
    case 503: return .busy
    default: return .status(status)
    }
  }
}

extension Page {
  /// The target of a link on a page, without the part after `#`; nil if it leads to no page.
  init?(_ link: String, on page: Page? = nil) {
    let base = page.flatMap { URL(string: $0.description) }
    guard let url = URL(string: link, relativeTo: base)?.absoluteURL, let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let name = url.host()?.lowercased()
    else { return nil }
    let path = url.path(percentEncoded: true)
    host = "\(scheme)://\(name)" + (url.port.map { ":\($0)" } ?? "")
    self.path = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
  }
}

/// The pages to which a page links, each once.
func links(in html: String, on page: Page) -> [Page] {
  var found: [Page] = []
  for match in html.matches(of: /<a\s[^>]*href="([^"]*)"/) {
    guard let target = Page(String(match.1), on: page), !found.contains(target) else { continue }
    found.append(target)
  }
  return found
}
