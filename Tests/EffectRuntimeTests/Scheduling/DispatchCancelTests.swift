// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@Suite struct DispatchCancelTests {
  @Test func `Cancelled before its reduction, an action is reduced with its sends; runs and trees never start (L2)`() {
    let harness = SchedulerHarness { ledger, action in
      action == "go"
        ? .merge(
          .send("sent"), ledger.run("a"), ledger.run("b", id: "x"),
          ledger.run("c").cancellable(id: "t", overlap: .concurrent),
          .concatenate(ledger.run("d"), .send("next"), ledger.run("e")),
          .concatenate(.send("lost"), ledger.run("f")).cancellable(id: "t", overlap: .concurrent))
        : ledger.run("of \(action)")
    }
    harness.send("go", isRefusing: true)
    #expect(harness.takeEvents() == [.reduced("go"), .reduced("sent"), .reduced("next")])
    #expect(harness.takeDropped().sorted() == ["a", "b", "c", "d", "e", "f", "of next", "of sent"])
    harness.expectEmpty()
  }

  @Test func `Cancelling a dispatch cancels its runs, those in queues and the rest of its sequences (L2, E3)`() {
    let harness = SchedulerHarness()
    let other = harness.perform { $0.run("holds", id: "x", overlap: .enqueue) }
    let dispatch = harness.perform {
      .merge(
        $0.run("queued", id: "x", overlap: .enqueue), $0.run("a"), .concatenate($0.run("b"), $0.run("never")),
        .concatenate($0.run("c"), $0.run("never too")).cancellable(id: "t", overlap: .concurrent))
    }
    harness.watch(dispatch)
    harness.cancelDispatch(dispatch)
    #expect(
      harness.takeEvents()
        == [
          .started("holds"), .started("a"), .started("b"), .started("c"), .cancelled("a"), .cancelled("b"),
          .cancelled("c"), .finished(dispatch),
        ])
    for run in ["a", "b", "c"] { harness.end(run) }
    #expect(harness.takeDropped().sorted() == ["never", "never too", "queued"])
    harness.watch(other)
    harness.end("holds")
    #expect(harness.takeEvents() == [.finished(other)])
    harness.expectEmpty()
  }

  @Test func `Cancelling a dispatch reaches what the actions of its runs have started (L2)`() {
    let harness = SchedulerHarness { ledger, action in action == "go" ? ledger.run("child") : .none }
    let dispatch = harness.perform { $0.run("parent") }
    harness.send("go", by: "parent")
    harness.end("parent")
    harness.watch(dispatch)
    #expect(harness.takeEvents() == [.started("parent"), .reduced("go"), .started("child")])
    harness.cancelDispatch(dispatch)
    #expect(harness.takeEvents() == [.cancelled("child"), .finished(dispatch)])
    harness.end("child")
    harness.expectEmpty()
  }

  @Test func `A slot that a cancelled dispatch releases opens a queued tree, whose sends are reduced (E2, E6)`() {
    let harness = SchedulerHarness()
    let dispatch = harness.perform { $0.run("holds", id: "x", overlap: .enqueue) }
    let second = harness.perform { _ in
      .merge(.send("a"), .send("b")).cancellable(id: "x", overlap: .enqueue)
    }
    harness.watch(second)
    harness.cancelDispatch(dispatch)
    #expect(
      harness.takeEvents()
        == [.started("holds"), .cancelled("holds"), .reduced("a"), .reduced("b"), .finished(second)])
    harness.end("holds")
    harness.expectEmpty()
  }

  @Test func `Queued work that a cancelled dispatch had before its active work lets the queue go on first (L2, O2)`() {
    let harness = SchedulerHarness()
    let dispatch = harness.perform {
      .merge(
        $0.run("queued", id: "x", overlap: .enqueue).delay(for: .milliseconds(1)),
        $0.run("a", id: "y", overlap: .enqueue), $0.run("b", id: "x", overlap: .enqueue))
    }
    // Its time comes when the slot is taken.
    harness.advance(to: 1)
    harness.perform { .merge($0.run("c", id: "y", overlap: .enqueue), $0.run("d", id: "x", overlap: .enqueue)) }
    #expect(harness.takeEvents() == [.started("a"), .started("b")])
    #expect(harness.members(of: "x").queued == ["queued", "d"])
    harness.cancelDispatch(dispatch)
    #expect(harness.takeEvents() == [.cancelled("a"), .cancelled("b"), .started("d"), .started("c")])
    #expect(harness.takeDropped() == ["queued"])
    for run in ["a", "b", "c", "d"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `Cancelled twice, late, or unknown: nothing happens (L2)`() {
    let harness = SchedulerHarness()
    let dispatch = harness.perform { $0.run("a") }
    harness.cancelDispatch(dispatch)
    harness.cancelDispatch(dispatch)
    harness.end("a")
    harness.cancelDispatch(dispatch)
    harness.cancelDispatch(77)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    harness.expectEmpty()
  }

  @Test func `A wait for settled work is over at once, a wait for a run when it has ended (L2)`() {
    let harness = SchedulerHarness { ledger, action in action == "go" ? ledger.run("child") : .none }
    let dispatch = harness.perform { $0.run("parent") }
    harness.send("go", by: "parent")
    harness.watch(dispatch)
    harness.end("parent")
    #expect(harness.takeEvents() == [.started("parent"), .reduced("go"), .started("child")])
    harness.end("child")
    #expect(harness.takeEvents() == [.finished(dispatch)])
    harness.watch(dispatch)
    #expect(harness.takeEvents() == [.finished(dispatch)])
    harness.expectEmpty()
  }
}
