// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// The address of an upstream service: scheme, host, port and path.
public struct UpstreamAddress: Hashable, Sendable {
  /// Without a slash at its end.
  let text: String

  /// An address, `http://127.0.0.1:8081`; nil if it is none that the HTTP client can call. For some of those the client ends the
  /// process.
  public init?(_ text: String) {
    let text = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let parts = URLComponents(string: text), let url = parts.url, let scheme = parts.scheme, let host = url.host,
      ["http", "https"].contains(scheme), host.contains(where: { $0 != "[" && $0 != "]" }),
      (1...65_535).contains(parts.port ?? 80)
    else { return nil }
    // User, query and fragment have no place here. A port that is no number is none for `URLComponents`, but is in the text.
    var plain = URLComponents()
    (plain.scheme, plain.percentEncodedPath) = (scheme, parts.percentEncodedPath)
    (plain.encodedHost, plain.port) = (parts.encodedHost, parts.port)
    guard plain.string == text else { return nil }
    self.text = text
  }
}
