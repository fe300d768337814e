// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

@testable import live_search

/// A directory with files in it that exists as long as the test.
final class Tree {
  let path: String

  init(_ files: [String: String] = [:]) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("live-search-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws {
    try write(Data(text.utf8), to: name)
  }

  func write(_ bytes: Data, to name: String) throws {
    let file = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: file)
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// All findings, with paths as seen from the tree and in alphabetical order.
  func search(_ query: String) async throws -> (lines: [String], findings: Findings) {
    var sum = Findings()
    for try await findings in FileSearch(directory: path, query: query) {
      sum.matches += findings.matches
      sum.matched += findings.matched
      sum.searched += findings.searched
      sum.skipped += findings.skipped
    }
    sum.skipped = sum.skipped.map(relative).sorted()
    return (sum.matches.map { relative("\($0)") }.sorted(), sum)
  }

  private func relative(_ text: String) -> String {
    text.hasPrefix("\(path)/") ? String(text.dropFirst(path.count + 1)) : text
  }
}
