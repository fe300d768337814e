// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

private struct Broken: Error, Equatable {}

@Suite struct StatusTests {
  private func counts(_ harness: InterpreterHarness, _ id: EffectID) -> [Int] {
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
      let harness = InterpreterHarness()
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
    let harness = InterpreterHarness()
    harness.keepOutcomes(of: "part", "tree")
    harness.perform { ledger in
      Effect.merge(ledger.run("a", id: "part", input: "1"), ledger.run("b")).cancellable(
        id: "tree", overlap: .enqueue)
    }
    harness.perform { ledger in
      Effect.merge(ledger.run("c"), ledger.run("d")).cancellable(id: "tree", overlap: .enqueue)
    }
    #expect(counts(harness, "tree") == [1, 1, 0])
    #expect(harness.status("tree").input == nil)
    #expect(harness.status("part") == EffectStatus(running: 1, input: "1", lastOutcome: .noneYet))
    harness.perform { _ in .cancel(id: "tree") }
    #expect(counts(harness, "tree") == [0, 0, 1])
    #expect(counts(harness, "part") == [0, 0, 1])
    harness.end("a")
    #expect(counts(harness, "tree") == [0, 0, 1])
    #expect(harness.status("part") == EffectStatus(lastOutcome: .ended(.cancelled(.byEffect))))
    harness.end("b")
    #expect(harness.status("tree") == EffectStatus(lastOutcome: .ended(.cancelled(.byEffect))))
    harness.expectEmpty()
  }

  @Test func `The input is that of the newest that runs, or else of the newest that waits (S1)`() {
    let harness = InterpreterHarness()
    harness.keepOutcomes(of: "x", "y")
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
    #expect(harness.status("x") == EffectStatus(lastOutcome: .ended(.finished)))
    #expect(harness.status("x").attempt == 0)
    // A cancelled one keeps the slot, and the next waits for it: nothing runs.
    for name in ["d", "e"] {
      harness.perform { $0.run(name, id: "y", overlap: .restart(exclusive: true), input: name) }
    }
    #expect(
      harness.status("y")
        == EffectStatus(queued: 1, cancelling: 1, input: "e", lastOutcome: .ended(.cancelled(.replaced))))
  }

  @Test func `Each way to end is distinguished (S1)`() {
    let harness = InterpreterHarness()
    func outcome(of id: EffectID = "x") -> EffectOutcome? { harness.status(id).lastOutcome.outcome }
    harness.keepOutcomes(of: "x")
    #expect(harness.status("x").lastOutcome == .noneYet)
    func run(_ name: String, _ overlap: Overlap, catches: Bool = false) -> UInt64 {
      harness.perform { $0.run(name, id: "x", overlap: overlap, catches: catches) }
    }

    _ = run("finished", .drop)
    harness.end("finished")
    #expect(outcome() == .finished)

    _ = run("failed", .drop)
    harness.end("failed", error: Broken())
    #expect(outcome() == .failed(Broken()))

    _ = run("caught", .drop, catches: true)
    harness.end("caught", error: Broken())
    #expect(outcome() == .failed(Broken()), "its catch has not returned: this is still the outcome before")
    harness.end("caught")
    #expect(outcome() == .handled(Broken()))

    _ = run("caught and cancelled", .drop, catches: true)
    harness.end("caught and cancelled", error: Broken())
    harness.perform { _ in .cancel(id: "x") }
    harness.end("caught and cancelled")
    #expect(outcome() == .cancelled(.byEffect), "its catch was cancelled before it had handled the error")

    _ = run("first", .drop)
    _ = run("ignored", .drop)
    #expect(outcome() == .dropped)

    harness.perform { _ in .cancel(id: "x") }
    #expect(outcome() == .cancelled(.byEffect))
    harness.end("first")
    #expect(outcome() == .cancelled(.byEffect))

    let dispatch = run("second", .restart)
    harness.cancelDispatch(dispatch)
    #expect(outcome() == .cancelled(.byDispatch))

    _ = run("third", .restart)
    _ = run("fourth", .restart)
    #expect(outcome() == .cancelled(.replaced))

    harness.interpreter.cancelEverything(because: .shutdown)
    harness.perform { _ in .none }
    #expect(outcome() == .cancelled(.shutdown))
    for name in harness.executing { harness.end(name) }

    harness.effects = { [ledger = harness.ledger] _ in ledger.run("refused", id: "x") }
    harness.perform { $0.run("none", id: "x") }
    harness.end("none")
    harness.send("go", isRefusing: true)
    #expect(outcome() == .cancelled(.byDispatch))
    harness.expectEmpty()
  }

  @Test(arguments: [
    Overlap.keepLatest, .enqueue(capacity: 1, whenFull: .dropOldest), .restart(exclusive: true),
  ])
  func `A run whose waiting slot another takes is dropped; one that waits when all is cancelled is cancelled (S1)`(
    overlap: Overlap
  ) {
    let harness = InterpreterHarness()
    for name in ["a", "b"] { harness.perform { $0.run(name, id: "x", overlap: overlap) } }
    harness.keepOutcomes(of: "x")
    harness.perform { $0.run("c", id: "x", overlap: overlap) }
    #expect(harness.status("x").lastOutcome == .ended(.dropped))
    #expect(harness.takeDropped() == ["b"])
    harness.perform { _ in .cancel(id: "x") }
    #expect(harness.status("x").lastOutcome == .ended(.cancelled(.byEffect)))
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `Parts of a tree end for the reason the tree does (S1, E6)`() {
    let harness = InterpreterHarness()
    harness.keepOutcomes(of: "part", "tree")
    func tree(_ name: String) {
      harness.perform {
        Effect.merge($0.run(name, id: "part"), $0.run("other \(name)")).cancellable(id: "tree", overlap: .restart)
      }
    }
    tree("a")
    tree("b")
    #expect(
      harness.status("part") == EffectStatus(running: 1, cancelling: 1, lastOutcome: .ended(.cancelled(.replaced))))
    harness.end("b")
    harness.end("other b", error: Broken())
    #expect(harness.status("tree").lastOutcome == .ended(.finished), "a part's error is not the outcome of the tree")
    #expect(harness.status("part") == EffectStatus(cancelling: 1, lastOutcome: .ended(.finished)))
  }

  @Test func `A run returns late, after a newer one has started: the newer one's status does not change (S1, S2)`() {
    let harness = InterpreterHarness()
    harness.keepOutcomes(of: "x")
    harness.perform { $0.run("old", id: "x", overlap: .restart, input: "1") }
    harness.perform { $0.run("new", id: "x", overlap: .restart, input: "2") }
    let before = harness.status("x")
    #expect(before == EffectStatus(running: 1, cancelling: 1, input: "2", lastOutcome: .ended(.cancelled(.replaced))))
    harness.end("old", error: Broken())
    var after = before
    after.cancelling = 0
    #expect(harness.status("x") == after)
    harness.end("new")
    #expect(harness.status("x") == EffectStatus(lastOutcome: .ended(.finished)))
  }

  @Test func `A joined run counts once, and goes on when one of its owners leaves (S1, O1)`() {
    let harness = InterpreterHarness()
    harness.keepOutcomes(of: "x")
    let dispatches = (1...3).map { number in
      harness.perform { $0.run("r\(number)", id: "x", overlap: .join, input: "same") }
    }
    #expect(harness.status("x") == EffectStatus(running: 1, input: "same", lastOutcome: .noneYet))
    harness.cancelDispatch(dispatches[0])
    harness.cancelDispatch(dispatches[2])
    #expect(harness.status("x") == EffectStatus(running: 1, input: "same", lastOutcome: .noneYet))
    harness.cancelDispatch(dispatches[1])
    #expect(harness.status("x") == EffectStatus(cancelling: 1, lastOutcome: .ended(.cancelled(.byDispatch))))
  }

  // MARK: - Memory

  @Test func `A query keeps nothing: an outcome is kept from the moment it is requested (S1, E2)`() {
    let harness = InterpreterHarness()
    func passBy(_ id: EffectID) {
      harness.perform { $0.run("run", id: id, overlap: .restart) }
      #expect(harness.status(id) == EffectStatus(running: 1))
      harness.end("run")
      #expect(harness.status(id) == EffectStatus())
    }
    for number in 0..<1_000 { passBy(EffectID(number)) }
    #expect(harness.interpreter.keptCount == 0)
    #expect(harness.interpreter.nameCount == 0)
    harness.keepOutcomes(of: "x")
    #expect(harness.status("x").lastOutcome == .noneYet, "earlier outcomes are not kept")
    harness.expectEmpty()
  }

  @Test func `The kept outcomes are bounded by the number of callers that keep them, however many (S1)`() {
    let harness = InterpreterHarness()
    for number in 0..<5_000 { harness.keepOutcomes(of: EffectID(number)) }
    for number in 0..<5_000 {
      harness.perform { $0.run("\(number)", id: EffectID(number), overlap: .restart) }
      harness.end("\(number)")
    }
    #expect((0..<5_000).allSatisfy { harness.status(EffectID($0)).lastOutcome == .ended(.finished) })
    #expect(harness.interpreter.keptCount == 5_000)
    for number in 0..<5_000 { #expect(harness.interpreter.releaseOutcomes(of: EffectID(number)) != nil) }
    #expect(harness.interpreter.keptCount == 0)
    #expect(harness.interpreter.releaseOutcomes(of: "unknown") == nil)
    harness.expectEmpty()
  }

  @Test func `An outcome is kept until the last caller releases it, also while work is active (S1)`() {
    let harness = InterpreterHarness()
    harness.perform { $0.run("a", id: "x", overlap: .concurrent) }
    harness.perform { $0.run("b", id: "x", overlap: .concurrent) }
    harness.keepOutcomes(of: "x", "x")
    #expect(harness.interpreter.releaseOutcomes(of: "x") == nil)
    harness.end("a")
    #expect(harness.status("x") == EffectStatus(running: 1, lastOutcome: .ended(.finished)))
    #expect(harness.interpreter.releaseOutcomes(of: "x") != nil)
    harness.end("b")
    #expect(harness.status("x") == EffectStatus())
    // Another id may use the same memory.
    harness.keepOutcomes(of: "y")
    harness.perform { $0.run("c", id: "x", overlap: .concurrent) }
    harness.end("c")
    #expect((harness.status("x").lastOutcome, harness.status("y").lastOutcome) == (.notKept, .noneYet))
    harness.expectEmpty()
  }

  @Test func `Not kept, none yet, and the outcomes are distinguished, in patterns and in texts (S1)`() {
    let statuses = [EffectStatus.LastOutcome.notKept, .noneYet, .ended(.failed(Broken()))].map {
      EffectStatus(lastOutcome: $0)
    }
    #expect(statuses.map(\.description) == ["idle", "idle, last: none yet", "idle, last: failed: Broken()"])
    #expect(statuses.map(\.lastOutcome.outcome) == [nil, nil, .failed(Broken())])
    #expect(
      statuses.indices.allSatisfy { one in
        statuses.indices.allSatisfy { (statuses[one] == statuses[$0]) == (one == $0) }
      })
    guard case .ended(.failed(let error)) = statuses[2].lastOutcome else { return #expect(Bool(false)) }
    #expect(error is Broken)
  }
}
