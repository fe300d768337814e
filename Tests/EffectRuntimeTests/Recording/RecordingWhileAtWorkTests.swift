// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Foundation
import TestSupport
import Testing

@testable import EffectRuntime

/// Recordings that begin and end in the middle of a store's work, and times of any size.
@Suite struct RecordingWhileAtWorkTests {
  private struct Broken: Error {}

  private enum Action: Sendable { case add, run }

  private typealias Counter = Reduce<Int, Action>

  private static func counter() -> Counter {
    Counter { state, action in
      switch action {
      case .add:
        state += 1
        return .none
      case .run: return .run(id: "x", overlap: .concurrent) { _ in }
      }
    }
  }

  private static func codec(isBroken: Bool = false) -> RecordingCodec<Int, Action> {
    RecordingCodec(
      encodeState: { Array("\($0)".utf8) },
      decodeState: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 },
      encodeAction: { action in
        if isBroken { throw Broken() }
        return Array("\(action)".utf8)
      }, decodeAction: { $0.elementsEqual("add".utf8) ? .add : .run })
  }

  @Test func `What the codec sends while the first state is encoded is recorded (V3)`() async throws {
    let recording: Recording = try await MainActor.run {
      let store = Store(initialState: 0, reducer: Self.counter(), isolation: MainActor.shared)
      // A recording keeps its codec, and the store its recording.
      let reference = StoreReference<Counter>()
      reference.store = store
      let plain = Self.codec()
      let sending = RecordingCodec<Int, Action>(
        encodeState: { state in
          if state == 0 { MainActor.assumeIsolated { _ = reference.store?.send(.add) } }
          return try plain.encodeState(state)
        }, decodeState: plain.decodeState, encodeAction: plain.encodeAction, decodeAction: plain.decodeAction)
      return try store.assumeIsolated { store in
        let recorder = try store.record(with: sending)
        #expect(store.state == 1)
        return try recorder.recording
      }
    }
    #expect(recording.initialState == Array("0".utf8))
    #expect(recording.steps.map(\.state) == [Array("1".utf8)])
  }

  @Test func `A listener may begin a recording and end others (V3)`() async throws {
    let recording: Recording? = try await MainActor.run {
      let store = Store(initialState: 0, reducer: Self.counter(), isolation: MainActor.shared)
      let recorder = Lock<StoreRecorder?>(nil)
      let others = Lock<[TraceListening]>([])
      store.trace.listen { [weak store] event in
        guard case .reduced = event.kind, let store, recorder.withLock({ $0 == nil }) else { return }
        for other in others.withLock({ $0 }) { other.cancel() }
        let own = store.assumeIsolated { try? $0.record(with: Self.codec()) }
        recorder.withLock { $0 = own }
      }
      let added = (0..<3).map { _ in store.trace.listen { _ in } }
      others.withLock { $0 = added }
      store.send(.add)
      store.send(.add)
      return try recorder.withLock { try $0?.recording }
    }
    // The action that was reported just then had been reduced before.
    let begun = try #require(recording)
    #expect(begun.initialState == Array("1".utf8))
    #expect(begun.steps.map(\.state) == [Array("2".utf8)])
  }

  @Test func `After an error nothing is recorded any more (V3)`() async throws {
    let store = Store(initialState: 0, reducer: Self.counter())
    let recorder = try await store.record(with: Self.codec(isBroken: true))
    await store.send(.run).finish()
    #expect(recorder.failure is Broken)
    #expect(try recorder.recording.steps.isEmpty)
    #expect(try recorder.recording.notes.isEmpty)
  }

  @Test func `A stopped recorder does not listen any more`() async throws {
    let store = Store(initialState: 0, reducer: Self.counter())
    let recorder = try await store.record(with: Self.codec())
    #expect(store.mailbox.isTraced)
    recorder.stop()
    #expect(store.mailbox.isTraced == false)
  }

  @Test func `Times of any size can be written`() throws {
    #expect(TraceText.time(.milliseconds(-700)) == "-0.700 s")
    #expect(TraceText.time(.milliseconds(-1_700)) == "-1.700 s")
    #expect(TraceText.time(.seconds(Int64.max) + .seconds(2)) == "9223372036854775807.000 s")
    #expect(TraceText.time(.seconds(Int64.min) - .seconds(2)) == "-9223372036854775807.000 s")
    let times: [Duration] = [
      .seconds(9_223_372_036) + .milliseconds(900), .seconds(Int64.max) + .seconds(2),
      .seconds(Int64.min) - .seconds(2),
      .nanoseconds(Int64.max), .nanoseconds(Int64.min),
    ]
    let recording = Recording(
      initialState: [], steps: times.map { .init(time: $0, cause: .followUp, action: []) },
      notes: times.map { .init(after: 5, time: $0, text: "") })
    let most = Duration.nanoseconds(Int64.max)
    let least = Duration.nanoseconds(Int64.min)
    let read = try Recording(parsing: recording.bytes)
    #expect(read.steps.map(\.time) == [most, most, least, most, least])
    #expect(read.notes.map(\.time) == [most, most, least, most, least])
  }

  @Test func `A run that sleeps for a negative duration, or for ever, can be recorded`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(1))
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Action> { _, _ in
        .run { send in
          try await send.sleep(for: .seconds(-3))
          try await send.sleep(for: .seconds(Int64.max))
        }
      }, clock: clock)
    clock.advance(by: .seconds(1))
    let recorder = try await store.record(with: Self.codec())
    store.send(.run)
    await clock.log.wait(for: "sleeps")
    await store.shutdown(.cancelling)
    let texts = try recorder.recording.notes.map(\.text)
    #expect(texts.contains("run 1 sleeps until -2.000 s"))
    #expect(texts.contains("run 1 sleeps until 9223372036854775807.000 s"))
  }

  @Test func `A file that cannot be written is refused, and no other file is written instead`() async throws {
    let store = Store(initialState: 0, reducer: Self.counter())
    await #expect(throws: RecordingError.unwritable(path: "/dev/null\0x", reason: "there is a zero byte in it")) {
      try await store.record(with: Self.codec(), to: "/dev/null\0x")
    }
    #if os(Linux)
      for path in ["/dev/full", "/"] {
        let reason = "it is a device, a pipe or a folder"
        await #expect(throws: RecordingError.unwritable(path: path, reason: reason)) {
          try await store.record(with: Self.codec(), to: path)
        }
      }
      #expect(store.mailbox.isTraced == false)
    #endif
  }

  @Test func `A file takes one recording at a time, and a second one is refused with a message`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = Store(initialState: 0, reducer: Self.counter())
    let recorder = try await store.record(with: Self.codec(), to: path)
    await #expect(throws: RecordingError.inUse(path: path)) { try await store.record(with: Self.codec(), to: path) }
    await store.send(.add).finish()
    let recording = try recorder.recording
    recorder.stop()
    #expect(recording.steps.count == 1)
    #expect(try recorder.recording == recording)
    #expect(try Recording(contentsOfFile: path) == recording)
    #expect(throws: RecordingError.unreadable(path: "\(path)\0", reason: "there is a zero byte in it")) {
      try Recording(contentsOfFile: "\(path)\0")
    }
  }

  @Test(arguments: [
    ("race", "race"), ("A race", "`A race`"), ("`A race`", "`A race`"), ("1 `b`\n\\c", "`1 b c`"),
    ("", "`A recorded session`"), ("\n`", "`A recorded session`"),
  ])
  func `A recorded test with any name compiles`(name: String, written: String) {
    let source = Recording(initialState: []).testSource(name: name, reducer: "R()", codec: "codec")
    #expect(source.contains("@Test func \(written)() async throws {"))
  }

  @Test func `Bytes of any kind are read to an end`() {
    let header = Array("\(RecordingFormat.header)\n".utf8)
    for filler: UInt8 in [0, 9, 10, 13, 32, 37, 255] {
      let rest = [UInt8](repeating: filler, count: 1 << 20)
      #expect(throws: RecordingError.self) { try Recording(parsing: rest) }
      #expect(throws: RecordingError.self) { try Recording(parsing: header + rest) }
      let damaged = try? Recording(parsing: Recording.bytes(initialState: [1], codecVersion: 1) + rest)
      #expect(damaged?.damage?.line == 4)
    }
  }
}
