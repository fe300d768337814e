// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

@testable import chat

/// A link to a room without a network. A line may break once, at the points where networks break.
actor MemoryLink: Link {
  enum Break: CaseIterable {
    case never
    /// The server is not running.
    case onDialling
    /// A draft was written, but the server has not read it.
    case beforeTaken
    /// The server has the draft, but its answer was not written.
    case behindTaken
  }

  let room: Room
  private var trouble: Break
  private var opened = 0
  private let hasVisit = Mutex(false)
  private var visit: Visit? { didSet { hasVisit.withLock { $0 = visit != nil } } }

  init(_ room: Room = Room(), breaking trouble: Break = .never) {
    self.room = room
    self.trouble = trouble
  }

  func open(after number: Int) async throws -> Int {
    if strikes(.onDialling) { throw NotConnected() }
    let visit = await room.enter(after: number)
    try Task.checkCancellation()
    opened += 1
    self.visit = visit
    return opened
  }

  func next(on line: Int) async throws -> Message {
    guard line == opened, let message = await visit?.next() else { throw NotConnected() }
    return message
  }

  func post(_ draft: Draft) async throws {
    guard let visit else { throw NotConnected() }
    if strikes(.beforeTaken) { return visit.end() }
    if strikes(.behindTaken) { visit.end() }
    await room.accept(draft)
  }

  func close(_ line: Int) {
    if line == opened { visit = nil }
  }

  /// Whether there is a line; an exploration can read this without `await`.
  nonisolated var isOpen: Bool { hasVisit.withLock { $0 } }

  /// Ends the connection, as if the server was killed.
  func kill() {
    visit?.end()
  }

  private func strikes(_ kind: Break) -> Bool {
    guard trouble == kind else { return false }
    trouble = .never
    return true
  }
}

/// Counts how many messages are read from another link.
actor CountingLink: Link {
  private let link: any Link
  private(set) var read = 0

  init(_ link: any Link) {
    self.link = link
  }

  func next(on line: Int) async throws -> Message {
    let message = try await link.next(on: line)
    read += 1
    return message
  }

  func open(after number: Int) async throws -> Int { try await link.open(after: number) }
  func post(_ draft: Draft) async throws { try await link.post(draft) }
  func close(_ line: Int) async { await link.close(line) }
}

/// Ann's draft with this number.
func draft(_ number: Int, _ text: String) -> Draft {
  Draft(id: "ann-\(number)", author: "ann", text: text)
}
