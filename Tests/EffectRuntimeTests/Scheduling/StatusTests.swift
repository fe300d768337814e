// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

private struct Broken: Error, Equatable {}

@Suite struct StatusTests {
  private func counts(_ harness: SchedulerHarness, _ id: EffectID) -> [Int] {
    let status = harness.status(id)
    return [status.running, status.queued, status.cancelling]
  }

  @Test func `A status counts what runs, what waits and what has not returned yet, for every overlap (S1)`() {
    // Each: the overlap, and the counts after the first and the second run, their cancel, and the return of both.
    let overlaps: [(Overlap, [[Int]])] = [
      (.concurrent, [[1, 0, 0], [2, 0, 0], [0, 0, 2]]),
      (.restart, [[1, 0, 0], [1, 0, 1], [0, 0, 2]]),
      (.restart(exclusive: true), [[1, 0, 0], [0, 1, 1], [0, 0, 1]]),
      (.drop, [[1, 0, 0], [1, 0, 0], [0, 0, 1]]),
      (.enqueue, [[1, 0, 0], [1, 1, 0], [0, 0, 1]]),
      (.keepLatest, [[1, 0, 0], [1, 1, 0], [0, 0, 1]]),
      (.join, [[1, 0, 0], [1, 0, 0], [0, 0, 1]]),
    ]
    for (overlap, expected) in overlaps {
      let harness = SchedulerHarness()
      #expect(harness.status("x") == EffectStatus())
      var seen: [[Int]] = []
      for name in ["a", "b"] {
        harness.perform { $0.run(name, id: "x", overlap: overlap) }
        seen.append(counts(harness, "x"))
      }
      harness.perform { _ in .cancel(id: "x") }
      seen.append(counts(harness, "x"))
      #expect(seen == expected, "\(overlap)")
      for name in harness.executing { harness.end(name) }
      #expect(counts(harness, "x") == [0, 0, 0], "\(overlap)")
      #expect(harness.status("x").isIdle)
      harness.expectEmpty("\(overlap)")
    }
  }

  @Test func `A tree counts as one under its id, and keeps its count until its closures have returned (S1, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { ledger in
      Effect.merge(ledger.run("a", id: "part", input: "1"), ledger.run("b")).cancellable(
        id: "tree", overlap: .enqueue)
    }
    harness.perform { ledger in
      Effect.merge(ledger.run("c"), ledger.run("d")).cancellable(id: "tree", overlap: .enqueue)
    }
    #expect(counts(harness, "tree") == [1, 1, 0])
    #expect(harness.status("tree").input == nil)
    #expect(harness.status("part") == EffectStatus(running: 1, input: "1"))
    harness.perform { _ in .cancel(id: "tree") }
    #expect(counts(harness, "tree") == [0, 0, 1])
    #expect(counts(harness, "part") == [0, 0, 1])
    harness.end("a")
    #expect(counts(harness, "tree") == [0, 0, 1])
    #expect(harness.status("part") == EffectStatus())
    harness.end("b")
    #expect(harness.status("tree") == EffectStatus())
    harness.expectEmpty()
  }

  @Test func `The input is that of the newest that runs, or else of the newest that waits (S1)`() {
    let harness = SchedulerHarness()
    func run(_ name: String) { harness.perform { $0.run(name, id: "x", overlap: .enqueue(limit: 2), input: name) } }
    func input() -> String? { harness.status("x").input as? String }
    run("a")
    run("b")
    run("c")
    #expect(input() == "b")
    harness.end("b")
    #expect(input() == "c")
    harness.end("c")
    #expect(input() == "a")
    #expect(harness.status("x").attempt == 1)
    harness.end("a")
    #expect(harness.status("x") == EffectStatus())
    #expect(harness.status("x").attempt == 0)
    // A cancelled one keeps the slot, and the next waits for it: nothing runs.
    for name in ["d", "e"] {
      harness.perform { $0.run(name, id: "y", overlap: .restart(exclusive: true), input: name) }
    }
    #expect(
      harness.status("y")
        == EffectStatus(queued: 1, cancelling: 1, input: "e"))
  }

  @Test func `Parts of a tree end when the tree does (S1, E6)`() {
    let harness = SchedulerHarness()
    func tree(_ name: String) {
      harness.perform {
        Effect.merge($0.run(name, id: "part"), $0.run("other \(name)")).cancellable(id: "tree", overlap: .restart)
      }
    }
    tree("a")
    tree("b")
    #expect(harness.status("part") == EffectStatus(running: 1, cancelling: 1))
    harness.end("b")
    harness.end("other b", error: Broken())
    #expect(harness.status("part") == EffectStatus(cancelling: 1))
  }

  @Test func `A run returns late, after a newer one has started: the newer one's status does not change (S1, S2)`() {
    let harness = SchedulerHarness()
    harness.perform { $0.run("old", id: "x", overlap: .restart, input: "1") }
    harness.perform { $0.run("new", id: "x", overlap: .restart, input: "2") }
    let before = harness.status("x")
    #expect(before == EffectStatus(running: 1, cancelling: 1, input: "2"))
    harness.end("old", error: Broken())
    var after = before
    after.cancelling = 0
    #expect(harness.status("x") == after)
    harness.end("new")
    #expect(harness.status("x") == EffectStatus())
  }

  @Test func `A joined run counts once, and goes on when one of its owners leaves (S1, O1)`() {
    let harness = SchedulerHarness()
    let dispatches = (1...3).map { number in
      harness.perform { $0.run("r\(number)", id: "x", overlap: .join, input: "same") }
    }
    #expect(harness.status("x") == EffectStatus(running: 1, input: "same"))
    harness.cancelDispatch(dispatches[0])
    harness.cancelDispatch(dispatches[2])
    #expect(harness.status("x") == EffectStatus(running: 1, input: "same"))
    harness.cancelDispatch(dispatches[1])
    #expect(harness.status("x") == EffectStatus(cancelling: 1))
  }

  // MARK: - Memory

  @Test func `A query keeps nothing (S1, E2)`() {
    let harness = SchedulerHarness()
    func passBy(_ id: EffectID) {
      harness.perform { $0.run("run", id: id, overlap: .restart) }
      #expect(harness.status(id) == EffectStatus(running: 1))
      harness.end("run")
      #expect(harness.status(id) == EffectStatus())
    }
    for number in 0..<1_000 { passBy(EffectID(number)) }
    #expect(harness.scheduler.names.count == 0)
    harness.expectEmpty()
  }
}
