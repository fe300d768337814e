// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct TimedWorkTests {
  private let place: Int32 = 5
  private let run = Token(slot: 1, generation: 3)

  /// Timed work whose clock is at zero.
  private var idle: TimedWork { TimedWork(clock: { .zero }, number: nil) }

  private func token(_ slot: Int32) -> Token { Token(slot: slot, generation: 3) }

  private func start(_ purpose: TimedWork.Purpose?) -> Token? {
    if case .start(let token) = purpose { token } else { nil }
  }

  private func place(_ purpose: TimedWork.Purpose?) -> Int32? {
    if case .windowEnd(let place) = purpose { place } else { nil }
  }

  // MARK: - Alarms

  @Test func `Alarms are taken when they are due, by deadline and then in the order in which they were set (C3)`() {
    var time = idle
    #expect(!time.hasAlarms)
    for (slot, seconds) in [(1, 2), (2, 1), (3, 1)] as [(Int32, Int)] {
      time.setAlarm(after: .seconds(seconds), of: slot, for: .start(token(slot)))
    }
    #expect(time.hasAlarms && time.hasMoments)
    #expect(time.nextAlarm?.deadline == .seconds(1))
    #expect(start(time.nextPurpose) == token(2))
    let early = time.takeAlarm(dueBy: .milliseconds(999))
    #expect(early == nil)
    let taken = (0..<4).map { _ in start(time.takeAlarm(dueBy: .seconds(2))) }
    #expect(taken == [token(2), token(3), token(1), nil])
    #expect(!time.hasAlarms && !time.hasMoments)
    #expect(time.isEmpty)
  }

  @Test func `An alarm is cleared with its slot`() {
    var time = idle
    time.setAlarm(after: .seconds(1), of: 1, for: .limit(run))
    time.clearAlarm(of: 2)
    #expect(time.hasAlarms)
    time.clearAlarm(of: 1)
    time.clearAlarm(of: 1)
    #expect(time.isEmpty)
    #expect(!time.hasAlarms)
  }

  @Test func `Numbers come from the shell if it numbers its own sleepers (C3)`() {
    var time = TimedWork(clock: { .seconds(10) }, number: { 77 })
    time.setAlarm(after: .seconds(1), of: 1, for: .start(run))
    #expect(time.nextAlarm == Alarm(deadline: .seconds(11), number: 77))
    #expect(time.now() == .seconds(10))
  }

  @Test func `What waits is listed with its moment, time limits are not`() {
    var time = idle
    time.setAlarm(after: .seconds(1), of: 1, for: .start(run))
    time.setAlarm(after: .seconds(2), of: 2, for: .limit(token(2)))
    time.open(Throttle(at: .zero, for: .seconds(3)), at: place, "id")
    wait(3, &time)
    let postponed = time.postponed(token).sorted { $0.until < $1.until }
    #expect(postponed.map(\.token) == [run, token(3)])
    #expect(postponed.map(\.until) == [.seconds(1), .seconds(3)])
  }

  // MARK: - Windows

  /// A run waits for the end of the throttle window.
  private func wait(_ slot: Int32, _ time: inout TimedWork) {
    guard var throttle = time.throttle(at: place) else {
      Issue.record("no window is open")
      return
    }
    #expect(throttle.arrived(for: .seconds(1), trailing: true) == .wait)
    time.wait(slot, for: throttle, at: place)
  }

  @Test func `A burst has one deadline, and its window closes with the run that leaves it (C2)`() {
    var time = idle
    let first = time.debounce(at: place, .zero, for: .seconds(2), maxWait: .seconds(3))
    #expect(first.deadline == .seconds(2))
    time.wait(run, for: first, at: place, "id")
    #expect(time.debounced(at: place) == 1)
    #expect(time.throttled(at: place) == nil)
    #expect(time.windowID(at: place) == "id")
    #expect(time.debounce(at: place, .seconds(2), for: .seconds(2), maxWait: .seconds(3)).deadline == .seconds(3))
    #expect(time.dueDebounce(at: place, .seconds(1)) == nil)
    #expect(time.dueDebounce(at: place, .seconds(2)) == 1)
    #expect(time.leaveWindow(2, at: place) == .none)
    #expect(time.leaveWindow(1, at: 6) == .none)
    #expect(time.leaveWindow(1, at: place) == .last)
    time.clearAlarm(of: 1)
    #expect(time.isEmpty)
  }

  @Test func `A throttle window that nothing waits for is only forgotten`() {
    var time = idle
    time.open(Throttle(at: .zero, for: .seconds(1)), at: place, "id")
    #expect(!time.hasAlarms && time.hasMoments && time.hasUnawaitedWindows)
    #expect(time.placesOfWindows == [place])
    #expect(time.takeClosedWindow(dueBy: .milliseconds(999))?.place == nil)
    let closed = time.takeClosedWindow(dueBy: .seconds(1))
    #expect(closed?.place == place)
    #expect(closed?.isEmpty == true)
    #expect(time.isEmpty)
    #expect(!time.hasMoments && !time.hasWindows)
  }

  @Test func `A throttle window that a run waits for ends with an alarm, and the next one opens`() {
    var time = idle
    time.open(Throttle(at: .zero, for: .seconds(1)), at: place, "id")
    wait(4, &time)
    #expect(time.throttled(at: place) == 4)
    #expect(time.hasAlarms && !time.hasUnawaitedWindows)
    #expect(place(time.takeAlarm(dueBy: .seconds(1))) == place)
    #expect(time.endThrottle(at: place, .seconds(1)) == 4)
    #expect(time.endThrottle(at: place, .seconds(1)) == nil)
    #expect(!time.hasAlarms && time.hasUnawaitedWindows)
    #expect(time.throttle(at: place)?.end == .seconds(2))
  }

  @Test func `The next window opens late too, if the end has passed and its alarm was not taken`() {
    var time = idle
    time.open(Throttle(at: .zero, for: .seconds(1)), at: place, "id")
    wait(4, &time)
    #expect(time.endDueThrottle(at: place, .milliseconds(999)) == nil)
    #expect(time.endDueThrottle(at: place, .seconds(5)) == 4)
    #expect(time.throttle(at: place)?.end == .seconds(6))
    #expect(!time.hasAlarms)
  }

  @Test func `A window stays open when the run that waits for its end leaves`() {
    var time = idle
    time.open(Throttle(at: .zero, for: .seconds(1)), at: place, "id")
    wait(4, &time)
    #expect(time.leaveWindow(4, at: place) == .open)
    #expect(time.throttled(at: place) == nil)
    #expect(time.throttle(at: place)?.isAwaited == false)
    #expect(!time.hasAlarms && time.hasUnawaitedWindows)
  }

  @Test func `A run that waits in place of another is listed once`() {
    var time = idle
    // Its alarm is first, so the others' entries stay behind it.
    time.setAlarm(after: .seconds(1), of: 1, for: .start(run))
    time.open(Throttle(at: .zero, for: .seconds(3)), at: place, "id")
    for slot in [4, 5, 6] as [Int32] {
      wait(slot, &time)
      guard slot < 6 else { break }
      #expect(time.leaveWindow(slot, at: place) == .open)
    }
    #expect(time.postponed(token).map(\.token).sorted { $0.slot < $1.slot } == [run, token(6)])
  }

  @Test func `A cancel closes the window, whatever it is (C2)`() {
    var time = idle
    time.open(Throttle(at: .zero, for: .seconds(9)), at: place, "id")
    time.open(Throttle(at: .zero, for: .seconds(9)), at: 6, "other")
    wait(4, &time)
    #expect(time.closeWindow(at: place) == true)
    #expect(time.closeWindow(at: place) == false)
    #expect(time.placesOfWindows == [6])
    #expect(!time.hasAlarms)
    #expect(time.closeWindow(at: 6) == true)
    #expect(time.isEmpty)
  }
}
