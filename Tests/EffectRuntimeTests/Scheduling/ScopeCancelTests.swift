// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@Suite struct ScopeCancelTests {
  private func inside(_ scope: String, _ effect: Effect<String>) -> Effect<String> {
    effect.scoped(scope) { $0 }
  }

  @Test func `A scope is cancelled with everything in it, at any depth, and nothing beside it (E3)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .merge(
        inside("rows", inside("1", .merge($0.run("named", id: "x"), $0.run("unnamed")))),
        inside("rows", $0.run("of rows")),
        inside("rows", inside("2", $0.run("t").cancellable(id: "tree", overlap: .concurrent))),
        inside("other", $0.run("other", id: "x")), $0.run("free", id: "x"), $0.run("unnamed free"))
    }
    _ = harness.takeEvents()
    harness.perform { _ in .cancel(.scope("rows")) }
    #expect(
      Set(harness.takeEvents().map(String.init(describing:)))
        == ["named", "unnamed", "of rows", "t"].map { "cancelled(\"\($0)\")" }.reduce(into: []) { $0.insert($1) })
    for run in harness.executing { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `Inside a scope, a cancel of everything means everything of the scope`() {
    let harness = SchedulerHarness()
    harness.perform {
      .merge(inside("row", $0.run("a")), inside("row", $0.run("b", id: "x")), $0.run("c"))
    }
    harness.perform { _ in inside("row", .cancel(.everything)) }
    #expect(
      harness.takeEvents()
        == [.started("a"), .started("b"), .started("c"), .cancelled("a"), .cancelled("b")])
    for run in harness.executing { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A scope's queued runs never start (E3)`() {
    let harness = SchedulerHarness()
    for name in ["a", "b"] {
      harness.perform { inside("row", $0.run(name, id: "x", overlap: .enqueue)) }
    }
    harness.perform { _ in .cancel(.scope("row")) }
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    #expect(harness.takeDropped() == ["b"])
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `A sequence of a scope is stopped between two parts, wherever its current part is (E6)`() {
    let harness = SchedulerHarness()
    harness.perform { inside("row", .concatenate($0.run("a"), $0.run("never"))) }
    harness.perform { _ in .cancel(.scope("row")) }
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    harness.end("a")
    #expect(harness.takeEvents().isEmpty)
    harness.expectEmpty()
  }

  @Test func `A sequence outside the scope goes on when a part of it in the scope is cancelled (E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .concatenate(inside("row", $0.run("a")), $0.run("next")) }
    harness.perform { _ in .cancel(.scope("row")) }
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .started("next")])
    harness.end("a")
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `A scope cancel spares the sequences it is itself a part of`() {
    let harness = SchedulerHarness()
    harness.perform {
      inside(
        "row",
        .concatenate(
          $0.run("a"), .merge($0.run("in between"), .cancel(.everything)), .concatenate(.send("b"), $0.run("c"))))
    }
    harness.perform { inside("row", .concatenate($0.run("other"), $0.run("never"))) }
    harness.end("a")
    #expect(
      harness.takeEvents()
        == [.started("a"), .started("other"), .cancelled("other"), .reduced("b"), .started("c")])
    #expect(harness.takeDropped().sorted() == ["in between", "never"])
    harness.end("other")
    harness.end("c")
    harness.expectEmpty()
  }

  @Test func `A cancel by predicate reaches running and queued ids of the type, in the scope only (E3)`() {
    let harness = SchedulerHarness()
    for number in 1...4 {
      harness.perform {
        .merge(
          $0.run("free \(number)", id: EffectID(number)),
          inside("row", $0.run("row \(number)", id: EffectID(number))),
          $0.run("text \(number)", id: EffectID("\(number)")))
      }
    }
    _ = harness.takeEvents()
    harness.perform { _ in inside("row", .cancel(.all(of: Int.self) { $0 > 2 })) }
    #expect(
      Set(harness.takeEvents().map(String.init(describing:))) == ["cancelled(\"row 3\")", "cancelled(\"row 4\")"])
    harness.perform { _ in .cancel(.all(of: Int.self) { $0 == 1 }) }
    #expect(
      Set(harness.takeEvents().map(String.init(describing:))) == ["cancelled(\"row 1\")", "cancelled(\"free 1\")"])
    for run in harness.executing { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `Everything is every run, queue, tree and sequence of the store (E3)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .merge(
        $0.run("a"), $0.run("b", id: "x", overlap: .enqueue), $0.run("queued", id: "x", overlap: .enqueue),
        .concatenate($0.run("c"), $0.run("never")),
        .concatenate($0.run("d"), $0.run("never too")).cancellable(id: "tree", overlap: .concurrent))
    }
    harness.watch(1)
    _ = harness.takeEvents()
    harness.perform { _ in .cancel(.everything) }
    let events = harness.takeEvents()
    #expect(
      Set(events.map(String.init(describing:)))
        == ["cancelled(\"a\")", "cancelled(\"b\")", "cancelled(\"c\")", "cancelled(\"d\")", "finished(1)"])
    for run in harness.executing { harness.end(run) }
    #expect(harness.takeEvents().isEmpty)
    harness.expectEmpty()
  }
}
