// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Program {
  /// Actions are names of runs of one id.
  private static func runs(_ name: String, _ overlap: Overlap, _ script: [(Step, String)]) -> Program {
    Program(name) { kit, action in kit.run(action, id: "x", overlap: overlap) }.steps(script)
  }

  static let overlaps = [
    runs(
      "concurrent: all run (O1)", .concurrent,
      [
        (.send("a"), "a | a+ | 1 running"),
        (.send("b"), "b | b+ | 2 running"),
        (.open("a"), " | a- | 1 running"),
        (.open("b"), " | b- | idle"),
      ]),
    runs(
      "restart, two at a time: the oldest is cancelled (O1)", .restart(limit: 2),
      [
        (.send("a"), "a | a+ | 1 running"),
        (.send("b"), "b | b+ | 2 running"),
        (.send("c"), "c | a! c+ | 2 running"),
        (.open("b"), " | b- | 1 running"),
        (.open("c"), " | c- | idle"),
      ]),
    runs(
      "drop: the new one is ignored (O1)", .drop,
      [
        (.send("a"), "a | a+ | 1 running"),
        (.send("b"), "b |  | 1 running"),
        (.finish(1), " |  | 1 running"),
        (.open("a"), " | a- | idle"),
        (.send("c"), "c | c+ | 1 running"),
        (.open("c"), " | c- | idle"),
      ]),
    runs(
      "enqueue: one after another (O1)", .enqueue,
      [
        (.send("a"), "a | a+ | 1 running"),
        (.send("b"), "b |  | 1 running, 1 queued"),
        (.send("c"), "c |  | 1 running, 2 queued"),
        (.open("a"), " | a- b+ | 1 running, 1 queued"),
        (.open("b"), " | b- c+ | 1 running"),
        (.open("c"), " | c- | idle"),
      ]),
    runs(
      "enqueue with a capacity: the oldest waiting run is dropped (O1)",
      .enqueue(capacity: 1, whenFull: .dropOldest),
      [
        (.send("a"), "a | a+ | 1 running"),
        (.send("b"), "b |  | 1 running, 1 queued"),
        (.send("c"), "c |  | 1 running, 1 queued"),
        (.finish(1), " |  | 1 running, 1 queued"),
        (.open("a"), " | a- c+ | 1 running"),
        (.open("c"), " | c- | idle"),
      ]),
    runs(
      "keepLatest: only the newest waits (O1)", .keepLatest,
      [
        (.send("a"), "a | a+ | 1 running"),
        (.send("b"), "b |  | 1 running, 1 queued"),
        (.send("c"), "c |  | 1 running, 1 queued"),
        (.open("a"), " | a- c+ | 1 running"),
        (.open("c"), " | c- | idle"),
      ]),
    Program("join: equal inputs share a run, others queue (O1)") { kit, action in
      guard action != "done" else { return .none }
      return kit.run(action, id: "x", overlap: .join, input: String(action.prefix(1))) { me in
        try await me.wait()
        me.send("done")
      }
    }.steps([
      (.send("a1"), "a1 | a1+ | 1 running, input: \"a\""),
      (.send("a2"), "a2 |  | 1 running, input: \"a\""),
      (.send("b1"), "b1 |  | 1 running, 1 queued, input: \"a\""),
      (.open("a1"), "done | a1- b1+ | 1 running, input: \"b\""),
      (.finish(0), " |  | 1 running, input: \"b\""),
      (.finish(1), " |  | 1 running, input: \"b\""),
      (.open("b1"), "done | b1- | idle"),
    ]),
    Program("A cancelled run gives up its slot at once (O2)") { kit, action in
      kit.run(action, id: "x", overlap: .restart) { await $0.hold() }
    }.steps([
      (.send("a"), "a | a+ | 1 running"),
      (.send("b"), "b | b+ | 1 running, 1 cancelling"),
      (.open("a"), " | a! | 1 running"),
      (.open("b"), " | b- | idle"),
    ]),
    Program("An exclusive run keeps its slot until its closure has returned (O2)") { kit, action in
      kit.run(action, id: "x", overlap: .restart(exclusive: true)) { await $0.hold() }
    }.steps([
      (.send("a"), "a | a+ | 1 running"),
      (.send("b"), "b |  | 1 queued, 1 cancelling"),
      (.send("c"), "c |  | 1 queued, 1 cancelling"),
      (.finish(1), " |  | 1 queued, 1 cancelling"),
      (.open("a"), " | a! c+ | 1 running"),
      (.open("c"), " | c- | idle"),
    ]),
    Program("A run does not hold its slot for the effects of its actions (O4)") { kit, action in
      switch action {
      case "go": kit.run("a", id: "x", overlap: .enqueue) { $0.send("again") }
      case "again": kit.run("b", id: "x", overlap: .enqueue)
      default: .none
      }
    }.steps([
      (.send("go"), "go again | a+ a- b+ | 1 running"),
      (.open("b"), " | b- | idle"),
      (.finish(0), " |  | idle"),
    ]),
  ]

  static let dispatches = [
    Program("A dispatch has settled when all work that it caused has, transitively (L2)") { kit, action in
      switch action {
      case "go":
        kit.run("a") { me in
          try await me.wait()
          me.send("next")
        }
      case "next": .concatenate(kit.run("b", id: "x"), .send("last"))
      default: .none
      }
    }.steps([
      (.send("go"), "go | a+ | idle"),
      (.open("a"), "next | a- b+ | 1 running"),
      (.open("b"), "last | b- | idle"),
      (.finish(0), " |  | idle"),
    ]),
    Program("Cancelling a dispatch cancels all work that it caused, transitively, and no other (L2)") { kit, action in
      switch action {
      case "1":
        .merge(
          kit.run("a") {
            $0.send("next"); try await $0.wait()
          }, .concatenate(kit.run("b"), .send("never")))
      case "next": kit.run("c", id: "x")
      case "2": kit.run("d", id: "x")
      default: .none
      }
    }.steps([
      (.send("1"), "1 next | a+ b+ c+ | 1 running"),
      (.send("2"), "2 | d+ | 2 running"),
      (.cancel(0), " | a! b! c! | 1 running"),
      (.finish(0), " |  | 1 running"),
      (.cancel(0), " |  | 1 running"),
      (.open("d"), " | d- | idle"),
      (.cancel(1), " |  | idle"),
    ]),
    Program("A shared run is active until its last dispatch is cancelled (L2, O1)") { kit, action in
      kit.run(action, id: "x", overlap: .join, input: "same")
    }.steps([
      (.send("a"), "a | a+ | 1 running, input: \"same\""),
      (.send("b"), "b |  | 1 running, input: \"same\""),
      (.cancel(0), " |  | 1 running, input: \"same\""),
      (.finish(0), " |  | 1 running, input: \"same\""),
      (.cancel(1), " | a! | idle"),
    ]),
  ]
}
