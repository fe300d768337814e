// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

private struct Broken: Error {}

/// Work inside a tree of its own id (rule E6).
@Suite struct OwnTreeTests {
  static let overlaps: [Overlap] = [
    .concurrent, .restart, .drop, .enqueue, .keepLatest, .join, .restart(exclusive: true), .enqueue(capacity: 0),
  ]

  private let harness = SchedulerHarness()

  private func finish(sourceLocation: SourceLocation = #_sourceLocation) {
    while let run = harness.executingInOrder.first { harness.end(run) }
    harness.expectEmpty(sourceLocation: sourceLocation)
  }

  @Test(arguments: overlaps)
  func `A send under the same id twice, or five times, is reduced (E6)`(_ overlap: Overlap) {
    harness.perform { _ in
      .send("twice").cancellable(id: "a", overlap: overlap).cancellable(id: "a", overlap: overlap)
    }
    #expect(harness.takeEvents() == [.reduced("twice")])
    harness.perform { _ in
      (0..<5).reduce(.send("five")) { effect, _ in effect.cancellable(id: "a", overlap: overlap) }
    }
    #expect(harness.takeEvents() == [.reduced("five")])
    finish()
  }

  @Test(arguments: overlaps)
  func `Work of the id of a tree around it is a part of the tree, at any depth (E6)`(_ overlap: Overlap) {
    harness.perform {
      .merge(
        $0.run("own", id: "x", overlap: overlap),
        .concatenate(
          $0.run("first", id: "x", overlap: overlap),
          Effect.merge($0.run("inner", id: "x", overlap: overlap), .send("sent"))
            .cancellable(id: "x", overlap: overlap).cancellable(id: "y", overlap: overlap))
      )
      .cancellable(id: "x", overlap: overlap)
    }
    #expect(harness.takeEvents() == [.started("own"), .started("first")])
    #expect(harness.status("x").running == 1, "the tree counts once")
    #expect(harness.status("x").queued == 0)
    harness.end("first")
    #expect(harness.takeEvents() == [.started("inner"), .reduced("sent")])
    #expect(harness.scheduler.effects(.everything).unnamed == 2)
    #expect(harness.scheduler.liveRuns.map(\.run.name).sorted { $0 ?? "" < $1 ?? "" } == ["inner", "own"])
    harness.perform { _ in .cancel(id: "x") }
    #expect(harness.takeEvents() == [.cancelled("own"), .cancelled("inner")])
    #expect(harness.selfCancellations.isEmpty)
    finish()
  }

  @Test func `Only the full id counts: in another scope it is another id (E6)`() {
    harness.perform {
      .merge($0.run("inside", id: "x", overlap: .enqueue).scoped("s") { $0 }, .send("sent"))
        .cancellable(id: "x", overlap: .enqueue)
    }
    #expect(harness.scheduler.isRunning(EffectID("x").scoped(by: "s")))
    #expect(harness.takeEvents() == [.started("inside"), .reduced("sent")])
    finish()
    harness.perform {
      $0.run("scoped", id: "x", overlap: .enqueue).cancellable(id: "x", overlap: .enqueue).scoped("s") { $0 }
    }
    #expect(harness.takeEvents() == [.started("scoped")])
    #expect(harness.status(EffectID("x").scoped(by: "s")).running == 1)
    finish()
  }

  @Test func `A run of the id of a tree of another effect, or beside a tree, decides as usual (E6, O4)`() {
    let harness = SchedulerHarness { ledger, _ in ledger.run("caused", id: "x", overlap: .enqueue) }
    harness.perform {
      .merge(
        Effect.merge($0.run("in the tree"), .send("go")).cancellable(id: "x", overlap: .enqueue),
        $0.run("beside", id: "x", overlap: .enqueue))
    }
    #expect(harness.takeEvents() == [.started("in the tree"), .reduced("go")])
    #expect(harness.status("x").queued == 2, "what an action of the tree causes is new work")
    for run in ["in the tree", "beside", "caused"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `Work inside a tree of its id is reported with both lines, once, and decides nothing (E6)`() throws {
    for _ in 0..<2 {
      harness.perform { _ in
        Effect.merge(
          .run(id: "x", overlap: .restart, name: "run", line: 10) { _ in },
          .merge(.send("sent"), .send("too")).cancellable(id: "x", overlap: .drop, line: 20)
        ).cancellable(id: "x", overlap: .enqueue, line: 30)
      }
      #expect(harness.takeEvents() == [.started("run"), .reduced("sent"), .reduced("too")])
      harness.end("run")
    }
    let conflicts = harness.conflicts.compactMap { $0.error as? OverlapConflict }
    #expect(conflicts.map(\.problem) == [.insideItself, .insideItself])
    #expect(conflicts.map(\.newer.site.line) == [10, 20] && conflicts.map(\.older.site.line) == [30, 30])
    let text = try #require(harness.conflicts.first)
    #expect(
      "\(text)" == """
        EffectRuntimeTests/OwnTreeTests.swift:10: run("x", name: "run", overlap: restart) is inside run("x", overlap: enqueue) \
        of EffectRuntimeTests/OwnTreeTests.swift:30: work inside a tree of its id. It is a part of the tree and has no id of \
        its own: the overlap does not decide about it. Remove its id, or give it another one.
        """)
    harness.expectEmpty()
  }

  @Test func `A tree that declares join is reported, and waits as with enqueue (O1)`() {
    for name in ["a", "b"] {
      harness.perform {
        .merge($0.run(name), .send(name)).cancellable(id: "x", overlap: .join, line: 10)
      }
    }
    #expect(harness.takeEvents() == [.started("a"), .reduced("a")])
    let problems = harness.conflicts.compactMap { ($0.error as? OverlapConflict)?.problem }
    #expect(problems == [.joinedTree])
    harness.end("a")
    #expect(harness.takeEvents() == [.started("b"), .reduced("b")])
    finish()
  }

  @Test func `A run inside a tree of its id cannot be joined from outside (E6, O1)`() {
    harness.perform {
      .merge($0.run("inside", id: "x", overlap: .join, input: "same"), $0.run("more"))
        .cancellable(id: "x", overlap: .join)
    }
    harness.perform { $0.run("outside", id: "x", overlap: .join, input: "same") }
    #expect(harness.sharedRun(ofDispatch: 2) == nil)
    #expect(harness.status("x").queued == 1)
    finish()
    #expect(harness.takeEvents().last == .started("outside"))
  }

  @Test func `Attempts, input, catch and a time limit of a run inside a tree of its id apply (E6, C2)`() {
    harness.perform {
      $0.run("a", id: "x", overlap: .enqueue, input: "in", catches: true)
        .timeout(after: .milliseconds(5)).retry(attempts: 2, backoff: .constant(.milliseconds(10)))
        .cancellable(id: "x", overlap: .enqueue(exclusive: true))
    }
    #expect(harness.scheduler.liveRuns.first?.run.input as? String == "in")
    harness.advance(to: 5)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    harness.advance(to: 15)
    #expect(harness.takeEvents() == [.started("a")])
    harness.end("a", error: Broken())
    #expect(harness.takeEvents() == [.recovered("a")])
    harness.end("a")
    #expect(harness.scheduler.isRunning("x"), "the exclusive tree waits for the closure that ran out of time")
    if let late = harness.closureTokens.first { harness.endClosure(late, error: nil) }
    #expect(!harness.scheduler.isRunning("x"))
    harness.expectEmpty()
  }

  @Test func `A debounced run inside a tree of its id has no id for its window, and is not started (E6, C2)`() {
    harness.perform {
      .concatenate($0.run("a", id: "x", overlap: .restart).debounce(for: .milliseconds(10)), .send("after"))
        .cancellable(id: "x", overlap: .restart)
    }
    #expect(harness.takeEvents() == [.reduced("after"), .reported("a")] || harness.takeDropped() == ["a"])
    finish()
  }

  @Test func `A delayed run inside a tree of its id waits as a run without an id (E6, C2)`() {
    harness.perform {
      .merge($0.run("a", id: "x", overlap: .drop).delay(for: .milliseconds(10)), $0.run("b"))
        .cancellable(id: "x", overlap: .drop)
    }
    #expect(harness.scheduler.effects(.everything).unnamedQueued == 1)
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("b"), .started("a")])
    finish()
  }

  @Test func `Everything inside ends with its dispatch, by scope, and when the tree is replaced (E6, E3)`() {
    func perform(_ name: String) {
      harness.perform {
        Effect.merge(
          $0.run(name, id: "x", overlap: .restart),
          $0.run(name + " waits", id: "x", overlap: .restart)
            .delay(for: .seconds(1))
        )
        .cancellable(id: "x", overlap: .restart).scoped("s") { $0 }
      }
    }
    perform("a")
    perform("b")
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .started("b")])
    harness.perform { _ in .cancel(scope: "s") }
    #expect(harness.takeEvents() == [.cancelled("b")])
    perform("c")
    harness.cancelDispatch(harness.latestDispatch)
    #expect(harness.takeEvents() == [.started("c"), .cancelled("c")])
    #expect(!harness.scheduler.hasAlarms)
    finish()
  }

  @Test func `A hundred thousand trees of one id, one inside another, are one (E6)`() {
    harness.perform { ledger in
      (0..<100_000).reduce(ledger.run("deep", id: "x", overlap: .enqueue)) { effect, _ in
        Effect.merge(.send("s"), effect).cancellable(id: "x", overlap: .enqueue)
      }
    }
    #expect(harness.takeEvents().count == 100_001)
    #expect(harness.scheduler.workTree.count == 3, "a dispatch, a tree, a run")
    finish()
  }

  // MARK: - Cancels inside

  @Test func `A cancel that reaches a tree around it is reported with both lines, once a pair (E6)`() throws {
    for _ in 0..<3 {
      harness.perform {
        .merge($0.run("before"), .cancel(id: "x", line: 10), $0.run("never"))
          .cancellable(id: "x", overlap: .restart, line: 20).cancellable(id: "x", overlap: .restart, line: 30)
      }
    }
    #expect(harness.takeEvents().isEmpty)
    let failure = try #require(harness.selfCancellations.first)
    #expect(harness.selfCancellations.count == 1)
    let misuse = try #require(failure.error as? SelfCancellation)
    #expect(misuse.site?.line == 10 && misuse.tree.site.line == 30 && failure.run.id == "x")
    #expect(
      "\(failure)" == """
        EffectRuntimeTests/OwnTreeTests.swift:10: `cancel("x")` is a part of the tree "x" of \
        EffectRuntimeTests/OwnTreeTests.swift:30, which it reached: the parts of the tree that had not started were stopped. \
        Move the `cancel` out of the tree, in front of it.
        """)
    harness.expectEmpty()
  }

  @Test func `Every kind of cancel inside is reported, with its line where a builder made it (E6)`() {
    let cancels: [(Effect<String>, line: Int?)] = [
      (.cancel(id: "x", line: 11), 11), (.cancel(ids: ["y", "x"], line: 12), 12), (.cancel(scope: "s", line: 13), 13),
      (.cancel(.all(of: String.self, line: 14) { $0 == "x" }), 14), (.cancel(.everything), nil),
      (.cancel(.id("x")), nil),
    ]
    for (cancel, line) in cancels {
      let harness = SchedulerHarness()
      harness.perform {
        Effect.concatenate(.merge($0.run("a"), cancel.map { $0 }), $0.run("never")).cancellable(id: "x", overlap: .drop)
          .scoped("s") { $0 }
      }
      let inScope = harness.selfCancellations
      if case .cancel(.scope) = cancel {
        #expect(inScope.isEmpty, "it names a scope inside the scope")
        harness.end("a")
        harness.end("never")
      } else {
        #expect(inScope.map { ($0.error as? SelfCancellation)?.site?.line } == [line], "\(cancel)")
      }
      harness.expectEmpty()
    }
    harness.perform { _ in
      .merge(.send("never"), .cancel(scope: "s", line: 13)).cancellable(
        id: EffectID("x").scoped(by: "s"), overlap: .drop)
    }
    #expect(harness.selfCancellations.map { ($0.error as? SelfCancellation)?.site?.line } == [13])
    #expect(harness.takeEvents().isEmpty)
    harness.expectEmpty()
  }

  @Test func `No misuse: a cancel beside a tree, of another id, or of an action of the tree (E6)`() {
    let harness = SchedulerHarness { _, action in action == "stop" ? .cancel(id: "x") : .none }
    harness.perform {
      .merge(
        .cancel(id: "x"),
        .merge($0.run("a"), .cancel(id: "y"), .send("stop"))
          .cancellable(id: "x", overlap: .restart),
        .cancel(ids: ["y", "z"]))
    }
    #expect(harness.takeEvents() == [.started("a"), .reduced("stop"), .cancelled("a")])
    harness.perform { _ in .merge(.send("s"), .cancel(id: "y")).cancellable(id: "x", overlap: .restart) }
    #expect(harness.selfCancellations.isEmpty)
    harness.end("a")
    harness.expectEmpty()
  }
}
