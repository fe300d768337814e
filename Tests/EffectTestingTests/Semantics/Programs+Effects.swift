// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Program {
  static let effects = [
    Program("A replaced run can send nothing more (E1)") { kit, action in
      switch action {
      case "1":
        kit.run("a", id: "x", overlap: .restart) { me in
          await me.hold()
          me.send("stale")
        }
      case "2":
        kit.run("b", id: "x", overlap: .restart) { me in
          try await me.wait()
          me.send("found")
        }
      default: .none
      }
    }.steps([
      (.send("1"), "1 | a+ | 1 running"),
      (.send("2"), "2 | b+ | 1 running, 1 cancelling"),
      (.open("a"), " | a! | 1 running"),
      (.open("b"), "found | b- | idle"),
    ]),
    Program("A cancel reaches active and waiting runs, and their errors are ignored (E3, E4)") { kit, action in
      switch action {
      case "1", "2":
        kit.run("r" + action, id: "x", overlap: .enqueue) { me in
          do { try await me.wait() } catch { throw Kit.Broken() }
        }
      case "stop": .cancel(id: "x")
      default: .none
      }
    }.steps([
      (.send("1"), "1 | r1+ | 1 running"),
      (.send("2"), "2 |  | 1 running, 1 queued"),
      (.send("stop"), "stop | r1! | idle"),
      (.send("1"), "1 | r1+ | 1 running"),
      (.open("r1"), " | r1- | idle"),
    ]),
    Program("An error goes to catch, after the actions sent before it (E1, E5)") { kit, action in
      action == "go"
        ? kit.run("a", id: "x", catching: true) { me in
          me.send("1")
          throw Kit.Broken()
        } : .none
    }.steps([
      (.send("go"), "go 1 failed:a | a* a+ | idle")
    ]),
    Program("An error without catch is a failure, and the rest goes on (E5)") { kit, action in
      switch action {
      case "go":
        .merge(
          kit.run("b", id: "y"),
          kit.run("a", id: "x") { me in
            try await me.wait()
            throw Kit.Broken()
          })
      default: .none
      }
    }.steps([
      (.send("go"), "go | a+ b+ | 1 running"),
      (.open("a"), "!a | a* | idle"),
      (.send("on"), "on |  | idle"),
      (.open("b"), " | b- | idle"),
    ]),
    Program("A part of a sequence that failed counts as settled (E2, E6)") { kit, action in
      action == "go"
        ? .concatenate(kit.run("a", id: "x") { _ in throw Kit.Broken() }, kit.run("b", id: "x"), .send("then")) : .none
    }.steps([
      (.send("go"), "go !a | a* a+ b+ | 1 running"),
      (.open("b"), "then | b- | idle"),
    ]),
    Program("A cancelled part counts as settled, and the next part joins that turn (E2, E6, T4)") { kit, action in
      switch action {
      case "go": .concatenate(kit.run("a", id: "x"), .send("then"), kit.run("b", id: "x"))
      case "stop": .merge(.cancel(id: "x"), .send("stopped"))
      default: .none
      }
    }.steps([
      (.send("go"), "go | a+ | 1 running"),
      (.send("stop"), "stop then stopped | a! b+ | 1 running"),
      (.open("b"), " | b- | idle"),
    ]),
    Program("A delivery returns when its action was reduced, or dropped (E1)") { kit, action in
      switch action {
      case "go":
        kit.run("a", id: "x") { me in
          let first = await me.send.delivered("one")
          await me.hold()
          let second = await me.send.delivered("two")
          kit.trace.run("\(first),\(second)")
        }
      case "stop": .cancel(id: "x")
      default: .none
      }
    }.steps([
      (.send("go"), "go one | a+ | 1 running"),
      (.send("stop"), "stop |  | 1 cancelling"),
      (.open("a"), " | a! true,false | idle"),
    ]),
    Program("All parts that wait for an end continue in one turn, from left to right (E2, E8, T3)") { kit, action in
      switch action {
      case "go":
        .merge(
          .concatenate(kit.run("a", id: "x"), .merge(.send("1"), .send("2"))),
          .concatenate(kit.run("b", id: "x", overlap: .concurrent), .send("3")))
      case "1": .send("1a")
      case "stop": .cancel(id: "x")
      default: .none
      }
    }.steps([
      (.send("go"), "go | a+ b+ | 2 running"),
      (.send("stop"), "stop 1 2 3 1a | a! b! | idle"),
    ]),
  ]

  static let trees = [
    Program("A tree is one unit: its cancel takes all of it (E6)", ids: ["t"]) { kit, action in
      switch action {
      case "go":
        .merge(kit.run("a"), .concatenate(kit.run("b"), .send("never"))).cancellable(id: "t", overlap: .concurrent)
      case "stop": .cancel(id: "t")
      default: .none
      }
    }.steps([
      (.send("go"), "go | a+ b+ | 1 running"),
      (.send("stop"), "stop | a! b! | idle"),
    ]),
    Program("The sends of a queued tree wait with it (E6, O1)", ids: ["t"]) { kit, action in
      switch action {
      case "1": kit.run("a").cancellable(id: "t", overlap: .enqueue)
      case "2": Effect.merge(.send("sent"), kit.run("b")).cancellable(id: "t", overlap: .enqueue)
      default: .none
      }
    }.steps([
      (.send("1"), "1 | a+ | 1 running"),
      (.send("2"), "2 |  | 1 running, 1 queued"),
      (.open("a"), "sent | a- b+ | 1 running"),
      (.open("b"), " | b- | idle"),
    ]),
    Program("A tree that cancels itself is skipped from there, with the actions that it sent (E6, E1)", ids: ["t"]) {
      kit, action in
      guard action == "go" else { return .none }
      return .merge(
        .merge(.send("dropped"), .cancel(id: "t"), .send("left out"), kit.run("a")).cancellable(
          id: "t", overlap: .concurrent),
        .send("behind"))
    }.steps([
      (.send("go"), "go behind |  | idle")
    ]),
    Program("A tree in a tree is cancelled alone, or with the one around it (E6)", ids: ["t", "u"]) { kit, action in
      switch action {
      case "go":
        .merge(kit.run("a").cancellable(id: "u", overlap: .concurrent), kit.run("b")).cancellable(
          id: "t", overlap: .concurrent)
      case "inner": .cancel(id: "u")
      case "outer": .cancel(id: "t")
      default: .none
      }
    }.steps([
      (.send("go"), "go | a+ b+ | 1 running; 1 running"),
      (.send("inner"), "inner | a! | 1 running; idle"),
      (.open("b"), " | b- | idle; idle"),
      (.send("go"), "go | a+ b+ | 1 running; 1 running"),
      (.send("outer"), "outer | a! b! | idle; idle"),
    ]),
    Program("A cancel by scope does not affect work outside the scope (E3)") { kit, action in
      switch action {
      case "go":
        .merge(
          kit.run("in", id: "x").scoped("child") { $0 },
          Effect.concatenate(kit.run("free"), .send("never")).scoped("child") { $0 },
          kit.run("out", id: "x"))
      case "stop": .cancel(scope: "child")
      default: .none
      }
    }.steps([
      (.send("go"), "go | free+ in+ out+ | 1 running"),
      (.send("stop"), "stop | free! in! | 1 running"),
      (.open("out"), " | out- | idle"),
    ]),
    Program("A cancel of all ids of a type does not affect ids of other types (E3)") { kit, action in
      switch action {
      case "go": .merge(kit.run("a", id: "x"), kit.run("b").cancellable(id: 7, overlap: .concurrent))
      case "numbers": .cancel(.all(of: Int.self))
      case "texts": .cancel(.all(of: String.self))
      default: .none
      }
    }.steps([
      (.send("go"), "go | a+ b+ | 1 running"),
      (.send("numbers"), "numbers | b! | 1 running"),
      (.send("texts"), "texts | a! | idle"),
    ]),
    Program("A cancel of everything stops sequences, except the one that it is a part of (E3, E6)") { kit, action in
      switch action {
      case "go": .concatenate(kit.run("a", id: "x"), .send("never"))
      case "stop": .concatenate(.cancel(.everything), .send("stopped"), kit.run("b", id: "x"))
      default: .none
      }
    }.steps([
      (.send("go"), "go | a+ | 1 running"),
      (.send("stop"), "stop stopped | a! b+ | 1 running"),
      (.open("b"), " | b- | idle"),
    ]),
  ]
}
