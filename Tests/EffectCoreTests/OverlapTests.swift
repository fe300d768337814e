// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@Suite struct `Overlaps` {
  @Test func `Without arguments the defaults are used`() {
    #expect(Overlap.restart == .restart())
    #expect(Overlap.drop == .drop())
    #expect(Overlap.enqueue == .enqueue())
    #expect(Overlap.keepLatest == .keepLatest())
    #expect(Overlap.join == .join())
    #expect(Overlap.restart == .restart(limit: 1, exclusive: false))
    #expect(Overlap.enqueue == .enqueue(limit: 1, exclusive: false, capacity: nil, whenFull: .dropNewest))
  }

  @Test func `All except concurrent are limited to one, and not exclusive (O1)`() {
    let limited: [(Overlap, Overlap.Name)] = [
      (.restart, .restart), (.drop, .drop), (.enqueue, .enqueue), (.keepLatest, .keepLatest), (.join, .join),
    ]
    for (overlap, name) in limited {
      #expect(overlap.name == name)
      #expect(overlap.limit == 1)
      #expect(!overlap.exclusive)
    }
    #expect(Overlap.concurrent.name == .concurrent)
    #expect(Overlap.concurrent.limit == .max)
    #expect(!Overlap.concurrent.exclusive)
  }

  @Test func `Four of the names are one queue (O1)`() {
    #expect(Overlap.drop(limit: 2) == .enqueue(limit: 2, capacity: 0))
    #expect(Overlap.drop == .enqueue(capacity: 0, whenFull: .dropOldest))
    #expect(Overlap.keepLatest(exclusive: true) == .enqueue(exclusive: true, capacity: 1, whenFull: .dropOldest))
    #expect(Overlap.concurrent == .enqueue(limit: .max))
    #expect(Overlap.enqueue.capacity == .max && Overlap.enqueue.whenFull == .dropNewest)
  }

  @Test func `Arguments are kept`() {
    let overlaps: [Overlap] = [
      .restart(limit: 3, exclusive: true), .drop(limit: 3, exclusive: true), .enqueue(limit: 3, exclusive: true),
      .keepLatest(limit: 3, exclusive: true),
    ]
    for overlap in overlaps {
      #expect(overlap.limit == 3)
      #expect(overlap.exclusive)
    }
    let queue = Overlap.enqueue(capacity: 2, whenFull: .dropOldest)
    #expect(queue.capacity == 2)
    #expect(queue.whenFull == .dropOldest)
    #expect(Overlap.restart(limit: .max).limit == .max)
    #expect(Overlap.restart(limit: Int(Int32.max) + 1).limit == .max)
    #expect(Overlap.restart(limit: Int(Int32.max) - 1).limit == Int(Int32.max) - 1)
  }

  @Test func `Overlaps that differ in any part are not equal`() {
    let overlaps: [Overlap] = [
      .concurrent, .restart, .drop, .enqueue, .keepLatest, .join, .restart(limit: 2), .restart(exclusive: true),
      .drop(limit: 2), .enqueue(capacity: 1), .enqueue(whenFull: .dropOldest),
      .enqueue(capacity: 2, whenFull: .dropOldest),
    ]
    for (i, left) in overlaps.enumerated() {
      for (j, right) in overlaps.enumerated() { #expect((left == right) == (i == j), "\(left), \(right)") }
    }
    #expect(Set(overlaps).count == overlaps.count)
  }

  @Test func `Overlaps print as they are written`() {
    let texts: [(Overlap, String)] = [
      (.concurrent, "concurrent"), (.restart, "restart"), (.drop, "drop"), (.enqueue, "enqueue"),
      (.keepLatest, "keepLatest"), (.join, "join"), (.restart(limit: 1), "restart"),
      (.restart(limit: 2), "restart(limit: 2)"), (.drop(exclusive: true), "drop(exclusive: true)"),
      (.join(limit: 2), "join(limit: 2)"),
      (.keepLatest(limit: 4), "keepLatest(limit: 4)"),
      (.enqueue(limit: 3, capacity: 10), "enqueue(limit: 3, capacity: 10)"),
      (.enqueue(whenFull: .dropOldest), "enqueue(whenFull: dropOldest)"),
      (
        .enqueue(limit: 3, exclusive: true, capacity: 2, whenFull: .dropOldest),
        "enqueue(limit: 3, exclusive: true, capacity: 2, whenFull: dropOldest)"
      ),
    ]
    for (overlap, text) in texts { #expect(overlap.description == text) }
  }
}

@Suite struct `Impossible overlaps` {
  @Test(arguments: ["restart", "drop", "enqueue", "keepLatest", "join"], [0, -1])
  func `A limit below one traps`(kind: String, limit: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind, limit] in
      let (file, line) = ("App/Feed.swift" as StaticString, 7 as UInt)
      switch kind {
      case "restart": _ = Overlap.restart(limit: limit, fileID: file, line: line)
      case "drop": _ = Overlap.drop(limit: limit, fileID: file, line: line)
      case "enqueue": _ = Overlap.enqueue(limit: limit, fileID: file, line: line)
      case "keepLatest": _ = Overlap.keepLatest(limit: limit, fileID: file, line: line)
      default: _ = Overlap.join(limit: limit, fileID: file, line: line)
      }
    }
    let text = "Overlap.\(kind): limit is \(limit); at least one run must be allowed"
    expectText("App/Feed.swift:7: Fatal error: \(text)", in: result)
  }

  @Test func `A capacity below zero traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Overlap.enqueue(capacity: -1)
    }
    let text = "Overlap.enqueue: capacity is -1; it must not be negative"
    expectText("EffectCoreTests/OverlapTests.swift:\(#line - 4): Fatal error: \(text)", in: result)
  }

  private func expectText(
    _ text: String, in result: ExitTest.Result?, location: SourceLocation = #_sourceLocation
  ) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains(text + "\n"), sourceLocation: location)
  }
}
