// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import HTTPTypes
import HummingbirdCore
import LocalServer

/// The server's side: six files, whole or in ranges. Their bytes are pseudo-random, so that parts differ.
enum FileServer {
  private static let sizes = ["a": 20_000, "b": 60_000, "c": 30_000, "d": 25_000, "e": 40_000, "f": 10_000]
  private static let files = Dictionary(uniqueKeysWithValues: sizes.map { ($0, content(of: $0, $1)) })

  static func answer(_ request: Request) -> Response {
    let name = String(request.uri.path.drop { $0 == "/" })
    guard !name.isEmpty else { return list() }
    guard let bytes = files[name] else { return Response(.notFound) }
    guard let range = range(request.headers[.range], of: bytes.count) else {
      return Response(.ok, [:], bytes)
    }
    let headers: HTTPFields = [.contentRange: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"]
    return Response(.partialContent, headers, bytes[range])
  }

  private static func list() -> Response {
    let list = files.sorted { $0.key < $1.key }.map { name, bytes in
      File(name: name, size: bytes.count, checksum: checksum(bytes))
    }
    guard let body = try? JSONEncoder().encode(list) else { return Response(.internalServerError) }
    return Response(.ok, [.contentType: "application/json"], body)
  }

  private static func content(of name: String, _ size: Int) -> Data {
    var seed = checksum(name.utf8)
    return Data(
      (0..<size).map { _ in
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: seed >> 56)
      })
  }

  /// The part of `bytes=from-to` that the file has.
  private static func range(_ header: String?, of size: Int) -> Range<Int>? {
    guard let ends = header?.dropFirst("bytes=".count).split(separator: "-").compactMap({ Int($0) }), ends.count == 2
    else { return nil }
    let end = min(ends[1] + 1, size)
    return ends[0] < end ? ends[0]..<end : nil
  }
}
