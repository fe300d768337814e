// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

@Suite struct `Rules of all drawings` {
  @Test func `For an empty trace nothing is drawn`() {
    #expect(Timeline.text([TraceEvent<TraceScript.Action>]()) == "Nothing has happened.")
    #expect(
      Timeline.text([
        TraceEvent<TraceScript.Action>(number: 9, time: .zero, cause: nil, kind: .status("x", EffectStatus()))
      ])
        == "The trace begins with event 9, what came before is not known.")
  }

  @Test func `Of many rows those in the middle are left out, and times are as fine as needed`() {
    let lines = Timeline.text(Scripts.instant().events).split(separator: "\n").map(String.init)
    #expect(lines[0] == " seconds  998   999   1000")
    #expect(lines[1] == #"0.000100  ●                 .typed("x")  View.swift:12"#)
    #expect(lines.filter { $0.hasPrefix("0.000") }.count == 300)
    #expect(lines[75] == "0.000372  │     │     │     .tick  View.swift:12")
    #expect(lines[76] == "       ⋮  103 rows from 0.000373 to 0.000475 are left out")
    #expect(lines[77] == "0.000476  │     │     │     .tick  View.swift:12")
  }

  @Test func `No line is wider than requested, for any trace in any order`() {
    for seed in UInt64(0)..<25 {
      let events = Soup(seed: seed).events(200)
      for width in [30, 40, 80, 120] {
        let lines = Timeline.text(events, width: width).split(separator: "\n")
        #expect(lines.allSatisfy { $0.columns <= width && !$0.hasSuffix(" ") }, "seed \(seed), width \(width)")
      }
    }
  }

  @Test func `A drawing narrower than 30 columns is drawn with 30`() {
    let events = Scripts.safe().events
    for width in [Int.min, -1, 0, 29] {
      #expect(Timeline.text(events, width: width) == Timeline.text(events, width: 30))
    }
  }

  @Test func `Texts are made only of what is drawn`() {
    final class Reads: Sendable { let count = Lock(0) }
    struct Counted: Sendable, CustomStringConvertible {
      let reads: Reads
      var description: String {
        reads.count.withLock { $0 += 1 }
        return "counted"
      }
    }
    let reads = Reads()
    let events = (1...2_000).map { number in
      TraceEvent(
        number: UInt64(number), time: .milliseconds(number), cause: nil,
        kind: .reduced(Counted(reads: reads), .user(dispatch: UInt64(number), nil)))
    }
    _ = Timeline.text(events)
    #expect(reads.count.withLock { $0 } == 300)
  }
}

/// Events in any order, also in one that no store would report; the same for the same seed.
struct Soup {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  private mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  func events(_ count: Int) -> [TraceEvent<TraceScript.Action>] {
    var soup = self
    return (0..<count).map { index in
      TraceEvent(
        number: UInt64(index + 1), time: .milliseconds(max(0, index * 3 + soup.next(9) - 4)),
        cause: soup.next(3) == 0 ? nil : UInt64(soup.next(index + 1)), kind: soup.kind())
    }
  }

  private mutating func run() -> TraceRun {
    let number = next(20) + 1
    let ids: [EffectID?] = ["search", "a\nb", nil, "日本", "a long name of a run that fits nowhere"]
    return TraceRun(
      number: UInt64(number),
      description: EffectRun(id: ids[number % 5], overlap: .concurrent, input: number % 3 == 0 ? "x; #\"" : nil),
      isTree: number % 7 == 0)
  }

  private mutating func source() -> TraceSource {
    switch next(4) {
    case 0: .followUp
    case 1: .user(dispatch: UInt64(next(50)), next(2) == 0 ? nil : CallSite(fileID: "App/View.swift", line: 1))
    default: .run(next(9) == 0 ? nil : run())
    }
  }

  private mutating func kind() -> TraceEvent<TraceScript.Action>.Kind {
    let action = [TraceScript.Action.tick, .typed("a b\tc"), .found(String(repeating: "wide 漢字 ", count: next(20)))][
      next(3)]
    return switch next(12) {
    case 0, 1: .accepted(action, source())
    case 2, 3: .reduced(action, source())
    case 4: .dropped(action, source())
    case 5:
      [
        .refused(action, nil), .lost(next(9)), .dispatchCancelled(UInt64(next(50))), .shutdown(.ended),
        .turnSuspended(actions: 1), .budgetExceeded(steps: 2), .status("x", EffectStatus()),
        .unmatched(UnmatchedCancel(["x"])),
      ][next(8)]
    default: .run(run(), happening())
    }
  }

  private mutating func happening() -> TraceRun.Event {
    let time = Duration.milliseconds(next(700))
    return switch next(14) {
    case 0, 1: .registered(.starting)
    case 2: .registered(.queued)
    case 3: .registered(.waiting(until: time))
    case 4: .joined(run())
    case 5, 6: .started(attempt: next(3) + 1)
    case 7: .attemptFailed(next(2) == 0 ? TimedOut() : EffectTimeout(limit: .seconds(1)), .retry(at: time))
    case 8: .attemptFailed(TimedOut(), .recovery)
    case 9: .sleeping(until: time)
    case 10: .ended(.finished)
    case 11: .ended(.cancelled(.replaced))
    case 12: .ended(next(2) == 0 ? .dropped : .failed(TimedOut()))
    default: .returned
    }
  }
}
