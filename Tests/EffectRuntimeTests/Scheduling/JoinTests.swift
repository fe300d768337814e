// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

private struct Broken: Error {}

@Suite struct JoinTests {
  private func load(_ ledger: Ledger, _ name: String, _ input: String = "a", catches: Bool = false) -> Effect<String> {
    ledger.run(name, id: "load", overlap: .join, input: input, catches: catches)
  }

  @Test func `A run of an equal input is shared, and every dispatch waits for it (O5, L2)`() {
    let harness = SchedulerHarness()
    let first = harness.perform { load($0, "one") }
    let second = harness.perform { load($0, "two") }
    harness.watch(first)
    harness.watch(second)
    #expect(harness.takeEvents() == [.started("one")])
    harness.end("one")
    #expect(harness.takeEvents() == [.finished(first), .finished(second)])
    harness.expectEmpty()
  }

  @Test func `Cancelling one owner detaches it, cancelling the last cancels the run (O5)`() {
    let harness = SchedulerHarness()
    let dispatches = (1...3).map { number in harness.perform { load($0, "r\(number)") } }
    harness.watch(dispatches[0])
    harness.cancelDispatch(dispatches[0])
    harness.cancelDispatch(dispatches[1])
    #expect(harness.takeEvents() == [.started("r1"), .finished(1)])
    #expect(harness.send("still", by: "r1"))
    harness.cancelDispatch(dispatches[2])
    #expect(harness.takeEvents() == [.reduced("still"), .cancelled("r1")])
    harness.end("r1")
    harness.expectEmpty()
  }

  @Test func `Cancelling a joiner leaves the run to its first owner (O5)`() {
    let harness = SchedulerHarness()
    let first = harness.perform { load($0, "r1") }
    let second = harness.perform { load($0, "r2") }
    harness.cancelDispatch(second)
    #expect(harness.takeEvents() == [.started("r1")])
    harness.cancelDispatch(first)
    #expect(harness.takeEvents() == [.cancelled("r1")])
    harness.end("r1")
    harness.expectEmpty()
  }

  @Test func `Cancelling a dispatch that owns a run twice cancels the run (O5)`() {
    let harness = SchedulerHarness()
    let dispatch = harness.perform { .merge(load($0, "r1"), load($0, "r2"), load($0, "r3")) }
    harness.cancelDispatch(dispatch)
    #expect(harness.takeEvents() == [.started("r1"), .cancelled("r1")])
    harness.end("r1")
    harness.expectEmpty()
  }

  @Test func `Cancelling a dispatch that owns a run twice leaves it to another owner (O5)`() {
    let harness = SchedulerHarness()
    let first = harness.perform { .merge(load($0, "r1"), load($0, "r2")) }
    let second = harness.perform { load($0, "r3") }
    harness.cancelDispatch(first)
    #expect(harness.takeEvents() == [.started("r1")])
    harness.cancelDispatch(second)
    #expect(harness.takeEvents() == [.cancelled("r1")])
    harness.end("r1")
    harness.expectEmpty()
  }

  @Test func `Cancelling a tree that owns a run twice cancels the run (O5, E6)`() {
    let harness = SchedulerHarness()
    harness.perform {
      .merge(load($0, "r1"), .concatenate(load($0, "r2"), $0.run("never"))).cancellable(
        id: "tree", overlap: .concurrent)
    }
    harness.perform { _ in .cancel(id: "tree") }
    #expect(harness.takeEvents() == [.started("r1"), .cancelled("r1")])
    harness.end("r1")
    harness.expectEmpty()
  }

  @Test func `Cancelling a tree that owns a run twice leaves it to another owner (O5, E6)`() {
    let harness = SchedulerHarness()
    harness.perform { .merge(load($0, "r1"), load($0, "r2")).cancellable(id: "tree", overlap: .concurrent) }
    let second = harness.perform { load($0, "r3") }
    harness.watch(second)
    harness.perform { _ in .cancel(id: "tree") }
    #expect(harness.takeEvents() == [.started("r1")])
    harness.end("r1")
    #expect(harness.takeEvents() == [.finished(second)])
    harness.expectEmpty()
  }

  @Test func `A joiner may leave a run whose catch closure executes (O5, E5)`() {
    let harness = SchedulerHarness()
    let first = harness.perform { load($0, "r1", catches: true) }
    let second = harness.perform { load($0, "r2") }
    harness.end("r1", error: Broken())
    harness.cancelDispatch(second)
    #expect(harness.takeEvents() == [.started("r1"), .recovered("r1")])
    harness.watch(first)
    harness.end("r1")
    #expect(harness.takeEvents() == [.finished(first)])
    harness.expectEmpty()
  }

  @Test func `A cancelled run is never joined (O5)`() {
    let harness = SchedulerHarness()
    harness.perform { load($0, "r1") }
    harness.perform { _ in .cancel(id: "load") }
    harness.perform { load($0, "r2") }
    #expect(harness.takeEvents() == [.started("r1"), .cancelled("r1"), .started("r2")])
    harness.end("r1")
    harness.end("r2")
    harness.expectEmpty()
  }

  @Test func `Cancelling the id of a shared run settles every sequence it is a part of (E6, O5)`() {
    let harness = SchedulerHarness()
    harness.perform { .concatenate(load($0, "r1"), $0.run("next 1")) }
    harness.perform { .concatenate(load($0, "r2"), $0.run("next 2")) }
    harness.perform { _ in .cancel(id: "load") }
    #expect(
      harness.takeEvents() == [.started("r1"), .cancelled("r1"), .started("next 1"), .started("next 2")])
    for run in ["r1", "next 1", "next 2"] { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A queued run is shared as well, and starts for all its owners (O5)`() {
    let harness = SchedulerHarness()
    harness.perform { load($0, "other", "b") }
    let first = harness.perform { load($0, "r1") }
    harness.perform { load($0, "r2") }
    harness.cancelDispatch(first)
    harness.end("other")
    #expect(harness.takeEvents() == [.started("other"), .started("r1")])
    harness.end("r1")
    harness.expectEmpty()
  }

  @Test func `The newest of several equal runs is shared, and the last of the queue is newer than any that runs (O5)`()
  {
    let harness = SchedulerHarness()
    for number in 1...3 {
      harness.perform { $0.run("r\(number)", id: "load", overlap: .enqueue, input: number == 3 ? "b" : "a") }
    }
    harness.watch(harness.perform { load($0, "joiner") })
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("r1"), .started("r2")])
    harness.end("r2")
    #expect(harness.takeEvents() == [.started("r3"), .finished(4)], "what waits for the slot comes first")
    harness.end("r3")
    harness.expectEmpty()
  }

  @Test func `A run belongs to every joiner's dispatch, and can wait for none of them (O5, L2)`() {
    let harness = SchedulerHarness()
    let dispatches = (1...2).map { number in harness.perform { load($0, "r\(number)") } }
    let other = harness.perform { $0.run("other") }
    for dispatch in dispatches { #expect(harness.isRun("r1", partOf: dispatch)) }
    #expect(!harness.isRun("r1", partOf: other))
    harness.end("r1")
    harness.end("other")
    harness.expectEmpty()
  }
}

// MARK: - Inputs

extension JoinTests {
  /// An input that counts how often it is compared, and has a hash of the test's choice.
  private struct Counted: Hashable, Sendable {
    let value: Int
    let hash: Int
    let comparisons: Tally

    static func == (left: Self, right: Self) -> Bool {
      left.comparisons.increment()
      return left.value == right.value
    }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  private func load(_ input: some Hashable & Sendable, _ name: String) -> Effect<String> {
    .run(id: "load", overlap: .join, input: input, name: name) { _, _ in }
  }

  @Test func `A run that arrives is compared only with runs whose inputs have the same hash (O1)`() {
    let harness = SchedulerHarness()
    let comparisons = Tally()
    let inputs = (0..<500).map { Counted(value: $0, hash: $0, comparisons: comparisons) }
    for input in inputs { harness.perform { _ in load(input, "r\(input.value)") } }
    #expect(comparisons.value == 0)
    for input in inputs { harness.perform { _ in load(input, "again \(input.value)") } }
    #expect(comparisons.value == 500)
    #expect(harness.status("load") == EffectStatus(running: 1, queued: 499, input: inputs[0]))
    for number in 0..<500 { harness.end("r\(number)") }
    harness.expectEmpty()
  }

  @Test func `Inputs with the same hash are shared only if they are equal, with the same type (O1)`() {
    let harness = SchedulerHarness()
    let comparisons = Tally()
    for value in [1, 2, 1, 2] {
      harness.perform { _ in load(Counted(value: value, hash: 0, comparisons: comparisons), "\(value)") }
    }
    harness.perform { _ in load(1, "an Int") }
    harness.perform { _ in load(UInt8(1), "a UInt8") }
    #expect(harness.status("load").queued == 3)
    for name in ["1", "2", "an Int", "a UInt8"] { harness.end(name) }
    harness.expectEmpty()
  }

  @Test func `An input with a NaN is shared like any other, and leaves nothing behind (O1)`() {
    let harness = SchedulerHarness()
    for number in 1...3 { harness.perform { _ in load(Double.nan, "\(number)") } }
    #expect(harness.status("load").queued == 0)
    harness.perform { _ in .cancel(id: "load") }
    harness.end("1")
    harness.expectEmpty()
  }

  @Test func `A run that waits for its time is shared once it is active, and not before (O1, C4)`() {
    let harness = SchedulerHarness()
    harness.perform { load($0, "late").delay(for: .milliseconds(10)) }
    harness.perform { load($0, "early") }
    harness.end("early")
    harness.advance(to: 10)
    harness.perform { load($0, "joins") }
    #expect(harness.takeEvents() == [.started("early"), .started("late")])
    harness.end("late")
    harness.expectEmpty()
  }

  @Test func `A run that is retried is shared in each attempt, and not in its catch (O1, C5)`() {
    let harness = SchedulerHarness()
    harness.perform { load($0, "a", catches: true).retry(attempts: 2, backoff: .constant(.milliseconds(10))) }
    harness.end("a", error: Broken())
    harness.perform { load($0, "between") }
    harness.advance(to: 10)
    harness.perform { load($0, "second") }
    harness.end("a", error: Broken())
    harness.perform { load($0, "b") }
    #expect(harness.takeEvents() == [.started("a"), .started("a"), .recovered("a"), .started("b")])
    harness.end("a")
    harness.perform { load($0, "c") }
    harness.end("b")
    harness.expectEmpty()
  }
}
