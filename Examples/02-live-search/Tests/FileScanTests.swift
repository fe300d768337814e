// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import live_search

struct FileScanTests {
  @Test(arguments: [
    "", "\n", "ab", "ab\n", "\nab", "ab\nab\n", "xxabxx\nxxx\nABab\n\nxxxxxxxxxxxxxxxxxxxxab\nxab", "aab\naaab\na\nb\n",
  ])
  func `Where the chunks end makes no difference`(text: String) throws {
    // Expected: what a search that holds the whole file at once would find.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let numbers = lines.indices.filter { lines[$0].lowercased().contains("ab") }.map { $0 + 1 }
    let tree = try Tree(["text": text])
    for chunk in 1...(text.utf8.count + 2) {
      #expect(try scan(tree.path("text"), for: "ab", chunk: chunk).map(\.line) == numbers, "chunk: \(chunk)")
    }
  }

  @Test func `A huge line is searched to its end, reported once and cut around the match`() throws {
    let long = String(repeating: "x", count: 1_000_000)
    let tree = try Tree(["text": "\(long)swift\(long)swift\nswift\n"])
    let matches = try scan(tree.path("text"), for: "swift", chunk: 32 * 1024)
    #expect(matches.map(\.line) == [1, 2])
    #expect(matches[0].text.hasPrefix("…x"))
    #expect(matches[0].text.contains("xswift"))
    #expect(matches[0].text.count <= 1002)
    #expect(matches[1].text == "swift")
  }

  @Test func `A query that is longer than a chunk is found`() throws {
    let query = String(repeating: "swift ", count: 20_000)
    let tree = try Tree(["text": "before \(query)after"])
    #expect(try scan(tree.path("text"), for: query, chunk: 1024).map(\.line) == [1])
  }

  @Test func `Bytes that are not UTF-8 are repaired, carriage returns left out`() throws {
    let tree = try Tree()
    try tree.write(Data([0xFF, 0x61, 0x62, 0x0D, 0x0A, 0x61, 0x62, 0x0D]), to: "text")
    #expect(try scan(tree.path("text"), for: "ab", chunk: 1024).map(\.text) == ["\u{FFFD}ab", "ab"])
  }

  @Test func `The scan of a file that cannot be read is an error that names it`() {
    // A directory can be opened like a file, and not be read like one.
    let file = OpenFile(descriptor: unsafe open("/", O_RDONLY), path: "notes.txt")
    let error = #expect(throws: PosixError.self) { try FileScan(file, for: Needle("ab")).next() }
    #expect(error?.description == "notes.txt: Is a directory")
  }

  private func scan(_ path: String, for query: String, chunk: Int) throws -> [Match] {
    let file = OpenFile(descriptor: unsafe open(path, O_RDONLY), path: "text")
    let scan = FileScan(file, for: Needle(query), chunk: chunk)
    var matches: [Match] = []
    while let more = try scan.next() { matches += more }
    return matches
  }
}
