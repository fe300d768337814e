// This source file is part of swift-effects. License: Apache-2.0.

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Requests the list of files from a server, and parts of them. The feature does not depend on it.
struct FileClient: Sendable {
  struct Failure: Error {}

  let server: URL
  /// What must go wrong with a part of a file; see `LocalServer`.
  var trouble: @Sendable (_ name: String, _ position: Int) -> [String: Int] = { _, _ in [:] }

  private static let part = 4096

  func files() async throws -> [File] {
    try JSONDecoder().decode([File].self, from: await get(HTTPClientRequest(url: server.absoluteString), status: .ok))
  }

  func bytes(_ name: String, _ position: Int) async throws -> [UInt8] {
    let url = server.appending(path: name).appending(
      queryItems: trouble(name, position).sorted { $0.key < $1.key }.map {
        URLQueryItem(name: $0.key, value: "\($0.value)")
      })
    var request = HTTPClientRequest(url: url.absoluteString)
    request.headers.add(name: "Range", value: "bytes=\(position)-\(position + Self.part - 1)")
    return [UInt8](try await get(request, status: .partialContent))
  }

  private func get(_ request: HTTPClientRequest, status: HTTPResponseStatus) async throws -> Data {
    let response = try await HTTPClient.shared.execute(request, timeout: .minutes(1))
    guard response.status == status else { throw Failure() }
    return Data(try await response.body.collect(upTo: 1_048_576).readableBytesView)
  }
}
