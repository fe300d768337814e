// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

private struct Broken: Error {}

@Suite struct SequenceTests {
  @Test func `A part starts when the one before it has settled (E2)`() {
    let harness = SchedulerHarness()
    harness.perform { .concatenate($0.run("a"), $0.run("b"), $0.run("c")) }
    #expect(harness.takeEvents() == [.started("a")])
    harness.end("a")
    #expect(harness.takeEvents() == [.started("b")])
    harness.end("b")
    #expect(harness.takeEvents() == [.started("c")])
    harness.end("c")
    harness.expectEmpty()
  }

  @Test func `A merge inside a sequence settles with its last part (E2)`() {
    let harness = SchedulerHarness()
    harness.perform { .concatenate(.merge($0.run("a"), $0.run("b")), $0.run("c")) }
    harness.end("b")
    #expect(harness.takeEvents() == [.started("a"), .started("b")])
    harness.end("a")
    #expect(harness.takeEvents() == [.started("c")])
    harness.end("c")
    harness.expectEmpty()
  }

  @Test func `A part that failed counts as settled, and is reported (E5, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .concatenate($0.run("a"), $0.run("b")) }
    harness.end("a", error: Broken())
    #expect(harness.takeEvents() == [.started("a"), .reported("a"), .started("b")])
    harness.end("b")
    harness.expectEmpty()
  }

  @Test func `A part whose error is caught settles when its catch has returned (E5, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .concatenate($0.run("a", catches: true), $0.run("b")) }
    harness.end("a", error: Broken())
    #expect(harness.takeEvents() == [.started("a"), .recovered("a")])
    harness.send("caught", by: "a")
    harness.end("a")
    #expect(harness.takeEvents() == [.reduced("caught"), .started("b")])
    harness.end("b")
    harness.expectEmpty()
  }

  @Test func `A part that was cancelled counts as settled at once, its closure need not have returned (E2, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .concatenate($0.run("a", id: "x"), $0.run("b")) }
    harness.perform { _ in .cancel(id: "x") }
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .started("b")])
    #expect(harness.executing == ["a", "b"])
    harness.end("b")
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `A part that was replaced counts as settled (E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .concatenate($0.run("a", id: "x", overlap: .restart), $0.run("next")) }
    harness.perform { $0.run("b", id: "x", overlap: .restart) }
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .started("b"), .started("next")])
    harness.end("a")
    harness.end("b")
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `A part that was dropped counts as settled (E6)`() {
    let harness = SchedulerHarness()
    harness.perform { $0.run("holds", id: "x", overlap: .drop) }
    harness.perform { .concatenate($0.run("dropped", id: "x", overlap: .drop), $0.run("next")) }
    #expect(harness.takeEvents() == [.started("holds"), .started("next")])
    #expect(harness.takeDropped() == ["dropped"])
    harness.end("holds")
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `A queued part that is cancelled never starts and the next one does (E3, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { $0.run("holds", id: "x", overlap: .enqueue) }
    harness.perform { .concatenate($0.run("queued", id: "x", overlap: .enqueue), $0.run("next")) }
    #expect(harness.takeEvents() == [.started("holds")])
    harness.perform { _ in .cancel(id: "x") }
    #expect(harness.takeEvents() == [.cancelled("holds"), .started("next")])
    #expect(harness.takeDropped() == ["queued"])
    harness.end("holds")
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `The end of a run waits behind its actions: they are reduced before the next part starts (E2)`() {
    let harness = SchedulerHarness { _, action in action == "one" ? .send("two") : .none }
    harness.perform { .concatenate($0.run("a"), $0.run("b")) }
    harness.send("one", by: "a")
    harness.end("a")
    #expect(
      harness.takeEvents() == [.started("a"), .reduced("one"), .reduced("two"), .started("b")])
    harness.end("b")
    harness.expectEmpty()
  }

  @Test func `Sequences inside sequences keep order on both sides`() {
    let harness = SchedulerHarness()
    harness.perform {
      .concatenate(
        .merge(.concatenate($0.run("a1"), $0.run("a2")), .concatenate($0.run("b1"), $0.run("b2"))), .send("done"))
    }
    #expect(harness.takeEvents() == [.started("a1"), .started("b1")])
    harness.end("a1")
    harness.end("a2")
    #expect(harness.takeEvents() == [.started("a2")])
    harness.end("b1")
    #expect(harness.takeEvents() == [.started("b2")])
    harness.end("b2")
    #expect(harness.takeEvents() == [.reduced("done")])
    harness.expectEmpty()
  }

  @Test func `Cancels and sends in a sequence wait for their turn (T4)`() {
    let harness = SchedulerHarness()
    harness.perform { $0.run("other", id: "x") }
    harness.perform { .concatenate($0.run("first"), .cancel(id: "x"), .send("last")) }
    #expect(harness.takeEvents() == [.started("other"), .started("first")])
    harness.end("first")
    #expect(harness.takeEvents() == [.cancelled("other"), .reduced("last")])
    harness.end("other")
    harness.expectEmpty()
  }
}
