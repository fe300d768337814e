// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Program {
  /// Sends its own name, with a modifier.
  private static func answering(
    _ name: String, overlap: Overlap = .restart, _ modifier: @escaping @Sendable (Effect<String>) -> Effect<String>,
    _ script: [(Step, String)]
  ) -> Program {
    Program(name) { kit, action in
      guard action.count == 1, action.lowercased() == action else { return .none }
      return modifier(kit.run(action, id: "x", overlap: overlap) { $0.send($0.name.uppercased()) })
    }.steps(script)
  }

  static let times = [
    Program("Sleepers wake at their deadline, on the store's clock (C1)") { kit, action in
      switch action {
      case "a", "b":
        kit.run(action, id: "x", overlap: .restart) { me in
          try await me.sleep(300)
          me.send("at:\(me.send.now / .milliseconds(1))")
        }
      default: .none
      }
    }.steps([
      (.send("a"), "a | a+ | 1 running"),
      (.advance(200, sleepers: 0), " |  | 1 running"),
      (.send("b"), "b | a! b+ | 1 running"),
      (.advance(300), "at:500.0 | b- | idle"),
    ]),
    answering(
      "debounce: the last of a burst (C2)", { $0.debounce(for: .milliseconds(300)) },
      [
        (.send("a"), "a |  | 1 queued"),
        (.advance(200, sleepers: 0), " |  | 1 queued"),
        (.send("b"), "b |  | 1 queued"),
        (.finish(0), " |  | 1 queued"),
        (.advance(100), " |  | 1 queued"),
        (.advance(200), "B | b+ b- | idle"),
        (.finish(1), " |  | idle"),
      ]),
    answering(
      "debounce, at most so long (C2)", { $0.debounce(for: .milliseconds(300), maxWait: .milliseconds(400)) },
      [
        (.send("a"), "a |  | 1 queued"),
        (.advance(200, sleepers: 0), " |  | 1 queued"),
        (.send("b"), "b |  | 1 queued"),
        (.advance(190), " |  | 1 queued"),
        (.send("c"), "c |  | 1 queued"),
        (.advance(10), "C | c+ c- | idle"),
      ]),
    answering(
      "throttle: the first, and the last of the others (C2)", { $0.throttle(for: .milliseconds(100)) },
      [
        (.send("a"), "a A | a+ a- | idle"),
        (.advance(50, sleepers: 0), " |  | idle"),
        (.send("b"), "b |  | 1 queued"),
        (.send("c"), "c |  | 1 queued"),
        (.advance(50), "C | c+ c- | idle"),
        (.send("d"), "d |  | 1 queued"),
        (.advance(100), "D | d+ d- | idle"),
      ]),
    answering(
      "delay: two at one instant fire in the order in which they were set (C2, C3)", overlap: .drop,
      { $0.delay(for: .milliseconds(100)) },
      [
        (.send("a"), "a |  | 1 queued"),
        (.send("b"), "b |  | 2 queued"),
        (.advance(100), "A | a+ a- | idle"),
      ]),
    Program("A time limit fires before other events of the run at that instant (C2, C3)") { kit, action in
      action == "go"
        ? kit.run("a", id: "x", catching: true) { me in
          try await me.sleep(100)
          me.send("late")
          try await me.wait()
        }.timeout(after: .milliseconds(100)) : .none
    }.steps([
      (.send("go"), "go | a+ | 1 running"),
      (.advance(100, sleepers: 2), "failed:a | a! | idle"),
    ]),
    Program("A cancel reaches a run that waits for its time (C2, E3)") { kit, action in
      switch action {
      case "go": .concatenate(kit.run("a", id: "x").debounce(for: .milliseconds(100)), .send("then"))
      case "stop": .cancel(id: "x")
      default: .none
      }
    }.steps([
      (.send("go"), "go |  | 1 queued"),
      (.send("stop"), "stop then |  | idle"),
      (.finish(0), " |  | idle"),
    ]),
    Program("timeout: catch goes on at once, and late actions are dropped (C2, E1)") { kit, action in
      action == "go"
        ? kit.run("a", id: "x", catching: true) { me in
          await me.hold()
          me.send("late")
        }.timeout(after: .milliseconds(100)) : .none
    }.steps([
      (.send("go"), "go | a+ | 1 running"),
      (.advance(100), "failed:a |  | 1 cancelling"),
      (.finish(0), " |  | 1 cancelling"),
      (.open("a"), " | a! | idle"),
    ]),
    Program("timeout without catch: a failure (C2, E5)") { kit, action in
      action == "go" ? kit.run("a", id: "x").timeout(after: .milliseconds(100)) : .none
    }.steps([
      (.send("go"), "go | a+ | 1 running"),
      (.advance(100), "!a | a! | idle"),
    ]),
    Program("retry: further attempts, each after its wait (C2)") { kit, action in
      switch action {
      case "go":
        kit.run("a", id: "x") { me in
          if me.attempt < 3 { throw Kit.Broken() }
          me.send("ok\(me.attempt)")
        }.retry(attempts: 3, backoff: .constant(.milliseconds(100)))
      default: .none
      }
    }.steps([
      (.send("go"), "go | a* a+ | 1 running"),
      (.advance(100), " | a* a+ | 1 running, attempt 2"),
      (.advance(100), "ok3 | a+ a- | idle"),
      (.finish(0), " |  | idle"),
    ]),
    Program("retry: a cancel reaches the run between two attempts (C2, E3)") { kit, action in
      switch action {
      case "go":
        kit.run("a", id: "x", catching: true) { _ in throw Kit.Broken() }
          .retry(attempts: 3, backoff: .constant(.milliseconds(100)))
      case "stop": .cancel(id: "x")
      default: .none
      }
    }.steps([
      (.send("go"), "go | a* a+ | 1 running"),
      (.send("stop"), "stop |  | idle"),
    ]),
    Program("timer: a tick at a time, until it is cancelled (C2)") { _, action in
      switch action {
      case "go": .timer(id: "x", overlap: .restart, every: .milliseconds(100)) { "tick\($0)" }
      case "stop": .cancel(id: "x")
      default: .none
      }
    }.steps([
      (.send("go"), "go |  | 1 running"),
      (.advance(100), "tick1 |  | 1 running"),
      (.advance(50, sleepers: 0), " |  | 1 running"),
      (.advance(50), "tick2 |  | 1 running"),
      (.send("stop"), "stop |  | idle"),
    ]),
  ]
}
