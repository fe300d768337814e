// This source file is part of swift-effects. License: Apache-2.0.

/// The lines that contain a query, in all files below a directory, as a sequence of findings.
///
/// Nothing is read before the iterator requests it: the caller sets the pace, and ends the search by stopping.
struct FileSearch: AsyncSequence {
  let directory: String
  let query: String
  /// A file that is skipped. If the findings are written to it, a search of it would find its own output without end.
  var excluded: FileIdentity?

  func makeAsyncIterator() -> Iterator {
    Iterator(directory: directory, excluded: excluded, needle: Needle(query))
  }

  struct Iterator: AsyncIteratorProtocol {
    /// How many steps are taken without a report. Few, so that the numbers on the screen change even when nothing is
    /// found, and so that other tasks can use the thread, which reading a file does not give up by itself.
    static let quietSteps = 64

    private let directory: String
    private let excluded: FileIdentity?
    private let needle: Needle
    private var walk: DirectoryWalk?
    private var scan: FileScan?
    private var hasMatched = false

    fileprivate init(directory: String, excluded: FileIdentity?, needle: Needle) {
      self.directory = directory
      self.excluded = excluded
      self.needle = needle
    }

    mutating func next(isolation: isolated (any Actor)?) async throws -> Findings? {
      let walk = try walk ?? DirectoryWalk(directory, except: excluded)
      self.walk = walk
      var findings = Findings()
      for _ in 0..<Self.quietSteps {
        try Task.checkCancellation()
        guard try step(walk, &findings) else { return findings == Findings() ? nil : findings }
        if !findings.matches.isEmpty { break }
      }
      return findings
    }

    /// Reads one chunk, or takes one entry of a directory; `false` when there are no more.
    private mutating func step(_ walk: DirectoryWalk, _ findings: inout Findings) throws -> Bool {
      guard let scan else {
        switch walk.next() {
        case .file(let file):
          self.scan = FileScan(file, for: needle)
          hasMatched = false
        case .skipped(let error): findings.skipped.append("\(error)")
        case .passed: break
        case nil: return false
        }
        return true
      }
      do {
        guard let matches = try scan.next() else {
          findings.searched += 1
          self.scan = nil
          return true
        }
        if !matches.isEmpty, !hasMatched {
          hasMatched = true
          findings.matched += 1
        }
        findings.matches += matches
      } catch let error as PosixError {
        findings.skipped.append("\(error)")
        self.scan = nil
      }
      return true
    }
  }
}
