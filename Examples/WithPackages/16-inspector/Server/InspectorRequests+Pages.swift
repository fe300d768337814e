// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import FlyingFox
import Foundation

extension InspectorRequests {
  /// A file of the page.
  func page(_ path: String) -> HTTPResponse? {
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
    return HTTPResponse(statusCode: .ok, headers: Self.headers(type, policy: Self.policy), body: Data(bytes))
  }

  /// The viewer of the library without events: the page puts it in a frame and sends it the events.
  private func timeline() -> HTTPResponse {
    let text = Timeline.html([TraceEvent<Never>](), title: "Runs")
    return HTTPResponse(
      statusCode: .ok, headers: Self.headers("text/html", policy: "frame-ancestors 'self'"), body: Data(text.utf8))
  }

  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  static func headers(_ type: String, policy: String = "default-src 'none'") -> HTTPHeaders {
    [
      .contentType: "\(type); charset=utf-8", .cacheControl: "no-store",
      HTTPHeader("Content-Security-Policy"): policy, HTTPHeader("X-Content-Type-Options"): "nosniff",
      HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
    ]
  }
}
