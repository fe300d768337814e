// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests pages over the network. The crawl does not depend on it.
struct PageClient: Sendable {
  /// The real addresses of hosts whose names do not resolve to them.
  var places: [String: URL] = [:]

  // A redirect is an answer for the crawl, so it is not followed here.
  private static let session = URLSession(configuration: .ephemeral, delegate: NoRedirects(), delegateQueue: nil)

  func answer(_ page: Page) async throws -> Answer {
    guard let url = URL(string: (places[page.host]?.absoluteString ?? page.host) + page.path) else {
      throw URLError(.badURL)
    }
    let (data, response) = try await Self.session.data(from: url)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    switch response.statusCode {
    case 200..<300:
      guard response.mimeType == "text/html" else { return .page([]) }
      return .page(links(in: String(decoding: data, as: UTF8.self), on: page))
    case 300..<400:
      let target = response.value(forHTTPHeaderField: "Location").flatMap { Page($0, on: page) }
      return target.map(Answer.moved) ?? .status(response.statusCode)
    case 503: return .busy
    default: return .status(response.statusCode)
    }
  }
}

private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
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
