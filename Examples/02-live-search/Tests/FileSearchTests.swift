// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import live_search

struct FileSearchTests {
  @Test func `Lines are found in all files at all depths`() async throws {
    let tree = try Tree([
      "one.txt": "swift\nnothing\nstill swift\n",
      "a/two.txt": "nothing\n",
      "a/b/c/three.txt": "no newline at the end of swift",
    ])
    let (lines, findings) = try await tree.search("swift")
    #expect(
      lines == ["a/b/c/three.txt:1: no newline at the end of swift", "one.txt:1: swift", "one.txt:3: still swift"])
    #expect(findings.searched == 3)
    #expect(findings.matched == 2)
    #expect(findings.skipped == [])
  }

  @Test(arguments: [("", "/text"), ("/", "/text"), ("/a", "/a/deep"), ("/.", "/./text")])
  func `Paths begin with the directory as it was given`(ending: String, path: String) async throws {
    let tree = try Tree(["text": "swift", "a/deep": "swift"])
    var files: [String] = []
    for try await findings in FileSearch(directory: tree.path + ending, query: "swift") {
      files += findings.matches.map(\.file)
    }
    #expect(files.contains(tree.path + path))
  }

  @Test func `Paths below the current directory are plain`() throws {
    // The tests run in the directory of the package, which has files and directories; any of them will do.
    let walk = try DirectoryWalk(".")
    var path: String?
    while path == nil, let step = walk.next() {
      if case .file(let file) = step { path = file.path }
    }
    #expect(path?.hasPrefix(".") == false)
    #expect(path?.hasPrefix("/") == false)
  }

  @Test func `Small letters find capitals, capitals find only themselves`() async throws {
    let tree = try Tree(["f": "Swift\nswift\nSWIFT\nÉtude\nétude\n"])
    #expect(try await tree.search("swift").lines == ["f:1: Swift", "f:2: swift", "f:3: SWIFT"])
    #expect(try await tree.search("Swift").lines == ["f:1: Swift"])
    #expect(try await tree.search("sWIFT").lines == [])
    #expect(try await tree.search("é").lines == ["f:5: étude"])
  }

  @Test func `Hidden and binary files are not searched`() async throws {
    let tree = try Tree([".hidden": "swift", ".git/config": "swift", "binary": "swift\n\0", "text": "swift"])
    #expect(try await tree.search("swift").lines == ["text:1: swift"])
  }

  @Test func `A file that is excluded is not searched, whatever path it was given by`() async throws {
    let tree = try Tree(["a/recording": "swift", "text": "swift"])
    let excluded = try #require(FileIdentity(tree.path("a/../a/recording")))
    var files: [String] = []
    for try await findings in FileSearch(directory: tree.path, query: "swift", excluded: excluded) {
      files += findings.matches.map(\.file)
    }
    #expect(files == [tree.path("text")])
    #expect(FileIdentity(tree.path("missing")) == nil)
  }

  @Test func `Links are not followed, so that a loop of them ends`() async throws {
    let tree = try Tree(["a/text": "swift"])
    try tree.link("a/loop", to: "..")
    try tree.link("a/self", to: "self")
    try tree.link("a/file", to: "text")
    let (lines, findings) = try await tree.search("swift")
    #expect(lines == ["a/text:1: swift"])
    #expect(findings.skipped == [])
  }

  @Test func `A pipe in the tree is skipped, without waiting and without a message`() async throws {
    let tree = try Tree(["text": "swift"])
    #expect(unsafe mkfifo(tree.path("pipe"), 0o600) == 0)
    let (lines, findings) = try await tree.search("swift")
    #expect(lines == ["text:1: swift"])
    #expect(findings.skipped == [])
  }

  @Test func `A missing directory is an error that names it`() async throws {
    let error = await #expect(throws: PosixError.self) {
      for try await _ in FileSearch(directory: "/no/such/directory", query: "swift") {}
    }
    #expect(error?.description == "/no/such/directory: No such file or directory")
  }

  @Test func `What cannot be read is skipped with a message`() async {
    // In a process of its own: root can read everything, and giving up that right affects the whole process.
    await #expect(processExitsWith: .success) {
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      let tree = try Tree(["closed.txt": "swift", "closed/inside": "swift", "open.txt": "swift"])
      #expect(unsafe chmod(tree.path("closed.txt"), 0) == 0)
      #expect(unsafe chmod(tree.path("closed"), 0) == 0)
      let (lines, findings) = try await tree.search("swift")
      #expect(unsafe chmod(tree.path("closed"), 0o700) == 0)
      #expect(lines == ["open.txt:1: swift"])
      #expect(findings.skipped == ["closed.txt: Permission denied", "closed: Permission denied"])
    }
  }

  #if os(Linux)
    @Test func `A file that cannot be read to its end is skipped with a message`() async throws {
      // The memory of a process begins with a page that no process can read.
      var skipped: [String] = []
      for try await findings in FileSearch(directory: "/proc/self", query: "swift") { skipped += findings.skipped }
      #expect(skipped.contains("/proc/self/mem: Input/output error"))
    }
  #endif

  @Test func `Too deep a tree is searched as far as directories can be opened`() async {
    await #expect(processExitsWith: .success) {
      let deep = Array(repeating: "d", count: 50).joined(separator: "/")
      let tree = try Tree(["top": "swift", "\(deep)/bottom": "swift"])
      // Use up all file descriptors, then give back a few.
      var used: [Int32] = []
      while case let descriptor = dup(0), descriptor >= 0 { used.append(descriptor) }
      used.suffix(20).forEach { close($0) }
      let (lines, findings) = try await tree.search("swift")
      used.dropLast(20).forEach { close($0) }
      #expect(lines == ["top:1: swift"])
      #expect(findings.skipped.count == 1)
      #expect(findings.skipped.first?.hasSuffix("d: Too many open files") == true)
    }
  }

  @Test func `An abandoned search closes what it had opened`() async {
    // In a process of its own, so that no other test opens files meanwhile.
    await #expect(processExitsWith: .success) {
      let tree = try Tree(["a/b/c/text": String(repeating: "swift\n", count: 100_000)])
      let countOpen = { (0..<1000).count { fcntl($0, F_GETFD) >= 0 } }
      let before = countOpen()
      for _ in 0..<100 {
        for try await findings in FileSearch(directory: tree.path, query: "swift") {
          #expect(findings.searched == 0)
          break
        }
      }
      // The runtime may have opened a few files for itself, but not a hundred.
      #expect(countOpen() < before + 100)
    }
  }

  @Test func `Nothing is read before the iterator requests it`() async throws {
    let tree = try Tree(Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0)", "nothing") }))
    var iterator = FileSearch(directory: tree.path, query: "swift").makeAsyncIterator()
    let findings = try #require(try await iterator.next(isolation: nil))
    #expect(findings.matches == [])
    #expect((1...FileSearch.Iterator.quietSteps).contains(findings.searched))
  }

  @Test func `A cancelled search stops at its next step`() async throws {
    let tree = try Tree(["text": String(repeating: "swift\n", count: 100_000)])
    let search = FileSearch(directory: tree.path, query: "swift")
    let task = Task {
      var iterator = search.makeAsyncIterator()
      let findings = try await iterator.next(isolation: nil)
      #expect(findings?.matches.isEmpty == false)
      // The task cancels itself, so the timing is certain.
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      _ = try await iterator.next(isolation: nil)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
