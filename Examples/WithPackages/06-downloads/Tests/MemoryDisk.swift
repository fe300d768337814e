// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

@testable import downloads

/// Two bytes in a part, four in a file; each byte is its position.
let content: [UInt8] = [0, 1, 2, 3]

func file(_ name: String) -> File {
  File(name: name, size: content.count, checksum: checksum(content))
}

/// Files in memory.
actor MemoryDisk: Storage {
  private(set) var files: [String: [UInt8]]

  init(_ files: [String: [UInt8]] = [:]) {
    self.files = files
  }

  func count(_ name: String) -> Int {
    files[name]?.count ?? 0
  }

  func write(_ name: String, _ position: Int, _ bytes: [UInt8]) {
    files[name, default: []].replaceSubrange(position..<min(position + bytes.count, count(name)), with: bytes)
  }

  func read(_ name: String) -> [UInt8] {
    files[name] ?? []
  }

  func append(_ name: String, _ bytes: [UInt8]) {
    files[name, default: []] += bytes
  }
}

/// Counts how many runs are between its two calls.
final class Turnstile: Sendable {
  private let count = Mutex((inside: 0, most: 0))

  var most: Int { count.withLock { $0.most } }

  func enter() {
    count.withLock { count in
      count.inside += 1
      count.most = max(count.most, count.inside)
    }
  }

  func leave() {
    count.withLock { $0.inside -= 1 }
  }
}

/// What the server sends from a given position.
func part(_ position: Int) -> [UInt8] {
  Array(content[position..<min(position + 2, content.count)])
}
