// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@Suite struct ExclusiveTests {
  private let exclusive = Overlap.enqueue(exclusive: true)

  @Test func `A cancelled exclusive run keeps its slot until its closure has returned (O2)`() {
    let harness = SchedulerHarness()
    harness.perform { $0.run("a", id: "x", overlap: exclusive) }
    harness.perform { $0.run("b", id: "x", overlap: exclusive) }
    harness.perform { $0.run("c", id: "y", overlap: .enqueue) }
    harness.perform { $0.run("d", id: "y", overlap: .enqueue) }
    harness.cancelDispatch(1)
    harness.cancelDispatch(3)
    #expect(harness.takeEvents() == [.started("a"), .started("c"), .cancelled("a"), .cancelled("c"), .started("d")])
    harness.end("a")
    #expect(harness.takeEvents() == [.started("b")])
    for run in ["b", "c", "d"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A restarted exclusive run waits for the one it replaces (O2)`() {
    let harness = SchedulerHarness()
    let overlap = Overlap.restart(exclusive: true)
    harness.perform { $0.run("a", id: "x", overlap: overlap) }
    harness.perform { $0.run("b", id: "x", overlap: overlap) }
    harness.perform { $0.run("c", id: "x", overlap: overlap) }
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    #expect(harness.takeDropped() == ["b"])
    harness.end("a")
    #expect(harness.takeEvents() == [.started("c")])
    harness.end("c")
    harness.expectEmpty()
  }

  @Test func `A sequence waits until a cancelled exclusive part has returned (E2)`() {
    let harness = SchedulerHarness()
    let dispatch = harness.perform { .concatenate($0.run("a", id: "x", overlap: exclusive), $0.run("next")) }
    harness.watch(dispatch)
    harness.perform { _ in .cancel(id: "x") }
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    harness.end("a")
    #expect(harness.takeEvents() == [.started("next")])
    harness.end("next")
    #expect(harness.takeEvents() == [.finished(dispatch)])
    harness.expectEmpty()
  }

  @Test func `A dispatch does not wait for the closure of a cancelled exclusive run (E2)`() {
    let harness = SchedulerHarness()
    let dispatch = harness.perform { $0.run("a", id: "x", overlap: exclusive) }
    harness.watch(dispatch)
    harness.perform { _ in .cancel(id: "x") }
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .finished(dispatch)])
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `A sequence waits for an exclusive run inside a cancelled tree, and not for others (E2)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .concatenate(
        .merge($0.run("plain"), .concatenate($0.run("a", id: "x", overlap: exclusive), $0.run("never")))
          .cancellable(id: "tree", overlap: .concurrent),
        $0.run("next"))
    }
    harness.perform { _ in .cancel(id: "tree") }
    #expect(harness.takeEvents() == [.started("plain"), .started("a"), .cancelled("plain"), .cancelled("a")])
    harness.end("a")
    #expect(harness.takeEvents() == [.started("next")])
    harness.end("plain")
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `A tree cancelled while it waits for an exclusive closure passes the wait to the work around it (E2)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .concatenate(
        .concatenate($0.run("a", id: "x", overlap: exclusive), $0.run("never")).cancellable(
          id: "tree", overlap: .concurrent),
        $0.run("next"))
    }
    harness.perform { _ in .cancel(id: "x") }
    harness.perform { _ in .cancel(id: "tree") }
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    harness.end("a")
    #expect(harness.takeEvents() == [.started("next")])
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `A tree around a cancelled exclusive tree may be cancelled as well: it keeps its closures (E2, O2)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .concatenate(.merge($0.run("a"), $0.run("b")).cancellable(id: "inner", overlap: exclusive), $0.run("never"))
        .cancellable(id: "tree", overlap: .concurrent)
    }
    harness.perform { _ in .cancel(id: "inner") }
    harness.perform { _ in .cancel(id: "tree") }
    harness.perform { $0.run("next", id: "inner", overlap: exclusive) }
    harness.end("a")
    #expect(
      harness.takeEvents() == [.started("a"), .started("b"), .cancelled("a"), .cancelled("b")])
    harness.end("b")
    #expect(harness.takeEvents() == [.started("next")])
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `A cancelled exclusive tree keeps its slot until all its closures have returned (O2)`() {
    let harness = SchedulerHarness()
    harness.perform { .merge($0.run("a"), $0.run("b")).cancellable(id: "tree", overlap: exclusive) }
    harness.perform { $0.run("c", id: "tree", overlap: exclusive) }
    harness.cancelDispatch(1)
    #expect(harness.takeEvents() == [.started("a"), .started("b"), .cancelled("a"), .cancelled("b")])
    harness.end("b")
    #expect(harness.takeEvents().isEmpty)
    harness.end("a")
    #expect(harness.takeEvents() == [.started("c")])
    harness.end("c")
    harness.expectEmpty()
  }

  @Test func `A sequence around a cancelled exclusive tree waits for its closures (E2)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .concatenate(.merge($0.run("a"), $0.run("b")).cancellable(id: "tree", overlap: exclusive), $0.run("next"))
    }
    harness.perform { _ in .cancel(id: "tree") }
    harness.end("a")
    #expect(
      harness.takeEvents() == [.started("a"), .started("b"), .cancelled("a"), .cancelled("b")])
    harness.end("b")
    #expect(harness.takeEvents() == [.started("next")])
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `An exclusive run cancelled before its closure started keeps no slot (O2, E3)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .merge(
        $0.run("never", id: "x", overlap: exclusive), .cancel(id: "x"), $0.run("a", id: "x", overlap: exclusive))
    }
    #expect(harness.takeEvents() == [.started("a")])
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `At most limit closures execute, also after any cancel (O2)`() {
    let harness = SchedulerHarness()
    let overlap = Overlap.enqueue(limit: 2, exclusive: true)
    for number in 1...6 { harness.perform { $0.run("r\(number)", id: "x", overlap: overlap) } }
    harness.cancelDispatch(1)
    #expect(harness.executing == ["r1", "r2"])
    harness.cancelDispatch(2)
    #expect(harness.executing == ["r1", "r2"])
    harness.end("r2")
    #expect(harness.executing == ["r1", "r3"])
    harness.end("r1")
    #expect(harness.executing == ["r3", "r4"])
    harness.perform { _ in .cancel(id: "x") }
    #expect(harness.executing == ["r3", "r4"])
    harness.end("r3")
    harness.end("r4")
    harness.expectEmpty()
  }
}
