// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

/// The effect of a time modifier on a `send` (rule C2).
@Suite struct TimedSendTests {
  private let send = Effect<Int>.send(1)
  private static let modifiers: [@Sendable (Effect<Int>) -> Effect<Int>] = [
    { $0.delay(for: .seconds(1), line: 7) }, { $0.debounce(for: .seconds(1), line: 7) },
    { $0.throttle(for: .seconds(1), line: 7) },
  ]

  @Test func `Delay, debounce and throttle make a run of a send, with their line and a name (C4)`() {
    let expected = EffectRun(name: "send")
    let runs = Self.modifiers.map { $0(send).runs }
    #expect(
      runs == [
        [expected.delay(for: .seconds(1))], [expected.debounce(for: .seconds(1))],
        [expected.throttle(for: .seconds(1))],
      ])
    for run in runs.joined() {
      #expect(run.site.line == 7 && "\(run.site.fileID)" == "EffectCoreTests/TimedSendTests.swift")
    }
    #expect("\(send.delay(for: .seconds(1)))" == #"run(name: "send").delay(for: 1.0 seconds)"#)
  }

  @Test func `Timeout, retry and durations of zero or less leave a send in its turn (C4)`() {
    for effect in [
      send.timeout(after: .seconds(1)), send.retry(attempts: 3), send.delay(for: .zero), send.delay(for: .seconds(-1)),
      send.debounce(for: .zero), send.debounce(for: .seconds(-1), maxWait: .seconds(1)), send.throttle(for: .zero),
    ] { #expect("\(effect)" == "send(1)") }
  }

  @Test func `A send that has become a run stays a run, and modifiers apply to it as to any run (C4)`() {
    #expect(
      send.delay(for: .seconds(1)).delay(for: .zero).timeout(after: .seconds(2)).runs
        == [EffectRun(name: "send").delay(for: .zero).timeout(after: .seconds(2))])
  }

  @Test(arguments: 0..<3)
  func `An id before the modifier and one after it are the same (C4)`(_ number: Int) {
    let modifier = Self.modifiers[number]
    let before = modifier(send.cancellable(id: "a", overlap: .restart))
    let behind = modifier(send).cancellable(id: "a", overlap: .restart)
    #expect("\(before)" == "\(behind)" && before.runs == behind.runs)
    #expect(before.runs.map(\.id) == ["a"] && before.runs.map(\.overlap) == [.restart])
    #expect("\(before)".hasPrefix("run("), "no tree around it")
    // If there are two ids the inner one is the id of the run.
    let twice = send.cancellable(id: "a", overlap: .drop).cancellable(id: "b", overlap: .restart)
    let other = modifier(send.cancellable(id: "a", overlap: .drop)).cancellable(id: "b", overlap: .restart)
    #expect("\(modifier(twice))" == "\(other)")
    let scoped = modifier(send.cancellable(id: "a", overlap: .restart).scoped("s") { $0 })
    #expect("\(scoped)" == "\(behind.scoped("s") { $0 })")
  }

  @Test(arguments: 0..<3)
  func `A modifier and map may be swapped, for every small tree (C4)`(_ number: Int) {
    let modifier = Self.modifiers[number]
    let wrong = EffectSyntax.small.first { tree in
      let (one, other) = (modifier(tree.effect.map { $0 + 10 }), modifier(tree.effect).map { $0 + 10 })
      return "\(one)" != "\(other)" || one.runs != other.runs
    }
    #expect(wrong == nil)
  }

  @Test func `The action of the run is mapped with it (C4)`() async throws {
    for effect in [
      send.delay(for: .seconds(1)).map { $0 + 10 }.scoped("s") { $0 * 2 },
      send.map { $0 + 10 }.scoped("s") { $0 * 2 }.delay(for: .seconds(1)),
    ] {
      guard case .run(let operation) = effect else {
        Issue.record("\(effect)")
        continue
      }
      let sink = RecordingSink<Int>()
      try await operation.body(Send(sink, token: .none))
      #expect(sink.actions == [22])
    }
  }

  @Test func `Each send of a merge and each part of a sequence becomes a separate run (C4)`() {
    let run = #"run(name: "send").delay(for: 1.0 seconds)"#
    #expect(
      "\(Effect<Int>.merge(.send(1), .cancel(id: "x"), .send(2), .none).delay(for: .seconds(1)))"
        == #"merge(\#(run), cancel("x"), \#(run))"#)
    #expect(
      "\(Effect<Int>.concatenate(.send(1), .cancel(id: "x")).delay(for: .seconds(1)))"
        == #"concatenate(\#(run), cancel("x"))"#)
    #expect("\(Effect<Int>.none.delay(for: .seconds(1)))" == "none")
  }

  @Test(arguments: DeepEffect.allCases)
  func `A tree of a million levels is handled (C4)`(_ shape: DeepEffect) {
    #if DEBUG
      let levels = 50_000
    #else
      let levels = 1_000_000
    #endif
    let sends = shape == .cancellable ? 0 : levels
    #expect(shape.make(levels: levels).delay(for: .seconds(1)).runs.count == sends + 1)
  }
}
