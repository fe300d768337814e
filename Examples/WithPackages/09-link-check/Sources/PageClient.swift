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

  /// Not on the thread of the store, which goes on while a page is read.
  @concurrent func answer(_ page: Page) async throws -> Answer {
    guard page.canBeRequested else { return .unreachable }
    let request = HTTPClientRequest(url: (places[page.host]?.absoluteString ?? page.host) + page.path)
    let response = try await Self.client.execute(request, timeout: .minutes(1))
    let status = Int(response.status.code)
    switch status {
    case 200..<300:
      guard response.headers.first(name: "Content-Type")?.hasPrefix("text/html") == true else { return .page([]) }
      return .page(try links(in: String(buffer: try await response.body.collect(upTo: 16_777_216)), on: page))
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
    guard link.utf8.count <= 8_192, let url = URL(string: link, relativeTo: base)?.absoluteURL,
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let authority = url.absoluteString.firstMatch(of: /^[^:]+:\/\/([^\/?#@]*@)?([^\/?#]+?):?(?=[\/?#]|$)/)?.2
    else { return nil }
    let path = url.path(percentEncoded: true)
    // As it is written: a port that is too large is none for `URL`.
    host = "\(scheme)://\(authority.lowercased())"
    self.path = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
  }
}

extension Page {
  /// Whether the HTTP client can request it. For some other addresses it ends the process.
  fileprivate var canBeRequested: Bool {
    guard let parts = host.wholeMatch(of: /https?:\/\/(?:\[[^\[\]]+\]|[^:\[\]]+)(?::(\d+))?/) else { return false }
    return parts.1.map { Int($0).map { (1...65_535).contains($0) } ?? false } ?? true
  }
}

/// The pages to which a page links, each once.
///
/// - Throws: `CancellationError`, because a long page takes its time.
func links(in html: String, on page: Page) throws -> [Page] {
  var (found, known): ([Page], Set<Page>) = ([], [])
  var links = Links(Array(html.utf8))
  while let link = links.next() {
    try Task.checkCancellation()
    guard let target = Page(link, on: page), known.insert(target).inserted else { continue }
    found.append(target)
  }
  return found
}
