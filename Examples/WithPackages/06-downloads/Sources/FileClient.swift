// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests the list of files from a server, and parts of them. The feature does not depend on it.
struct FileClient: Sendable {
  struct Failure: Error {}

  let server: URL
  /// What must go wrong with a part of a file; see `LocalServer`.
  var trouble: @Sendable (_ name: String, _ position: Int) -> [String: Int] = { _, _ in [:] }

  private static let part = 4096

  func files() async throws -> [File] {
    try JSONDecoder().decode([File].self, from: await get(URLRequest(url: server), status: 200))
  }

  func bytes(_ name: String, _ position: Int) async throws -> [UInt8] {
    let url = server.appending(path: name).appending(
      queryItems: trouble(name, position).sorted { $0.key < $1.key }.map {
        URLQueryItem(name: $0.key, value: "\($0.value)")
      })
    var request = URLRequest(url: url)
    request.setValue("bytes=\(position)-\(position + Self.part - 1)", forHTTPHeaderField: "Range")
    return [UInt8](try await get(request, status: 206))
  }

  private func get(_ request: URLRequest, status: Int) async throws -> Data {
    let (data, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == status else { throw Failure() }
    return data
  }
}
