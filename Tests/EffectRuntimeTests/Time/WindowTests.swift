// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

/// Debounce and throttle as values, without runs.
@Suite struct WindowTests {
  private func ms(_ count: Int) -> Duration { .milliseconds(count) }

  @Test func `A burst ends so long after its last input (C2)`() {
    var debounce = Debounce(at: ms(5), for: ms(10), maxWait: nil)
    #expect(debounce.deadline == ms(15))
    debounce.arrived(at: ms(14), for: ms(10), maxWait: nil)
    #expect(debounce.deadline == ms(24))
    debounce.arrived(at: ms(20), for: ms(3), maxWait: nil)
    #expect(debounce.deadline == ms(23))
  }

  @Test func `A burst ends at the latest so long after its first input (C2)`() {
    var debounce = Debounce(at: ms(5), for: ms(10), maxWait: ms(12))
    #expect(debounce.deadline == ms(15))
    debounce.arrived(at: ms(14), for: ms(10), maxWait: ms(12))
    #expect(debounce.deadline == ms(17))
    debounce.arrived(at: ms(16), for: ms(10), maxWait: nil)
    #expect(debounce.deadline == ms(26))
    #expect(Debounce(at: ms(5), for: ms(10), maxWait: .zero).deadline == ms(5))
  }

  @Test func `While a window is open one run waits for its end, or none (C2)`() {
    var throttle = Throttle(at: ms(5), for: ms(10))
    #expect(throttle.end == ms(15))
    #expect(throttle.arrived(for: ms(10), trailing: false) == .drop)
    #expect(!throttle.isAwaited)
    #expect(throttle.arrived(for: ms(10), trailing: true) == .wait)
    #expect(throttle.isAwaited)
    throttle.waiterLeft()
    #expect(!throttle.isAwaited)
    #expect(throttle.end == ms(15))
  }

  @Test func `The run that waited opens the next window, with its own length (C2)`() {
    var throttle = Throttle(at: ms(5), for: ms(10))
    _ = throttle.arrived(for: ms(4), trailing: true)
    throttle.ended(at: ms(15))
    #expect(throttle.end == ms(19))
    #expect(!throttle.isAwaited)
  }
}

@Suite struct AlarmsTests {
  private func alarm(_ seconds: Int, _ number: UInt64) -> Alarm { Alarm(deadline: .seconds(seconds), number: number) }

  @Test func `Alarms go off by deadline and then in the order they were set (C3)`() {
    var alarms = Alarms<String>()
    var expected: [(Int, UInt64)] = []
    for number in UInt64(1)...500 {
      let deadline = Int(number &* 7919 % 50)
      alarms.set(alarm(deadline, number), for: "\(number)")
      expected.append((deadline, number))
    }
    expected.sort { $0 < $1 }
    #expect(alarms.takeFirst(dueBy: .seconds(-1)) == nil)
    for (deadline, number) in expected {
      #expect(alarms.first == alarm(deadline, number))
      #expect(alarms.takeFirst(dueBy: .seconds(deadline)) == "\(number)")
    }
    #expect(alarms.isEmpty)
    #expect(alarms.first == nil)
  }

  @Test func `A cancelled alarm does not go off, whatever its position`() {
    var alarms = Alarms<Int>()
    for number in UInt64(1)...5 { alarms.set(alarm(Int(number), number), for: Int(number)) }
    #expect(alarms.cancel(1) == 1)
    #expect(alarms.cancel(1) == nil)
    #expect(alarms.cancel(3) == 3)
    #expect(alarms.first == alarm(2, 2))
    #expect(Set(alarms.all.map(\.purpose)) == [2, 4, 5])
    #expect((0..<3).compactMap { _ in alarms.takeFirst(dueBy: .seconds(9)) } == [2, 4, 5])
    #expect(alarms.entryCount == 0)
  }

  @Test func `A cancelled alarm is released before it would have been due`() {
    var alarms = Alarms<Int>()
    alarms.set(alarm(0, 0), for: 0)
    for number in UInt64(1)...10_000 {
      alarms.set(alarm(30, number), for: 0)
      alarms.cancel(number)
    }
    #expect(alarms.count == 1)
    #expect(alarms.entryCount < 100)
  }

  @Test func `Many alarms that are cancelled after they were set are released before they would have been due`() {
    var alarms = Alarms<Int>()
    for number in UInt64(0)...100 { alarms.set(alarm(Int(number), number), for: 0) }
    // The first one stays, so no other entry comes to the front.
    for number in UInt64(1)...100 { alarms.cancel(number) }
    #expect(alarms.count == 1)
    #expect(alarms.entryCount <= 64)
  }
}
