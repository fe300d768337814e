// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// Which runs are handed to tasks when (rule E8).
@Suite struct ReadyRunsTests {
  private let start = SuspendingClock.now

  private func makeBody() -> RunBody<Int> {
    guard case .run(let operation) = Effect<Int>.run({ _ in }) else { fatalError("a run is a run") }
    return RunBody(
      operation, token: Token(slot: 0, generation: 0), mailbox: Mailbox(time: TimeSource(ContinuousClock())))
  }

  /// Whether runs are due at the ends of turns, at these microseconds.
  private func due(at ends: [Int]) -> [Bool] {
    var pace = TurnPace()
    return ends.map { pace.isDue(at: start + .microseconds($0)) }
  }

  @Test func `Behind the first turn, and behind one that took long, nothing waits`() {
    #expect(due(at: [0, 100, 200, 210]) == [true, true, true, true])
  }

  @Test func `Short turns are collected for twenty microseconds`() {
    #expect(
      due(at: [0, 9, 18, 19, 20, 29, 38, 39, 40]) == [true, false, false, false, true, false, false, false, true])
  }

  @Test func `A long turn behind short ones ends the wait`() {
    #expect(due(at: [0, 5, 18]) == [true, false, true])
  }

  @Test func `Only runs that replace others wait`() {
    var runs = ReadyRuns<Int>()
    runs.add(makeBody(), isReplacing: true)
    #expect(runs.areReplacing)
    runs.add(makeBody(), isReplacing: false)
    #expect(!runs.areReplacing && runs.areDue() && runs.areDue())
    // It comes behind one that does not wait.
    runs.add(makeBody(), isReplacing: true)
    #expect(!runs.areReplacing)
  }

  @Test func `A run that is cancelled while it waits is forgotten if it is the newest`() {
    var runs = ReadyRuns<Int>()
    let bodies = [makeBody(), makeBody()]
    for body in bodies { runs.add(body, isReplacing: true) }
    runs.forget(bodies[0])
    #expect(runs.starts.map { ObjectIdentifier($0) } == bodies.map { ObjectIdentifier($0) })
    runs.forget(bodies[1])
    #expect(runs.starts.count == 1)
  }

  @Test func `A pool drops runs that were cancelled before, and calls the next one`() async {
    let pool = RunPool<Int>()
    var bodies = (0..<200).map { _ in makeBody() }
    for body in bodies.dropLast() { body.cancel() }
    weak let dropped = bodies.first
    let last = bodies[199]
    pool.queue.withLock {
      $0.ready = bodies
      $0.scouts = 1
    }
    bodies = []
    await Task.detached {
      var next = pool.take(asScout: true)
      while case .take(let isScout) = next {
        #expect(isScout)
        next = pool.take(asScout: isScout)
      }
      guard case .call(let body) = next else {
        Issue.record("nothing is called")
        return
      }
      #expect(body === last)
    }.value
    #expect(dropped == nil)
  }
}
