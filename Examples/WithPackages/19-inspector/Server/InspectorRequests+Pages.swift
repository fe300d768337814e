// This source file is part of swift-effects. License: Apache-2.0.

import HTTPTypes
import HummingbirdCore
import NIOCore
import TimelinePage

extension InspectorRequests {
  /// A file of the page.
  func page(_ path: String) -> Response? {
    let (type, bytes): (String, [UInt8])
    switch path {
    case "/": (type, bytes) = ("text/html", PackageResources.page_html)
    case "/page.css": (type, bytes) = ("text/css", PackageResources.page_css)
    case "/page.js": (type, bytes) = ("text/javascript", PackageResources.page_js)
    case "/list.js": (type, bytes) = ("text/javascript", PackageResources.list_js)
    case "/moment.js": (type, bytes) = ("text/javascript", PackageResources.moment_js)
    case "/tools.js": (type, bytes) = ("text/javascript", PackageResources.tools_js)
    case "/timeline": return timeline()
    default: return nil
    }
    return Self.ok(type, bytes, policy: Self.policy)
  }

  /// The page that shows a trace, without events: the page of the inspector puts it in a frame and sends it the events.
  ///
  /// The page has a policy of its own. Here it may not connect, because it need not open links.
  private func timeline() -> Response {
    Self.ok("text/html", timelinePage(), policy: "connect-src 'none'; frame-ancestors 'self'")
  }

  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  static func ok(_ type: String, _ bytes: some Sequence<UInt8>, policy: String = closed) -> Response {
    Response(
      status: .ok, headers: headers(type, policy: policy), body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  static let closed = "default-src 'none'"

  static func headers(_ type: String, policy: String = closed) -> HTTPFields {
    var fields: HTTPFields = [
      .contentType: "\(type); charset=utf-8", .cacheControl: "no-store", .contentSecurityPolicy: policy,
      .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin",
    ]
    // The address has the token.
    if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
    return fields
  }
}
