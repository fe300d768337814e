// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@Suite struct TreeTests {
  @Test func `A tree under an id is cancelled as one (E6)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .concatenate(.merge($0.run("a"), $0.run("b", id: "inner")), $0.run("never")).cancellable(
        id: "tree", overlap: .concurrent)
    }
    harness.perform { _ in .cancel(id: "tree") }
    #expect(harness.takeEvents() == [.started("a"), .started("b"), .cancelled("a"), .cancelled("b")])
    #expect(!harness.send("late", by: "a"))
    harness.end("a")
    harness.end("b")
    #expect(harness.takeDropped() == ["never"])
    #expect(harness.takeEvents().isEmpty)
    harness.expectEmpty()
  }

  @Test func `The policy acts on a tree before it is interpreted: a dropped tree sends and cancels nothing (E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .merge($0.run("other", id: "x"), $0.run("holds", id: "tree", overlap: .drop)) }
    harness.perform {
      .merge(.send("never"), .cancel(id: "x"), $0.run("never")).cancellable(id: "tree", overlap: .drop)
    }
    #expect(harness.takeEvents() == [.started("other"), .started("holds")])
    harness.end("holds")
    harness.end("other")
    harness.expectEmpty()
  }

  @Test func `A tree in a queue opens later, with its sends and cancels (E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .merge($0.run("other", id: "x"), $0.run("holds", id: "tree", overlap: .enqueue)) }
    harness.perform {
      .merge(.send("sent"), .cancel(id: "x"), $0.run("r")).cancellable(id: "tree", overlap: .enqueue)
    }
    #expect(harness.takeEvents() == [.started("other"), .started("holds")])
    harness.end("holds")
    #expect(harness.takeEvents() == [.cancelled("other"), .started("r"), .reduced("sent")])
    harness.end("r")
    harness.end("other")
    harness.expectEmpty()
  }

  @Test func `A tree that is cancelled in its queue never sends and never cancels (E3, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .merge($0.run("other", id: "x"), $0.run("holds", id: "tree", overlap: .enqueue)) }
    harness.perform {
      .merge(.send("never"), .cancel(id: "x"), $0.run("never")).cancellable(id: "tree", overlap: .enqueue)
    }
    harness.perform { _ in .cancel(id: "tree") }
    #expect(harness.takeEvents() == [.started("other"), .started("holds"), .cancelled("holds")])
    #expect(harness.takeDropped() == ["never"])
    harness.end("holds")
    harness.end("other")
    #expect(harness.takeEvents().isEmpty)
    harness.expectEmpty()
  }

  @Test func `Sends of a tree carry its token: a cancel that is reduced first drops them (E1, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { _ in
      .merge(
        .merge(.send("a"), .send("b")).cancellable(id: "tree", overlap: .concurrent), .cancel(id: "tree"), .send("c"))
    }
    #expect(harness.takeEvents() == [.reduced("c")])
    #expect(harness.scheduler.droppedActions == 2)
    harness.expectEmpty()
  }

  @Test func `A send of a tree may cancel the tree: what it already sent is dropped, the rest stops (E1, E6)`() {
    let harness = SchedulerHarness { _, action in action == "stop" ? .cancel(id: "tree") : .none }
    harness.perform {
      .merge(.send("stop"), .send("never"), $0.run("r")).cancellable(id: "tree", overlap: .concurrent)
    }
    #expect(harness.takeEvents() == [.started("r"), .reduced("stop"), .cancelled("r")])
    #expect(harness.scheduler.droppedActions == 1)
    harness.end("r")
    harness.expectEmpty()
  }

  @Test(arguments: ["id", "ids", "matching", "everything"])
  func `A cancel that reaches its own tree stops all parts not yet interpreted (E6)`(kind: String) {
    let target: Cancellation =
      switch kind {
      case "id": .id("tree")
      case "ids": .ids(["tree", "nothing"])
      case "matching": .all(of: String.self) { $0 == "tree" }
      default: .everything
      }
    let harness = SchedulerHarness()
    harness.perform {
      .merge($0.run("before"), .send("never"), .cancel(target), $0.run("never"), .send("never"), .cancel(id: "x"))
        .cancellable(id: "tree", overlap: .concurrent)
    }
    #expect(harness.takeEvents().isEmpty)
    #expect(harness.takeDropped().sorted() == ["before", "never"])
    #expect(harness.selfCancellations.count == 1)
    harness.expectEmpty()
  }

  @Test func `A tree settles when its last part has, and starts the next in its queue (E2)`() {
    let harness = SchedulerHarness()
    for name in ["a", "b"] {
      harness.perform {
        .concatenate($0.run(name + "1"), .send(name), $0.run(name + "2"))
          .cancellable(id: "tree", overlap: .enqueue)
      }
    }
    #expect(harness.takeEvents() == [.started("a1")])
    harness.end("a1")
    #expect(harness.takeEvents() == [.reduced("a"), .started("a2")])
    harness.end("a2")
    #expect(harness.takeEvents() == [.started("b1")])
    harness.end("b1")
    harness.end("b2")
    harness.expectEmpty()
  }

  @Test func `A newer tree that replaces a tree cancels its runs at once (O1, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .merge($0.run("a"), $0.run("b")).cancellable(id: "tree", overlap: .restart) }
    harness.perform { .merge(.send("new"), $0.run("c")).cancellable(id: "tree", overlap: .restart) }
    #expect(
      harness.takeEvents()
        == [.started("a"), .started("b"), .cancelled("a"), .cancelled("b"), .started("c"), .reduced("new")])
    for run in ["a", "b", "c"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A slot is held for a run's own work, never for what its actions cause (O4)`() {
    let harness = SchedulerHarness { ledger, action in
      action == "again" ? ledger.run("second", id: "x", overlap: .enqueue) : .none
    }
    harness.perform { $0.run("first", id: "x", overlap: .enqueue) }
    harness.send("again", by: "first")
    #expect(harness.takeEvents() == [.started("first"), .reduced("again")])
    harness.end("first")
    #expect(harness.takeEvents() == [.started("second")])
    harness.end("second")
    harness.expectEmpty()
  }

  @Test func `A tree does not wait for what its actions start: they are not its parts (O4, E6)`() {
    let harness = SchedulerHarness { ledger, action in action == "a" ? ledger.run("free") : .none }
    harness.perform { _ in .merge(.send("a"), .send("b")).cancellable(id: "tree", overlap: .enqueue) }
    harness.perform { $0.run("next", id: "tree", overlap: .enqueue) }
    #expect(harness.takeEvents() == [.reduced("a"), .started("free"), .reduced("b"), .started("next")])
    harness.perform { _ in .cancel(id: "tree") }
    #expect(harness.takeEvents() == [.cancelled("next")])
    harness.end("free")
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `A run of its own tree's id replaces nothing, and is replaced with the tree (E6)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .merge($0.run("before"), $0.run("own", id: "x", overlap: .restart), $0.run("behind"))
        .cancellable(id: "x", overlap: .restart)
    }
    #expect(harness.takeEvents() == ["before", "own", "behind"].map { .started($0) })
    harness.perform { $0.run("later", id: "x", overlap: .restart) }
    #expect(harness.takeEvents() == ["before", "own", "behind"].map { .cancelled($0) } + [.started("later")])
    for run in ["before", "own", "behind", "later"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A tree and a run inside it under one id are both replaced by a newcomer (O1, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .merge($0.run("a", id: "x"), $0.run("b")).cancellable(id: "x", overlap: .concurrent) }
    harness.perform { $0.run("new", id: "x", overlap: .restart) }
    #expect(
      harness.takeEvents()
        == [.started("a"), .started("b"), .cancelled("a"), .cancelled("b"), .started("new")])
    for run in ["a", "b", "new"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A raised limit starts waiting work in its order, trees like runs, before the newcomer (O1)`() {
    let harness = SchedulerHarness()
    let one = Overlap.enqueue(limit: 1)
    harness.perform { $0.run("holds", id: "x", overlap: one) }
    harness.perform { .merge($0.run("tree 1"), .send("sent"), $0.run("tree 2")).cancellable(id: "x", overlap: one) }
    harness.perform { $0.run("waits", id: "x", overlap: one) }
    harness.perform { .merge($0.run("new", id: "x", overlap: .enqueue(limit: 4)), $0.run("right of it")) }
    #expect(
      harness.takeEvents()
        == ["holds", "tree 1", "tree 2", "waits", "new", "right of it"].map { .started($0) } + [.reduced("sent")])
    for run in ["holds", "tree 1", "tree 2", "waits", "new", "right of it"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A tree that starts because of a newcomer may cancel the work that waits behind it (O1, E3)`() {
    let harness = SchedulerHarness()
    let one = Overlap.enqueue(limit: 1)
    harness.perform { $0.run("holds", id: "x", overlap: one) }
    harness.perform { .merge($0.run("tree"), .cancel(id: "x")).cancellable(id: "x", overlap: one) }
    harness.perform { $0.run("waits", id: "x", overlap: one) }
    harness.perform { $0.run("new", id: "x", overlap: .restart(limit: 4)) }
    #expect(harness.takeEvents() == [.started("holds"), .cancelled("holds"), .started("new")])
    #expect(harness.takeDropped().sorted() == ["tree", "waits"])
    harness.end("holds")
    harness.end("new")
    harness.expectEmpty()
  }
}
