// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

/// Runs of one store that wait for each other: the wait that closes the circle is found when it begins (rule L2).
@Suite struct `Circles of waits` {
  private func makeRuns(_ names: [String]) -> (SchedulerHarness, [UInt64]) {
    let harness = SchedulerHarness()
    return (harness, names.map { name in harness.perform { $0.run(name) } })
  }

  @Test func `Two runs that wait for each other's action (L2)`() {
    let (harness, numbers) = makeRuns(["a", "b"])
    #expect(harness.watch(numbers[1], from: "a") == nil)
    #expect(harness.watch(numbers[0], from: "b") == ["a"])
    harness.end("b")
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `The same with several runs, and the circle is named in its order (L2)`() {
    let (harness, numbers) = makeRuns(["a", "b", "c", "d"])
    #expect(harness.watch(numbers[1], from: "a") == nil)
    #expect(harness.watch(numbers[2], from: "b") == nil)
    #expect(harness.watch(numbers[3], from: "b") == nil)
    #expect(harness.watch(numbers[0], from: "c") == ["a", "b"])
    #expect(harness.watch(numbers[0], from: "d") == ["a", "b"])
    for run in ["d", "c", "b", "a"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `Waits in a row, and several for the same dispatch, are no circle (L2)`() {
    let (harness, numbers) = makeRuns(["a", "b", "c"])
    #expect(harness.watch(numbers[1], from: "a") == nil)
    #expect(harness.watch(numbers[2], from: "a") == nil)
    #expect(harness.watch(numbers[2], from: "b") == nil)
    #expect(harness.watch(numbers[2], from: "b") == nil)
    for run in ["c", "b", "a"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A run that could go on without the circle is no part of it (L2)`() {
    let harness = SchedulerHarness()
    for run in ["a", "b"] { harness.perform { $0.run(run, id: "line", overlap: .enqueue(limit: 2)) } }
    let behind = harness.perform { $0.run("c", id: "line", overlap: .enqueue(limit: 2)) }
    #expect(harness.watch(behind, from: "a") == nil)
    harness.end("b")
    harness.end("c")
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `A wait that is over closes nothing (L2)`() {
    let (harness, numbers) = makeRuns(["a", "b", "c"])
    #expect(harness.watch(numbers[1], from: "a") == nil)
    #expect(harness.watch(numbers[2], from: "a") == nil)
    harness.end("b")
    let late = harness.perform { $0.run("late") }
    #expect(harness.watch(numbers[0], from: "late") == nil)
    #expect(harness.watch(late, from: "c") == ["late", "a"])
    harness.cancelDispatch(numbers[2])
    harness.end("c")
    harness.end("a")
    harness.end("late")
    harness.expectEmpty()
  }

  @Test func `What the other action has caused, in trees and sequences, is a part of the circle (L2)`() {
    let harness = SchedulerHarness { ledger, _ in
      .concatenate(ledger.run("first"), ledger.run("deep").cancellable(id: "tree", overlap: .restart))
    }
    let one = harness.perform { $0.run("a") }
    let two = harness.perform { $0.run("b") }
    #expect(harness.watch(two, from: "a") == nil)
    harness.send("more", by: "b")
    harness.end("b")
    harness.end("first")
    #expect(harness.watch(one, from: "deep") == ["a"])
    harness.end("deep")
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `A run that waits for work that is queued behind it (L2, O4)`() {
    let harness = SchedulerHarness()
    harness.perform { $0.run("a", id: "line", overlap: .enqueue) }
    let behind = harness.perform { $0.run("b", id: "line", overlap: .enqueue) }
    #expect(harness.watch(behind, from: "a") == ["b"])
    harness.end("a")
    harness.end("b")
    harness.expectEmpty()
  }

  @Test func `If another slot may become free there is no circle, if all of them wait there is (L2, O4)`() {
    let harness = SchedulerHarness()
    for run in ["a", "b"] { harness.perform { $0.run(run, id: "line", overlap: .enqueue(limit: 2)) } }
    let behind = harness.perform { $0.run("c", id: "line", overlap: .enqueue(limit: 2)) }
    #expect(harness.watch(behind, from: "a") == nil)
    #expect(harness.watch(behind, from: "b") == ["c"])
    harness.end("b")
    harness.end("c")
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `Work that is queued later behind a run that waits for it ends that wait (L2, O4)`() {
    let harness = SchedulerHarness { ledger, _ in ledger.run("more", id: "line", overlap: .enqueue) }
    harness.perform { $0.run("a", id: "line", overlap: .enqueue) }
    let other = harness.perform { $0.run("b") }
    #expect(harness.watch(other, from: "a") == nil)
    _ = harness.takeEvents()
    harness.send("go on", by: "b")
    #expect(harness.refused == [other])
    #expect(harness.takeEvents() == [.reduced("go on"), .reported("a")])
    harness.end("a")
    harness.end("b")
    harness.end("more")
    harness.expectEmpty()
  }

  @Test func `It ends every wait of the run for that work (L2, O4)`() {
    let harness = SchedulerHarness { ledger, _ in ledger.run("more", id: "line", overlap: .enqueue) }
    harness.perform { $0.run("a", id: "line", overlap: .enqueue) }
    let other = harness.perform { $0.run("b") }
    #expect(harness.watch(other, from: "a") == nil)
    #expect(harness.watch(other, from: "a") == nil)
    harness.send("go on", by: "b")
    #expect(harness.refused == [other, other])
    for run in ["a", "b", "more"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A slot that a cancelled closure keeps becomes free, so a wait behind it is no circle (L2, O2)`() {
    let harness = SchedulerHarness()
    let overlap = Overlap.enqueue(limit: 2, exclusive: true)
    harness.perform { $0.run("a", id: "line", overlap: overlap) }
    let cancelled = harness.perform { $0.run("b", id: "line", overlap: overlap) }
    harness.cancelDispatch(cancelled)
    let behind = harness.perform { $0.run("c", id: "line", overlap: overlap) }
    #expect(harness.watch(behind, from: "a") == nil)
    for run in ["b", "c", "a"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `Work that joins a run, or is queued when its time has come, ends such a wait too (L2, O1, C2)`() {
    let harness = SchedulerHarness { ledger, action in
      action == "join"
        ? ledger.run("joiner", id: "load", overlap: .join, input: "x")
        : ledger.run("late", id: "line", overlap: .enqueue).delay(for: .seconds(1))
    }
    harness.perform { $0.run("a", id: "load", overlap: .join, input: "x") }
    harness.perform { $0.run("b", id: "line", overlap: .enqueue) }
    let first = harness.perform { $0.run("c") }
    let second = harness.perform { $0.run("d") }
    #expect(harness.watch(first, from: "a") == nil)
    #expect(harness.watch(second, from: "b") == nil)
    harness.send("join", by: "c")
    #expect(harness.refused == [first])
    harness.send("later", by: "d")
    #expect(harness.refused == [first])
    harness.advance(to: 1_000)
    #expect(harness.refused == [first, second])
    for run in ["a", "b", "c", "d", "late"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A cancelled run waits for nothing (L2, E3)`() {
    let harness = SchedulerHarness()
    let one = harness.perform { $0.run("a", id: "a") }
    let two = harness.perform { $0.run("b", id: "b") }
    #expect(harness.watch(two, from: "a") == nil)
    harness.perform { _ in .cancel(id: "a") }
    #expect(harness.watch(one, from: "b") == nil)
    harness.end("a")
    harness.end("b")
    harness.expectEmpty()
  }

  @Test func `The effects list which run waits for what (L2, S1)`() {
    let (harness, numbers) = makeRuns(["a", "b"])
    #expect(harness.watch(numbers[1], from: "a") == nil)
    let waits = harness.scheduler.effects(.everything).waits
    #expect(waits.map(\.run.name) == ["a"])
    #expect(waits.map { $0.work.map(\.name) } == [["b"]])
    #expect("\(harness.scheduler.effects(.everything))".contains("waits for run(name: \"b\")"))
    harness.end("b")
    #expect(harness.scheduler.effects(.everything).waits.isEmpty)
    harness.end("a")
    harness.expectEmpty()
  }

  @Test func `A row of three hundred waits is followed without deep calls (L2)`() {
    let (harness, numbers) = makeRuns((0..<300).map { "r\($0)" })
    for index in 1..<numbers.count { #expect(harness.watch(numbers[index - 1], from: "r\(index)") == nil) }
    #expect(harness.watch(numbers[299], from: "r0")?.count == 299)
  }
}
