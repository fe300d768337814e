// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// Journals and recordings of values that the codec cannot write.
@Suite struct JournalEncodingTests {
  private struct Broken: Error {}

  /// What the codec can write of an action, and of the state behind it.
  private enum Turn: Int, CaseIterable { case good, badAction, badState, badBoth }

  private typealias History = Reduce<[Int], Int>

  private static func history(_ effect: @escaping @Sendable (Int) -> Effect<Int> = { _ in .none }) -> History {
    History { state, action in
      state.append(action)
      return effect(action)
    }
  }

  private static func isBad(_ action: Int, _ turns: [Turn]) -> Bool {
    Turn(rawValue: action % 10).map(turns.contains) == true
  }

  /// The last digit of an action says what can be written.
  private static let codec = RecordingCodec<[Int], Int>(
    encodeState: { state in
      if isBad(state.last ?? 0, [.badState, .badBoth]) { throw Broken() }
      return Array("\(state)".utf8)
    },
    decodeState: { bytes in
      String(decoding: bytes, as: UTF8.self).split { !$0.isNumber }.compactMap { Int($0) }
    },
    encodeAction: { action in
      if isBad(action, [.badAction, .badBoth]) { throw Broken() }
      return Array("\(action)".utf8)
    }, decodeAction: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 })

  private struct Opened {
    let store: Store<History>
    let recorder: StoreRecorder
    let report: JournalReport
  }

  private func open(
    _ disk: MemoryDisk, _ sync: JournalSync = .everyTurn, checkpointEvery actions: Int = 1_000,
    failures: Recorder<String> = Recorder(), initialState: [Int] = [],
    effect: @escaping @Sendable (Int) -> Effect<Int> = { _ in .none }
  ) async throws -> Opened {
    let store = Store(initialState: initialState, reducer: Self.history(effect))
    let journal = Journal(path: "", codec: Self.codec, sync: sync, checkpointEvery: actions)
    let restored = try await store.restore(journal, in: disk, copy: disk.keepCopy, resumingWith: 0) {
      failures.record("\($0)")
    }
    return Opened(store: store, recorder: restored.recorder, report: restored.report)
  }

  private func state(_ bytes: [UInt8]) throws -> [Int] {
    var state: [Int] = []
    _ = try JournalContent(bytes).restore(&state, with: Self.history(), Self.codec)
    return state
  }

  // MARK: - Actions

  @Test(arguments: [JournalSync.everyTurn, .every(.seconds(9)), .system])
  func `An action that cannot be encoded is replaced by the state behind its turn, and the journal goes on (V4)`(
    sync: JournalSync
  ) async throws {
    let disk = MemoryDisk()
    let failures = Recorder<String>()
    let opened = try await open(disk, sync, failures: failures)
    for action in [10, 21, 30, 41, 51, 60] { await opened.store.send(action).finish() }
    #expect(try state(disk.written) == [10, 21, 30, 41, 51, 60])
    #expect(opened.recorder.failure == nil)
    #expect(
      disk.log.events.filter { $0 != "synced" } == [
        "replaced", "appended", "replaced", "appended", "replaced", "replaced", "appended",
      ])
    // The same error is reported once, with the line that sent the action.
    #expect(failures.events.count == 1)
    #expect(failures.events[0].hasPrefix("An action, sent at "))
    #expect(failures.events[0].contains(" cannot be encoded for the journal: Broken(). Nothing is lost: a checkpoint"))
    #expect(disk.survivors.last == disk.written)
    #expect(try disk.survivors.first.map(state)?.count ?? 0 >= 5, "a checkpoint is on the disk")
  }

  @Test func `A follow-up that cannot be encoded leaves no part of its turn, and effects begin after the state (V4)`()
    async throws
  {
    let disk = MemoryDisk()
    let found = Recorder<[Int]>()
    let opened = try await open(
      disk,
      effect: { action in
        switch action {
        case 10: .send(21)
        case 21:
          .merge(
            .send(30),
            .run { [disk] _ in
              #expect(disk.content?.syncedCount == disk.written.count)
              found.record(try Self.codec.decodeState(Recording(parsing: disk.written).initialState))
            })
        default: .none
        }
      })
    await opened.store.send(10).finish()
    #expect(found.events == [[10, 21, 30]])
    #expect(try state(disk.written) == [10, 21, 30])
  }

  // MARK: - States

  @Test func `While neither action nor state can be encoded turns are missing, and then all is there (V4)`()
    async throws
  {
    let disk = MemoryDisk()
    let failures = Recorder<String>()
    let opened = try await open(disk, failures: failures)
    await opened.store.send(10).finish()
    await opened.store.send(23).finish()
    #expect(opened.recorder.failure != nil)
    await opened.store.send(33).finish()
    #expect(try state(disk.written) == [10])
    #expect(failures.events.count == 1)
    #expect(
      failures.events[0].contains(
        "The state cannot be encoded for the journal: Broken(). The journal keeps what it has"))
    await opened.store.send(40).finish()
    #expect(opened.recorder.failure == nil)
    await opened.store.send(50).finish()
    #expect(try state(disk.written) == [10, 23, 33, 40, 50])
    await opened.store.send(63).finish()
    #expect(failures.events.count == 2, "each time that turns are missing")
    await opened.store.shutdown(.draining)
    #expect(opened.recorder.failure != nil && disk.isClosed)
    #expect(try state(disk.written) == [10, 23, 33, 40, 50])
  }

  @Test func `A checkpoint whose state cannot be encoded is tried later, and nothing is lost (V4)`() async throws {
    let disk = MemoryDisk()
    let failures = Recorder<String>()
    let opened = try await open(disk, checkpointEvery: 3, failures: failures)
    for action in [10, 20, 32, 40, 50, 62, 70, 80] { await opened.store.send(action).finish() }
    #expect(disk.log.events.count { $0 == "replaced" } == 1)
    #expect(disk.content?.syncedCount == disk.written.count)
    #expect(try state(disk.written) == [10, 20, 32, 40, 50, 62, 70, 80])
    #expect(opened.recorder.failure == nil && failures.events.count == 1)
    await opened.store.send(90).finish()
    #expect(disk.log.events.count { $0 == "replaced" } == 2)
    #expect(try state(disk.written) == [10, 20, 32, 40, 50, 62, 70, 80, 90])
  }

  @Test func `In any order of what can be encoded, a restart has the last state that could be written (V4)`()
    async throws
  {
    let count = 4
    let kinds = Turn.allCases.count
    var orders = [[Turn]]()
    for number in 0..<Int((1...count).reduce(1) { product, _ in product * kinds }) {
      var (rest, order) = (number, [Turn]())
      for _ in 0..<count {
        order.append(Turn.allCases[rest % kinds])
        rest /= kinds
      }
      orders.append(order)
    }
    for order in orders {
      for actions in [1, 2, 1_000] {
        let disk = MemoryDisk()
        let opened = try await open(disk, checkpointEvery: actions)
        var (last, expected, isBehind) = ([Int](), [Int](), false)
        for (index, turn) in order.enumerated() {
          let action = (index + 1) * 10 + turn.rawValue
          await opened.store.send(action).finish()
          last.append(action)
          let isStateGood = turn == .good || turn == .badAction
          let isActionGood = turn == .good || turn == .badState
          isBehind = !isStateGood && (isBehind || !isActionGood)
          if !isBehind { expected = last }
          #expect(try state(disk.written) == expected, "\(order)")
          #expect((opened.recorder.failure == nil) == !isBehind, "\(order)")
          #expect(disk.survivors.count == 1)
        }
        // The next life goes on, also if its first state cannot be encoded.
        let other = MemoryDisk(disk.written)
        let second = try await open(other)
        #expect(await second.store.state == expected + [0])
        #expect(try state(other.written) == expected + [0], "\(order)")
      }
    }
  }

  // MARK: - Restoring

  @Test func `A restored state that cannot be encoded leaves the journal as it is, and is reported (V4)`() async throws
  {
    let disk = MemoryDisk()
    let first = try await open(disk)
    for action in [10, 22] { await first.store.send(action).finish() }
    let written = disk.written
    let failures = Recorder<String>()
    let other = MemoryDisk(written)
    let store = Store(initialState: [], reducer: Self.history())
    let journal = Journal(path: "", codec: Self.codec, sync: .everyTurn)
    // The first action leaves the state as bad as it was.
    let second = try await store.restore(journal, in: other, copy: other.keepCopy, resumingWith: 2) {
      failures.record("\($0)")
    }
    #expect(await store.state == [10, 22, 2])
    #expect(other.written == written && second.recorder.failure != nil && failures.events.count == 1)
    await store.send(30).finish()
    #expect(second.recorder.failure == nil)
    #expect(try state(other.written) == [10, 22, 2, 30])
  }

  @Test func `An initial state that cannot be encoded is an error, and nothing is written`() async throws {
    let disk = MemoryDisk()
    await #expect(throws: Broken.self) { try await open(disk, initialState: [3]) }
    #expect(disk.content == nil)
  }

  @Test func `Each byte of a journal with a replaced action is checked (V4)`() async throws {
    let disk = MemoryDisk()
    let opened = try await open(disk)
    for action in [10, 21, 30, 40] { await opened.store.send(action).finish() }
    let states = [[], [10, 21], [10, 21, 30], [10, 21, 30, 40]]
    let bytes = disk.written
    #expect(try state(bytes) == states.last)
    for index in bytes.indices {
      for mask: UInt8 in [1, 0x20, 0x80, 0xFF] {
        var changed = bytes
        changed[index] ^= mask
        var state: [Int] = []
        let report = try JournalContent(changed).restore(&state, with: Self.history(), Self.codec)
        #expect(states.contains(state) && report.end != .whole, "byte \(index) changed by \(mask)")
      }
    }
  }

  // MARK: - Recordings

  @Test func `A recording omits a state that cannot be encoded, and goes on (V3)`() async throws {
    let store = Store(initialState: [], reducer: Self.history())
    let recorder = try await store.record(with: Self.codec)
    for action in [10, 22, 30] { await store.send(action).finish() }
    let steps = try recorder.recording.steps
    #expect(steps.map { String(decoding: $0.action, as: UTF8.self) } == ["10", "22", "30"])
    #expect(steps.map { $0.state == nil } == [false, true, false])
    #expect(recorder.failure is Broken)
  }

  @Test func `An action that cannot be encoded ends a recording at the turn before (V3)`() async throws {
    let store = Store(initialState: [], reducer: Self.history())
    let recorder = try await store.record(with: Self.codec)
    for action in [10, 21, 30] { await store.send(action).finish() }
    #expect(try recorder.recording.steps.count == 1)
    #expect(recorder.failure is Broken)
  }
}
