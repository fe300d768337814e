// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import NIOHTTP1

/// Why a connection is refused.
struct Refusal: Error {
  let status: HTTPResponseStatus
  let reason: String

  init(_ status: HTTPResponseStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

/// The request that begins a connection: `GET /?after=7`, to become a WebSocket.
struct UpgradeRequest {
  let head: HTTPRequestHead
  /// The number of the last message that the client has.
  let number: Int

  /// Reads the lines up to the empty one.
  ///
  /// - Throws: why it is refused. Other pages in a browser of this machine may send requests too. They are refused because
  ///   of `Origin`, and those under a name that an attacker points to this machine because of `Host`.
  init(_ text: String, port: UInt16) throws(Refusal) {
    let head = try Self.head(text)
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    let (host, origin) = (head.headers["Host"], head.headers["Origin"])
    guard host.count == 1, hosts.contains(host[0].lowercased()) else {
      throw Refusal(.forbidden, "The header Host must be \(hosts[0]).")
    }
    guard origin.isEmpty || origin.count == 1 && hosts.contains(where: { origin[0].lowercased() == "http://\($0)" })
    else {
      throw Refusal(.forbidden, "Pages of other servers have no access.")
    }
    guard head.method == .GET else { throw Refusal(.methodNotAllowed, "The method must be GET.") }
    guard !head.headers.contains(name: "Content-Length"), !head.headers.contains(name: "Transfer-Encoding") else {
      throw Refusal(.badRequest, "The request must have no body.")
    }
    // No sign, and not more digits than fit.
    let digits = head.uri.dropFirst("/?after=".count)
    guard head.uri.hasPrefix("/?after="), digits.allSatisfy(\.isNumber), let number = Int(digits) else {
      throw Refusal(.badRequest, "The path must be /?after= and a number that is not negative.")
    }
    func has(_ name: String, _ value: String) -> Bool {
      head.headers[canonicalForm: name].contains { $0.lowercased() == value }
    }
    guard has("Upgrade", "websocket"), has("Connection", "upgrade") else {
      throw Refusal(.upgradeRequired, "The request must upgrade to a WebSocket.")
    }
    self.head = head
    self.number = number
  }

  private static func head(_ text: String) throws(Refusal) -> HTTPRequestHead {
    let malformed = Refusal(.badRequest, "This is not a request of HTTP/1.1.")
    // NIO's headers must be ASCII: it ends the process if they are not.
    guard text.allSatisfy(\.isASCII) else { throw malformed }
    let lines = text.split(separator: "\r\n" as Character, omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1", !lines.contains(where: { $0.contains(where: \.isNewline) }) else {
      throw malformed
    }
    var headers = HTTPHeaders()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: \.isWhitespace) else { throw malformed }
      headers.add(name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
    }
    return HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: String(words[0])), uri: String(words[1]), headers: headers)
  }
}
