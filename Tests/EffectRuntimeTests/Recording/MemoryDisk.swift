// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport

@testable import EffectRuntime

/// A disk that a power failure can be tried on: it knows what was written and what was synced.
final class MemoryDisk: RecordingDisk {
  struct Content: Equatable {
    /// What the system has; it survives the end of the process.
    var written: [UInt8]
    /// How much of it is on the disk; it survives a power failure.
    var syncedCount: Int
  }

  struct Full: Error {}

  private struct Book {
    var content: Content?
    var copy: [UInt8]?
    var appendsUntilFull = Int.max
    var takesCheckpoints = true
    var isClosed = false
    var onSync: (@Sendable () -> Void)?
    var onAppend: (@Sendable () -> Void)?
  }

  private let book: Lock<Book>
  /// The operations in their order: `replaced`, `appended`, `synced`.
  let log = Recorder<String>()

  init(_ bytes: [UInt8]? = nil) {
    book = Lock(Book(content: bytes.map { Content(written: $0, syncedCount: $0.count) }))
  }

  var content: Content? { book.withLock { $0.content } }
  var written: [UInt8] { content?.written ?? [] }
  var copy: [UInt8]? { book.withLock { $0.copy } }
  /// What may be left after a power failure: at least what was synced, and any beginning of the rest.
  var survivors: [[UInt8]] {
    guard let content else { return [] }
    return (content.syncedCount...content.written.count).map { Array(content.written[..<$0]) }
  }

  func becomesFull(after appends: Int) { book.withLock { $0.appendsUntilFull = appends } }

  /// Calls a closure once, in the next sync, before anything is synced.
  func inNextSync(_ call: @escaping @Sendable () -> Void) { book.withLock { $0.onSync = call } }

  /// Calls a closure once, in the next append, before anything is written.
  func inNextAppend(_ call: @escaping @Sendable () -> Void) { book.withLock { $0.onAppend = call } }

  func refusesCheckpoints() { book.withLock { $0.takesCheckpoints = false } }

  var isClosed: Bool { book.withLock { $0.isClosed } }

  func close() { book.withLock { $0.isClosed = true } }

  func read() throws -> [UInt8]? { content?.written }

  func keepCopy(_ bytes: [UInt8]) throws -> String {
    book.withLock { $0.copy = bytes }
    return "copy"
  }

  func replace(_ bytes: [UInt8]) throws {
    guard book.withLock({ $0.takesCheckpoints }) else { throw Full() }
    book.withLock { $0.content = Content(written: bytes, syncedCount: bytes.count) }
    log.record("replaced")
  }

  func append(_ bytes: [UInt8]) throws {
    let call = book.withLock { book in
      defer { book.onAppend = nil }
      return book.onAppend
    }
    call?()
    let isFull = book.withLock { book in
      book.appendsUntilFull -= 1
      // A part of it is written even then.
      book.content?.written += book.appendsUntilFull < 0 ? Array(bytes.dropLast(5)) : bytes
      return book.appendsUntilFull < 0
    }
    if isFull { throw Full() }
    log.record("appended")
  }

  func sync() throws {
    let call = book.withLock { book in
      defer { book.onSync = nil }
      return book.onSync
    }
    call?()
    book.withLock { book in
      if let count = book.content?.written.count { book.content?.syncedCount = count }
    }
    log.record("synced")
  }
}

// MARK: - Restoring uploads

extension Journal where State == Uploads.State, Action == Uploads.Action {
  static func ofUploads(
    at path: String = "in memory", sync: JournalSync = .everyTurn, checkpointEvery actions: Int = 1_000
  ) -> Self {
    Journal(
      path: path, codec: Uploads.codec, sync: sync, checkpointEvery: actions)
  }
}

extension MemoryDisk {
  /// After how many actions a turn has ended.
  var turnEnds: [Int] {
    String(decoding: written, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words[1] == "end" ? Int(words[2]) : nil
    }
  }
}

/// What a journal restores, without a store.
func restored(_ bytes: [UInt8]?) throws -> (state: Uploads.State, report: JournalReport) {
  var state = Uploads.State()
  let codec = Uploads.codec
  let report = try JournalContent(bytes).restore(&state, with: Uploads(upload: { _ in }), codec)
  return (state, report)
}

extension Store where R == Uploads {
  /// A store that goes on with the journal of a disk.
  static func uploads(
    _ journal: Journal<Uploads.State, Uploads.Action>, on disk: MemoryDisk,
    clock: any Clock<Duration> = ContinuousClock(), failures: Recorder<String> = Recorder(),
    upload: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) async throws -> RestoredStore<Uploads> {
    let store = Store(initialState: Uploads.State(), reducer: Uploads(upload: upload), clock: clock)
    return try await store.restore(journal, in: disk, copy: disk.keepCopy, resumingWith: .restored) {
      failures.record("\($0)")
    }
  }
}
