// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// What a store writes into its journal, and when.
@Suite struct JournalTests {
  /// The disk after six uploads without a checkpoint in between, or with one after the sixth action.
  private func uploads(
    _ sync: JournalSync, checkpointEvery actions: Int = 1_000, clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> (RestoredStore<Uploads>, MemoryDisk) {
    let disk = MemoryDisk()
    let restored = try await Store.uploads(
      .ofUploads(sync: sync, checkpointEvery: actions), on: disk, clock: clock)
    for file in 1...6 { await restored.store.send(.add(file)).finish() }
    return (restored, disk)
  }

  // MARK: - Restoring

  @Test func `A restored store has the state, and resumes the work that the state claims (V4)`() async throws {
    let disk = MemoryDisk()
    let gate = Gate()
    let first = try await Store.uploads(.ofUploads(), on: disk) { file in if file > 1 { await gate.pass() } }
    #expect(!first.report.isRestored)
    await first.store.send(.add(1)).finish()
    first.store.send(.add(2))
    first.store.send(.add(3))
    #expect(await first.store.state == Uploads.State(added: 3, done: 1))

    // The first process ends here: nothing of it is left but the disk.
    let uploaded = Recorder<Int>()
    let other = MemoryDisk(disk.written)
    let second = try await Store.uploads(.ofUploads(), on: other) { file in
      uploaded.record(file)
      await gate.pass()
    }
    #expect(
      second.report == JournalReport(isRestored: true, codecVersion: 1, actions: 7, end: .whole))
    var state = Uploads.State(added: 3, done: 1)
    state.restarts = 1
    #expect(await second.store.state == state)
    let active = await second.store.effects.byID
    #expect(Set(active.keys) == [EffectID(2), EffectID(3)], "no state claims work that is not active")
    await uploaded.wait(for: 2)
    await uploaded.wait(for: 3)
    gate.open()
    await second.store.send(.add(4)).finish()
    await second.store.shutdown(.draining)
    #expect(await second.store.state.done.sorted() == [1, 2, 3, 4])
    #expect(try await restored(other.written).state == second.store.state)
  }

  @Test func `Without a journal the store begins with its initial state, and the resuming action is not sent (V4)`()
    async throws
  {
    let disk = MemoryDisk()
    let first = try await Store.uploads(.ofUploads(), on: disk)
    #expect(await first.store.state == Uploads.State())
    #expect(first.report == JournalReport(isRestored: false, codecVersion: nil, actions: 0, end: .whole))
    #expect(disk.log.events == ["replaced"])
  }

  @Test func `A damaged journal is restored as far as possible, copied, and reported (V4)`() async throws {
    let (_, disk) = try await uploads(.system)
    var bytes = disk.written
    bytes[bytes.count / 2] ^= 1
    let other = MemoryDisk(bytes)
    let second = try await Store.uploads(.ofUploads(), on: other)
    guard case .damaged(let damage) = second.report.end else {
      Issue.record("\(second.report)")
      return
    }
    #expect(damage.reason == "was changed")
    #expect(second.report.copy == "copy" && other.copy == bytes)
    #expect(await second.store.state.isWhole)
    #expect(await second.store.state.added.count > 1)
  }

  @Test func `A state or action that the codec cannot read is an error, and the journal is unchanged (V4)`()
    async throws
  {
    let bytes = Recording.bytes(initialState: Array("nonsense".utf8), codecVersion: 1)
    let disk = MemoryDisk(bytes)
    await #expect(throws: RecordingDecodingError.self) { try await Store.uploads(.ofUploads(), on: disk) }
    #expect(disk.written == bytes && disk.log.events.isEmpty)
  }

  // MARK: - Turns

  @Test func `A turn is in the journal before its effects begin, whole (V4)`() async throws {
    let disk = MemoryDisk()
    let found = Recorder<String>()
    let restoredStore = try await Store.uploads(.ofUploads(), on: disk) { file in
      // Called while the journal is at least at the end of the turn that has caused this.
      let isThere = try restored(disk.written).state.active.contains(file)
      found.record(isThere && disk.content?.syncedCount == disk.written.count ? "written" : "missing")
    }
    for file in 1...40 { await restoredStore.store.send(.add(file)).finish() }
    #expect(found.events == Array(repeating: "written", count: 40))
    #expect(disk.log.events.filter { $0 == "appended" }.count == 80, "one write for each turn")
  }

  @Test func `Many runs of one turn begin after it was written (V4)`() async throws {
    // More than a store hands over at once.
    let count = 40
    let disk = MemoryDisk()
    let found = Recorder<Bool>()
    let codec = RecordingCodec<Int, Int>(
      encodeState: { Array("\($0)".utf8) }, decodeState: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 },
      encodeAction: { Array("\($0)".utf8) }, decodeAction: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 })
    let reducer = Reduce<Int, Int> { state, action in
      state = action
      return .merge(
        (0..<count).map { _ in
          .run(priority: .high) { _ in
            found.record(disk.turnEnds == [1])
          }
        })
    }
    let store = Store(initialState: 0, reducer: reducer)
    let journal = Journal(path: "", codec: codec, sync: .system)
    let restored = try await store.restore(journal, in: disk, copy: disk.keepCopy, resumingWith: 0) { _ in }
    await restored.store.send(7).finish()
    #expect(found.events == Array(repeating: true, count: count))
  }

  @Test func `A turn that is suspended is written in parts (V4, T5)`() async throws {
    let disk = MemoryDisk()
    let codec = RecordingCodec<Int, Int>(
      encodeState: { Array("\($0)".utf8) }, decodeState: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 },
      encodeAction: { Array("\($0)".utf8) }, decodeAction: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 })
    let reducer = Reduce<Int, Int> { state, action in
      state += 1
      return action > 0 ? .send(action - 1) : .none
    }
    let store = Store(initialState: 0, reducer: reducer, followUpLimit: 3, drainBudget: 256)
    let journal = Journal<Int, Int>(path: "", codec: codec, sync: .system)
    let restored = try await store.restore(journal, in: disk, copy: disk.keepCopy, resumingWith: 0) { _ in }
    await restored.store.send(4).finish()
    #expect(disk.turnEnds == [3, 5])
    #expect(await restored.store.state == 5)
  }

  // MARK: - What can be lost

  @Test func `With any policy, a process that ends loses no turn whose end was waited for (V4)`() async throws {
    for sync in [JournalSync.everyTurn, .every(.seconds(9)), .system] {
      let (_, disk) = try await uploads(sync)
      #expect(try restored(disk.written).state == Uploads.State(added: 6, done: 6))
    }
  }

  @Test func `Synced with every turn, a power failure loses no turn whose end was waited for (V4)`() async throws {
    let (_, disk) = try await uploads(.everyTurn)
    #expect(disk.survivors.count == 1)
    for bytes in disk.survivors { #expect(try restored(bytes).state == Uploads.State(added: 6, done: 6)) }
  }

  @Test func `Synced after a time, a power failure loses at most the turns of that time (V4)`() async throws {
    let clock = ManualClock()
    let (store, disk) = try await uploads(.every(.milliseconds(10)), clock: clock)
    // The clock stands still: all turns are of this time.
    #expect(try disk.survivors.map { try restored($0).state.done.count }.min() == 0)
    await clock.hasSleepers(1, dueBy: .milliseconds(10))
    clock.advance(by: .milliseconds(10))
    await disk.log.wait(for: "synced")
    #expect(try disk.survivors.map { try restored($0).state.done.count }.min() == 6)
    await store.store.send(.add(7)).finish()
    #expect(try disk.survivors.map { try restored($0).state.done.count }.min() == 6)
    for bytes in disk.survivors { #expect(try restored(bytes).state.isWhole) }
    await clock.hasSleepers(1, dueBy: .milliseconds(20))
    clock.advance(by: .milliseconds(10))
    await disk.log.wait(for: "synced", count: 2)
    #expect(try disk.survivors.map { try restored($0).state.done.count }.min() == 7)
  }

  @Test func `Left to the system, a power failure loses at most the turns since the last checkpoint (V4)`() async throws
  {
    // Each upload is three actions, so a checkpoint follows the second and the fourth, and the sixth.
    let (restoredStore, disk) = try await uploads(.system, checkpointEvery: 6)
    #expect(disk.log.events.filter { $0 == "replaced" }.count == 4)
    await restoredStore.store.send(.add(7)).finish()
    let done = try disk.survivors.map { try restored($0).state.done.count }
    #expect(done.min() == 6 && done.max() == 7)
    for bytes in disk.survivors { #expect(try restored(bytes).state.isWhole) }
    #expect(!disk.log.events.contains("synced"))
  }

  @Test func `A journal that is stopped is synced, and writes nothing more`() async throws {
    let clock = ManualClock()
    let (restoredStore, disk) = try await uploads(.every(.seconds(1)), clock: clock)
    restoredStore.recorder.stop()
    restoredStore.recorder.stop()
    #expect(disk.survivors.count == 1 && disk.isClosed)
    let bytes = disk.written
    await restoredStore.store.send(.add(7)).finish()
    #expect(disk.written == bytes)
    #expect(await restoredStore.store.state.done.count == 7)
  }

  @Test func `A journal that is stopped while a turn is synced waits for the disk`() async throws {
    let (restoredStore, disk) = try await uploads(.everyTurn)
    let journal = restoredStore.recorder
    disk.inNextSync {
      journal.stop()
      disk.log.record("stopped")
    }
    await restoredStore.store.send(.add(7)).finish()
    #expect(disk.log.events.suffix(4) == ["appended", "synced", "stopped", "synced"])
    #expect(journal.failure == nil && disk.isClosed)
  }

  @Test func `A journal that is stopped while a turn is written syncs it, and then closes the disk`() async throws {
    let (restoredStore, disk) = try await uploads(.every(.seconds(1)), clock: ManualClock())
    let journal = restoredStore.recorder
    disk.inNextAppend {
      journal.stop()
      #expect(!disk.isClosed)
    }
    await restoredStore.store.send(.add(7)).finish()
    #expect(disk.survivors.count == 1 && disk.isClosed)
    #expect(try restored(disk.written).state.added.last == 7)
    #expect(journal.failure == nil)
  }

  @Test func `When a shutdown returns, what was written is synced, and the disk is closed`() async throws {
    let (restoredStore, disk) = try await uploads(.every(.seconds(1)), clock: ManualClock())
    #expect(!disk.isClosed)
    await restoredStore.store.shutdown(.cancelling)
    #expect(disk.survivors.count == 1 && disk.isClosed)
    restoredStore.recorder.stop()
    #expect(disk.log.events.count { $0 == "synced" } == 1)
  }

  @Test func `A store that is released syncs what was written`() async throws {
    let disk = MemoryDisk()
    let journal: StoreRecorder
    do {
      let restored = try await Store.uploads(.ofUploads(sync: .every(.seconds(1))), on: disk, clock: ManualClock())
      await restored.store.send(.add(1)).finish()
      journal = restored.recorder
    }
    await disk.log.wait(for: "synced")
    #expect(disk.survivors.count == 1)
    #expect(journal.failure == nil)
  }

  // MARK: - Checkpoints

  @Test func `A checkpoint replaces the actions, and the state stays the same (V4)`() async throws {
    for actions in [-1, 1, 2, 3, 4, 7] {
      let (_, disk) = try await uploads(.everyTurn, checkpointEvery: actions)
      let (state, report) = try restored(disk.written)
      #expect(state == Uploads.State(added: 6, done: 6))
      #expect(report.actions < max(1, actions) && report.end == .whole)
    }
  }

  // MARK: - Failures

  @Test func `A full disk ends the journal, is reported once, and the store goes on (V4)`() async throws {
    let disk = MemoryDisk()
    let failures = Recorder<String>()
    let restoredStore = try await Store.uploads(.ofUploads(), on: disk, failures: failures)
    disk.becomesFull(after: 3)
    for file in 1...4 { await restoredStore.store.send(.add(file)).finish() }
    #expect(failures.events == ["Full()"])
    #expect(restoredStore.recorder.failure is MemoryDisk.Full && disk.isClosed)
    #expect(await restoredStore.store.state.done.count == 4)
    let (state, report) = try restored(disk.written)
    #expect(state == Uploads.State(added: 2, done: 1))
    #expect(report.end == .unfinished)
  }

  @Test func `A turn whose checkpoint fails is synced before its effects begin (V4)`() async throws {
    let disk = MemoryDisk()
    let failures = Recorder<String>()
    let synced = Recorder<Bool>()
    let restoredStore = try await Store.uploads(
      .ofUploads(checkpointEvery: 2), on: disk, failures: failures,
      upload: { _ in synced.record(disk.content?.syncedCount == disk.written.count) })
    disk.refusesCheckpoints()
    for file in 1...3 { await restoredStore.store.send(.add(file)).finish() }
    #expect(failures.events == ["Full()"])
    #expect(synced.events == [true, true, true])
  }

  @Test func `What was written before an error is synced (V4)`() async throws {
    let disk = MemoryDisk()
    let failures = Recorder<String>()
    let restoredStore = try await Store.uploads(
      .ofUploads(sync: .every(.seconds(1))), on: disk, clock: ManualClock(), failures: failures)
    disk.becomesFull(after: 3)
    for file in 1...3 { await restoredStore.store.send(.add(file)).finish() }
    #expect(failures.events == ["Full()"])
    #expect(disk.content?.syncedCount == disk.written.count)
    #expect(disk.log.events.last == "synced")
  }
}
