// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import Testing

@testable import EffectTesting

/// What a test store keeps about its runs, decided without a store.
@Suite struct TestRunsTests {
  private var runs = TestRuns()

  private func token(_ slot: Int32, _ generation: UInt32 = 0) -> Token { Token(slot: slot, generation: generation) }

  private func turn(of action: String?, isExcused: Bool = false, starts: Int = 0) -> TurnRecord {
    var turn = TurnRecord()
    turn.current = action
    turn.isExcused = isExcused
    turn.starts = starts
    return turn
  }

  private mutating func start(_ token: Token, in turn: TurnRecord) {
    runs.start(Task {}, token, in: turn) { EffectRun(id: "run") }
  }

  private func cause(_ token: Token) -> String? { runs[token]?.cause as? String }

  @Test mutating func `A run is caused by the action of the turn that starts it, and the numbers follow the starts`() {
    #expect(runs.isEmpty && !runs.hasStarted)
    start(token(1), in: turn(of: "first"))
    start(token(2), in: turn(of: "second", isExcused: true))
    #expect(cause(token(1)) == "first" && cause(token(2)) == "second")
    #expect(runs[token(1)]?.number == 1 && runs[token(2)]?.number == 2)
    #expect(runs.count == 2 && runs.hasStarted)
    #expect(runs.excused == [token(2)])
  }

  @Test mutating func `A run that waited keeps the cause of the turn that made it wait`() {
    runs.noteOrigins(ofWaiting: [token(1)], startedBy: "typed", in: turn(of: "typed"))
    // Another turn does not change it.
    runs.noteOrigins(ofWaiting: [token(1)], startedBy: "other", in: turn(of: "other"))
    #expect(runs.origin(of: token(1))?.cause as? String == "typed")
    start(token(1), in: turn(of: nil))
    #expect(cause(token(1)) == "typed")
    #expect(runs.origin(of: token(1)) == nil)
  }

  @Test
  mutating func
    `The origin of a run that does not wait any more is forgotten, unless runs wait for the end of the turn`()
  {
    runs.noteOrigins(ofWaiting: [token(1)], startedBy: "typed", in: turn(of: "typed"))
    runs.noteOrigins(ofWaiting: [], startedBy: nil, in: turn(of: nil, starts: 1))
    #expect(runs.origin(of: token(1)) != nil)
    runs.noteOrigins(ofWaiting: [], startedBy: nil, in: turn(of: nil))
    #expect(runs.origin(of: token(1)) == nil)
  }

  @Test mutating func `Another attempt, and a catch, have the cause of the run that has failed`() {
    start(token(1), in: turn(of: "load"))
    var end = TurnRecord()
    end.ended = runs.end(token(1), isKept: false)
    start(token(1, 1), in: end)
    #expect(cause(token(1, 1)) == "load")
    start(token(2), in: end)
    #expect(cause(token(2)) == nil)
  }

  @Test mutating func `The catch of a run that was out of time while it waited has the cause of this run`() {
    runs.noteOrigins(ofWaiting: [token(1)], startedBy: "load", in: turn(of: "load", isExcused: true))
    start(token(1, 1), in: turn(of: nil))
    #expect(cause(token(1, 1)) == "load")
    #expect(runs.excused == [token(1, 1)])
    #expect(runs.origin(of: token(1)) == nil)
  }

  @Test mutating func `A run that has returned is named only while drops are asserted`() {
    start(token(1), in: turn(of: "a"))
    start(token(2), in: turn(of: "a"))
    #expect(runs.description(of: token(1)) != nil)
    #expect(runs.end(token(1), isKept: true) != nil && runs.end(token(2), isKept: false) != nil)
    #expect(runs.end(token(1), isKept: true) == nil)
    #expect(runs.description(of: token(1)) != nil && runs.description(of: token(2)) == nil)
    #expect(runs.isEmpty && runs.hasStarted)
  }

  @Test mutating func `Only the runs that were excused before stay excused after a known issue`() {
    start(token(1), in: turn(of: "a", isExcused: true))
    let before = runs.excused
    start(token(2), in: turn(of: "b", isExcused: true))
    runs.noteOrigins(ofWaiting: [token(3)], startedBy: "b", in: turn(of: "b", isExcused: true))
    #expect(runs.excused == [token(1), token(2), token(3)])
    runs.excuseOnly(before)
    #expect(runs.excused == [token(1)])
    #expect(runs.origin(of: token(3))?.cause as? String == "b")
  }
}

@Suite struct TestWaitersTests {
  private var waiters = TestWaiters<Int>()

  @Test mutating func `A step waits until what it waits for has settled`() {
    let (first, second) = (Waiter(), Waiter())
    waiters.add(first)
    waiters.add(second)
    #expect(waiters.settled(first) == nil)
    #expect(!waiters.contains(first) && waiters.contains(second))
    waiters.remove(second)
    #expect(!waiters.contains(second))
  }

  @Test mutating func `A request is answered once, when its own work has settled`() {
    let request = PendingRequest<Int>(number: 1, isRead: true)
    waiters.add(request)
    #expect(waiters.contains(request.waiter))
    #expect(waiters.settled(Waiter()) == nil)
    #expect(waiters.settled(request.waiter) === request)
    #expect(waiters.settled(request.waiter) == nil && !waiters.contains(request.waiter))
  }

  @Test mutating func `A request that a shutdown cuts short has this error as its answer`() {
    let (cut, other) = (PendingRequest<Int>(number: 1, isRead: true), PendingRequest<Int>(number: 2, isRead: true))
    waiters.add(cut)
    waiters.add(other)
    waiters.cutShort(cut.waiter)
    for request in [cut, other] { waiters.settled(request.waiter)?.settle(.success((0, RequestOutcomes()))) }
    #expect(throws: RequestFailure.self) { try cut.result?.get() }
    #expect(throws: Never.self) { try other.result?.get() }
  }
}

@Suite struct UnmatchedCancelsTests {
  @Test func `Each cancel is named once, and never one older than the last`() {
    var cancels = UnmatchedCancels()
    #expect(cancels.isNew(1))
    cancels.named(3)
    #expect(!cancels.isNew(1) && !cancels.isNew(3) && cancels.isNew(4))
  }

  @Test func `A note for each cancel is shown once`() {
    var cancels = UnmatchedCancels()
    let (first, second) = (UnmatchedCancel(["a"]), UnmatchedCancel(["b"]))
    let shown = [first, second, first].map { cancels.shows($0) }
    #expect(shown == [true, true, false])
  }
}
