// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectCore

/// The times at which a timer ticks, without a clock.
@Suite struct TickGridTests {
  private var grid = TickGrid(interval: .seconds(10))

  /// Simulates ticks whose reductions and wake-ups come late by the given numbers of seconds.
  private mutating func ticks(late: [Int], wakesLate: [Int]? = nil) -> [(at: Duration, tick: Int)] {
    var now = Duration.zero
    return late.indices.map { index in
      let due = grid.next(at: now)!
      let woken = due + .seconds(wakesLate?[index] ?? 0)
      let tick = grid.tick(at: woken)
      now = woken + .seconds(late[index])
      return (woken, tick)
    }
  }

  @Test mutating func `Ticks are on a grid and do not drift, however long each takes (C6)`() {
    let ticks = ticks(late: [0, 3, 9, 1])
    #expect(ticks.map(\.at) == [10, 20, 30, 40].map { .seconds($0) })
    #expect(ticks.map(\.tick) == [1, 2, 3, 4])
  }

  @Test mutating func `A tick whose time passes while the one before is reduced is left out (C6)`() {
    let ticks = ticks(late: [0, 25, 0])
    #expect(ticks.map(\.at) == [10, 20, 50].map { .seconds($0) })
    #expect(ticks.map(\.tick) == [1, 2, 5])
  }

  @Test mutating func `A tick that is due exactly when the one before has ended is not left out (C6)`() {
    let ticks = ticks(late: [10, 20, 0])
    #expect(ticks.map(\.at) == [10, 20, 40].map { .seconds($0) })
    #expect(ticks.map(\.tick) == [1, 2, 4])
  }

  @Test mutating func `A wake-up that comes late is one tick, the newest, and the next is on the grid (C6)`() {
    let ticks = ticks(late: [0, 0, 0], wakesLate: [0, 33, 0])
    #expect(ticks.map(\.at) == [10, 53, 60].map { .seconds($0) })
    #expect(ticks.map(\.tick) == [1, 5, 6])
  }

  @Test mutating func `A clock that wakes too early does not repeat a tick`() {
    #expect(grid.next(at: .zero) == .seconds(10))
    #expect(grid.tick(at: .seconds(9)) == 1)
    #expect(grid.next(at: .seconds(9)) == .seconds(20))
    #expect(grid.tick(at: .seconds(19)) == 2)
  }

  @Test func `A tick of a third of a second is due to the attosecond`() {
    var grid = TickGrid(interval: .seconds(1) / 3)
    for _ in 1...9_999 { _ = grid.next(at: .zero) }
    #expect(grid.next(at: .zero) == Duration(attoseconds: 10_000 * (.seconds(1) / 3 as Duration).attoseconds))
  }

  @Test(arguments: [
    Duration(attoseconds: .max), .seconds(Int64.max), Duration(attoseconds: .max / 2 + 1), Duration(attoseconds: 1),
  ])
  func `A tick that no clock reaches is never due (C1)`(interval: Duration) {
    var grid = TickGrid(interval: interval)
    let last = Duration(attoseconds: .max)
    #expect(grid.next(at: .zero) == interval)
    #expect(grid.tick(at: last) == Int(clamping: last.attoseconds / interval.attoseconds))
    #expect(grid.next(at: last) == nil)
    #expect(grid.wait(at: last) == nil)
  }

  @Test func `The last tick that a clock reaches depends on when the timer began (C1)`() {
    let last = Duration(attoseconds: .max)
    var grid = TickGrid(interval: .seconds(1), start: last - .milliseconds(2_500))
    #expect(grid.wait(at: .zero) == .seconds(1))
    #expect(grid.tick(at: .seconds(1)) == 1)
    #expect(grid.wait(at: .seconds(1)) == .seconds(1))
    #expect(grid.tick(at: .seconds(2)) == 2)
    #expect(grid.wait(at: .seconds(2)) == nil)
  }

  @Test func `A clock that goes back before the beginning has no effect (C1)`() {
    var grid = TickGrid(interval: .seconds(Int64.max))
    #expect(grid.wait(at: Duration(attoseconds: .min)) == Duration(attoseconds: .max))
    #expect(grid.tick(at: Duration(attoseconds: .min)) == 1)
  }
}
