// This source file is part of swift-effects. License: Apache-2.0.

/// What the server must know of the sender of a request, before it reads the rest of it.
struct Sender {
  /// The header `Host`.
  var host: String?
  /// The header `Origin`.
  var origin: String?
  /// The header `Sec-Fetch-Site`.
  var site: String?

  /// Whether the request comes from the page itself, or from the address bar.
  ///
  /// Other pages in the same browser may send requests too: under another name for this machine (`Host`), from a script or
  /// form (`Origin`), or from a link or frame (`Sec-Fetch-Site`). A name that an attacker points to this machine is
  /// refused because of `Host`.
  func isThisPage(port: Int?) -> Bool {
    guard let host, let port else { return false }
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard hosts.contains(host.lowercased()) else { return false }
    guard origin == nil || origin == "http://\(host.lowercased())" else { return false }
    return site == nil || site == "none" || site == "same-origin"
  }
}
