// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@Suite struct TurnOrderTests {
  @Test func `An action and all it sends are one turn, first in, first out (T3)`() {
    let harness = SchedulerHarness { _, action in
      switch action {
      case "go": .merge(.send("a"), .send("b"))
      case "a": .merge(.send("a1"), .send("a2"))
      case "b": .send("b1")
      case "a1": .send("a11")
      default: .none
      }
    }
    harness.send("go")
    #expect(harness.takeEvents() == ["go", "a", "b", "a1", "a2", "b1", "a11"].map { .reduced($0) })
    harness.expectEmpty()
  }

  @Test func `An effect is interpreted right after its reduction, before the next action of the turn (T4)`() {
    let harness = SchedulerHarness { ledger, action in
      switch action {
      case "go": .merge(.send("a"), .send("b"))
      case "a": ledger.run("run a")
      case "b": ledger.run("run b")
      default: .none
      }
    }
    harness.send("go")
    #expect(
      harness.takeEvents()
        == [.reduced("go"), .reduced("a"), .started("run a"), .reduced("b"), .started("run b")])
    harness.end("run b")
    harness.end("run a")
    harness.expectEmpty()
  }

  @Test func `An effect is interpreted from left to right: a cancel reaches only what comes before it (T4)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .merge($0.run("before", id: "x"), .cancel(id: "x"), $0.run("after", id: "x"))
    }
    #expect(harness.takeEvents() == [.started("after")])
    #expect(harness.takeDropped() == ["before"])
    harness.end("after")
    harness.expectEmpty()
  }

  @Test func `A run is registered at once: a send to its right finds it there (T4)`() {
    let harness = SchedulerHarness { _, action in action == "stop" ? .cancel(id: "x") : .none }
    harness.perform { .merge($0.run("r", id: "x"), .send("stop")) }
    #expect(harness.takeEvents() == [.started("r"), .reduced("stop"), .cancelled("r")])
    harness.end("r")
    harness.expectEmpty()
  }

  @Test func `What the first of two sends in a sequence sends precedes the second (T4)`() {
    let harness = SchedulerHarness { _, action in
      switch action {
      case "a": .merge(.send("a1"), .send("a2"))
      case "a1": .send("a11")
      default: .none
      }
    }
    harness.perform { _ in .concatenate(.send("a"), .send("b")) }
    #expect(harness.takeEvents() == ["a", "a1", "a2", "b", "a11"].map { .reduced($0) })
    harness.expectEmpty()
  }

  @Test func `In a merge what the first of two sends sends comes after the second (T3)`() {
    let harness = SchedulerHarness { _, action in action == "a" ? .send("a1") : .none }
    harness.perform { _ in .merge(.send("a"), .send("b")) }
    #expect(harness.takeEvents() == ["a", "b", "a1"].map { .reduced($0) })
    harness.expectEmpty()
  }

  @Test func `A sequence does not wait for runs that its actions start in their turn (T4)`() {
    let harness = SchedulerHarness { ledger, action in action == "a" ? ledger.run("long") : .none }
    harness.perform { .concatenate(.send("a"), $0.run("next")) }
    #expect(harness.takeEvents() == [.reduced("a"), .started("long"), .started("next")])
    harness.end("long")
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `The end of a run goes on with its sequence in one turn (T3, E2)`() {
    let harness = SchedulerHarness { _, action in action == "a" ? .send("a1") : .none }
    harness.perform { .concatenate($0.run("r"), .merge(.send("a"), .send("b")), .send("c")) }
    #expect(harness.takeEvents() == [.started("r")])
    harness.end("r")
    #expect(harness.takeEvents() == ["a", "b", "a1", "c"].map { .reduced($0) })
    harness.expectEmpty()
  }
}
