// This source file is part of swift-effects. License: Apache-2.0.

/// A file as the server lists it.
struct File: Equatable, Sendable, Codable, CustomStringConvertible {
  let name: String
  let size: Int
  let checksum: UInt64

  /// As traces and failing tests print it.
  var description: String { "\(name), \(size) bytes" }
}

/// FNV-1a: enough to notice a byte that is lost, duplicated or at the wrong position.
func checksum(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

/// Where bytes are kept, by name and position.
protocol Storage: Sendable {
  /// How many bytes of a file are stored.
  func count(_ name: String) async throws -> Int
  /// Stores bytes of a file; to store them again at the same position changes nothing.
  func write(_ name: String, _ position: Int, _ bytes: [UInt8]) async throws
  func read(_ name: String) async throws -> [UInt8]
}

/// The bytes are not those of the server.
struct Damaged: Error {}
