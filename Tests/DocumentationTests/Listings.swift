// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// Finds listings in sources and in documents, so that documents show code that was compiled and run.
struct Listings {
  private let root: URL

  init(_ file: StaticString = #filePath) {
    root = URL(fileURLWithPath: "\(file)").deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// The lines between `// listing: name` and `// end`, without their common indentation, by name.
  func compiled(in path: String) throws -> [String: String] {
    var found: [String: String] = [:]
    var current: (name: String, lines: [String])?
    for line in try lines(of: path) {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if let name = trimmed.dropping(prefix: "// listing: ") {
        current = (name, [])
      } else if trimmed == "// end", let listing = current {
        found[listing.name] = dedented(listing.lines)
        current = nil
      } else {
        current?.lines.append(line)
      }
    }
    return found
  }

  /// The code after each `<!-- listing: name -->`, by name.
  func shown(in path: String) throws -> [String: String] {
    var found: [String: String] = [:]
    var name: String?
    var code: [String]?
    for line in try lines(of: path) {
      if let announced = line.dropping(prefix: "<!-- listing: ") {
        name = announced.replacingOccurrences(of: " -->", with: "")
      } else if line.hasPrefix("```"), let listing = name {
        if let finished = code {
          found[listing] = finished.joined(separator: "\n")
          (name, code) = (nil, nil)
        } else {
          code = []
        }
      } else {
        code?.append(line)
      }
    }
    return found
  }

  /// The number of Swift blocks in a document, with or without a listing comment.
  func swiftBlocks(in path: String) throws -> Int {
    try lines(of: path).filter { $0 == "```swift" }.count
  }

  func lines(of path: String) throws -> [String] {
    let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func dedented(_ lines: [String]) -> String {
    let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let common = indents.min() ?? 0
    return lines.map { String($0.dropFirst(common)) }.joined(separator: "\n")
  }
}

extension String {
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
