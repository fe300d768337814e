// This source file is part of swift-effects. License: Apache-2.0.

/// One line that contains the query.
struct Match: Equatable, Codable, Sendable {
  var file: String
  var line: Int
  var text: String
}

extension Match: CustomStringConvertible {
  /// `file:line: text`, which editors and terminals show as a link.
  var description: String { "\(file):\(line): \(text)" }
}

/// What a search has found since its last report.
struct Findings: Equatable, Codable, Sendable {
  var matches: [Match] = []
  /// Files that have been searched, whether they had a match or not.
  var searched = 0
  /// Files whose first match is among `matches`.
  var matched = 0
  /// What could not be read, each with the reason.
  var skipped: [String] = []
}

/// All findings of one search, summed up in bounded memory.
struct Results: Equatable, Codable, Sendable {
  /// The first matches, as many as are kept.
  var matches: [Match] = []
  /// How many matches there are, kept or not.
  var count = 0
  var searched = 0
  var matched = 0
  var skipped = 0
  var lastSkipped: String?

  mutating func add(_ findings: Findings, limit: Int) {
    matches += findings.matches.prefix(max(0, limit - matches.count))
    count += findings.matches.count
    searched += findings.searched
    matched += findings.matched
    skipped += findings.skipped.count
    lastSkipped = findings.skipped.last ?? lastSkipped
  }
}
