// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EffectRuntime

/// A journal whose process is killed again and again.
@Suite struct JournalKillTests {
  /// `EFFECTS_JOURNAL_KILLS=1000` kills more often.
  private static let kills = ProcessInfo.processInfo.environment["EFFECTS_JOURNAL_KILLS"].flatMap { Int($0) } ?? 12

  @Test(arguments: [0, 1, 2])
  func `A process that is killed at any moment loses at most the turn that it reduces (V4)`(policy: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "journal").path
    var (unfinished, lost) = (0, 0)
    let rounds = (Self.kills + 2) / 3
    for round in 1...rounds {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, policy = policy as Int, round = round as Int] in
        try await Self.live(at: path, policy: policy, seed: UInt64(round * 3 + policy))
      }
      let promised = try Self.promised(at: path)
      var state = Uploads.State()
      let content = try JournalContent(FileBytes.readIfPresent(path))
      let report = try content.restore(&state, with: Uploads(upload: { _ in }), Self.journal(path, policy).codec)
      #expect(report.isRestored)
      if case .damaged = report.end { Issue.record("\(report)") }
      #expect(state.isWhole)
      #expect(state.restarts == round - 1, "the first life restores nothing, and each other one once")
      // One more file may have been added, and uploaded. A file of an earlier life may be uploaded beside the newest one.
      #expect(state.added == state.added.indices.map { $0 + 1 })
      #expect(((promised.last ?? 0)...((promised.last ?? 0) + 1)).contains(state.added.count))
      #expect(promised.allSatisfy { state.done.contains($0) }, "an upload that was seen to end is lost")
      unfinished += report.end == .unfinished ? 1 : 0
      lost += promised.count { !state.done.contains($0) }
    }
    if Self.kills > 12 {
      Measured.print(
        "\(Self.journal(path, policy).sync): killed \(rounds) times, \(unfinished) times while it wrote; "
          + "uploads that the process had seen end: \(lost) lost")
    }
  }

  @Test(arguments: [0, 1, 2])
  func `A killed process loses at most what was accepted behind the last action that it has waited for (V4)`(
    policy: Int
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var lost = 0
    let rounds = (Self.kills + 2) / 3
    for round in 1...rounds {
      let path = folder.appending(path: "journal-\(round)").path
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, policy = policy as Int] in
        let restored = try await Store.restored(
          from: Self.journal(path, policy), initialState: Uploads.State(), reducer: Uploads(upload: { _ in }),
          resumingWith: .restored, onJournalFailure: { Self.check($0) })
        for file in 1..<50 { restored.store.send(.add(file)) }
        // It waits for those before as well.
        await restored.store.send(.add(50)).finish()
        for file in 51...500 { restored.store.send(.add(file)) }
        kill(getpid(), SIGKILL)
      }
      let (state, report) = try Self.journal(path, policy).read(
        initialState: Uploads.State(), reducer: Uploads(upload: { _ in }))
      #expect(report.isRestored && state.isWhole)
      #expect((50...500).contains(state.added.count))
      #expect(state.added == state.added.indices.map { $0 + 1 }, "what is lost are the last ones")
      lost += 500 - state.added.count
    }
    if Self.kills > 12 {
      Measured.print(
        "\(Self.journal(folder.path, policy).sync): killed \(rounds) times; of 450 actions that were not waited for, "
          + "\(lost / rounds) lost")
    }
  }

  // MARK: - In the process that is killed

  private static func journal(
    _ path: String, _ policy: Int, checkpointEvery: Int = 10
  ) -> Journal<Uploads.State, Uploads.Action> {
    let policies: [JournalSync] = [.everyTurn, .every(.milliseconds(1)), .system]
    return Journal(
      path: path, codec: codec, sync: policies[policy],
      checkpointEvery: checkpointEvery)
  }

  /// Cannot write each fifth action that begins an upload. The journal writes the state in its place.
  private static let codec = RecordingCodec<Uploads.State, Uploads.Action>(
    encodeState: Uploads.codec.encodeState, decodeState: Uploads.codec.decodeState,
    encodeAction: { action in
      if case .begin(let file) = action, file.isMultiple(of: 5) { throw Uploads.NotText(text: "\(file)") }
      return try Uploads.codec.encodeAction(action)
    }, decodeAction: Uploads.codec.decodeAction)

  /// A report by which nothing is lost is expected; others end the process.
  private static func check(_ error: any Error) {
    if !"\(error)".contains("Nothing is lost") { fatalError("\(error)") }
  }

  /// Restores, adds files, writes down each one that is uploaded, and kills its process at a random moment.
  private static func live(at path: String, policy: Int, seed: UInt64) async throws {
    var numbers = Numbers(seed: seed)
    let goal = Int.random(in: 1...20, using: &numbers)
    let pause = Int.random(in: 0...20_000, using: &numbers)
    let restored = try await Store.restored(
      from: journal(path, policy, checkpointEvery: seed.isMultiple(of: 2) ? 1 : 10), initialState: Uploads.State(),
      reducer: Uploads(upload: { _ in }),
      resumingWith: .restored, onJournalFailure: { Self.check($0) })
    let progress = Progress()
    Thread.detachNewThread {
      while progress.count.load(ordering: .relaxed) < goal {}
      for _ in 0..<pause { _ = progress.count.load(ordering: .relaxed) }
      kill(getpid(), SIGKILL)
    }
    let file = try FileHandle(forWritingTo: promises(path))
    try file.seekToEnd()
    for number in (await restored.store.state.added.count + 1)... {
      await restored.store.send(.add(number)).finish()
      try file.write(contentsOf: Data("\(number)\n".utf8))
      progress.count.add(1, ordering: .relaxed)
    }
  }

  private final class Progress: Sendable {
    let count = Atomic(0)
  }

  private static func promises(_ path: String) throws -> URL {
    let url = URL(fileURLWithPath: path + ".promised")
    if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
    return url
  }

  /// The files of which the killed processes knew that they are uploaded.
  private static func promised(at path: String) throws -> [Int] {
    let text = try String(contentsOf: promises(path), encoding: .utf8)
    // A last line without its end may have lost digits.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { Int($0) }
  }
}
