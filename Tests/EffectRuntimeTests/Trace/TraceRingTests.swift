// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

@Suite struct TraceRingTests {
  private func event(_ number: UInt64) -> TraceEvent<Int> {
    TraceEvent(number: number, time: .milliseconds(Int(number)), cause: nil, kind: .reduced(Int(number), .followUp))
  }

  private func numbers(_ events: [TraceEvent<Int>]) -> [UInt64] { events.map(\.number) }

  private func take(_ ring: TraceRing<Int>) -> String {
    switch ring.takeFirst() {
    case .event(let event): "\(event.kind)"
    case .nothing: "nothing"
    case .ended: "ended"
    }
  }

  @Test func `Of more than the limit the oldest events are removed, and are counted (V2)`() {
    let ring = TraceRing<Int>(limit: 3)
    for number: UInt64 in 1...5 { ring.append(event(number)) }
    let events = ring.events
    #expect(numbers(events) == [2, 3, 4, 5])
    #expect(events.first.map { "\($0)" } == "2  0.003 s  2 events lost")
    ring.append(event(6))
    #expect("\(ring.events[0].kind)" == "3 events lost")
  }

  @Test func `A reader is notified once of what it missed`() {
    let ring = TraceRing<Int>(limit: 2)
    for number: UInt64 in 1...3 { ring.append(event(number)) }
    #expect(take(ring) == "1 event lost")
    #expect(take(ring) == "reduced 2 as a follow-up")
    ring.append(event(4))
    #expect((0..<3).map { _ in take(ring) } == ["reduced 3 as a follow-up", "reduced 4 as a follow-up", "nothing"])
    ring.append(event(5))
    ring.end()
    #expect((0..<2).map { _ in take(ring) } == ["reduced 5 as a follow-up", "ended"])
  }

  @Test(arguments: [1, 2, 3, 7])
  func `Reading and writing in any rhythm keeps the order`(limit: Int) {
    let ring = TraceRing<Int>(limit: limit)
    var written: UInt64 = 0
    var expected: [UInt64] = []
    var numbers = Numbers(seed: UInt64(limit))
    for _ in 0..<2_000 {
      if numbers.next() % 2 == 0 {
        written += 1
        ring.append(event(written))
        expected.append(written)
        if expected.count > limit { expected.removeFirst() }
      } else if case .event(let event) = ring.takeFirst() {
        if case .lost = event.kind { continue }
        #expect(event.number == expected.removeFirst())
      } else {
        #expect(expected.isEmpty)
      }
      #expect(self.numbers(ring.events.filter { if case .lost = $0.kind { false } else { true } }) == expected)
    }
  }

  @Test func `A limit below one keeps one`() {
    let ring = TraceRing<Int>(limit: 0)
    ring.append(event(1))
    #expect(numbers(ring.events) == [1])
    ring.clear()
    #expect(ring.events.isEmpty)
  }
}
