// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

private struct Broken: Error {}

/// `flush`, and the `cancel` of what has not started (rule E3).
@Suite struct FlushTests {
  private let harness = InterpreterHarness()
  private let id: EffectID = "x"

  private func perform(_ name: String, _ overlap: Overlap = .concurrent, _ change: (Effect<String>) -> Effect<String>) {
    harness.perform { change($0.run(name, id: id, overlap: overlap)) }
  }

  private func flush() { harness.perform { _ in .flush(id: "x") } }
  private func cancelQueued() { harness.perform { _ in .cancel(queued: "x") } }

  private func finish(sourceLocation: SourceLocation = #_sourceLocation) {
    harness.advance(to: 10_000)
    while let run = harness.executingInOrder.first { harness.end(run) }
    harness.expectEmpty(sourceLocation: sourceLocation)
  }

  // MARK: - Flush

  @Test func `A flush starts the waiting runs, in the order they came, in the same reduction (E3, C2)`() {
    perform("a") { $0.delay(for: .milliseconds(30)) }
    perform("b") { $0.delay(for: .milliseconds(10)) }
    perform("c") { $0.debounce(for: .milliseconds(10)).delay(for: .milliseconds(10)) }
    flush()
    #expect(harness.takeEvents() == ["a", "b", "c"].map { .started($0) })
    #expect(harness.status(id).running == 3 && harness.status(id).queued == 0)
    #expect(!harness.interpreter.hasAlarms)
    finish()
  }

  @Test func `The overlap decides where a flushed run arrives: it is queued, dropped, or joins (E3, O1)`() {
    perform("active", .enqueue(limit: 1, capacity: 1)) { $0 }
    for name in ["b", "c"] { perform(name, .enqueue(limit: 1, capacity: 1)) { $0.delay(for: .milliseconds(10)) } }
    flush()
    #expect(harness.status(id).queued == 1)
    #expect(harness.takeDropped() == ["c"])
    #expect(harness.takeEvents() == [.started("active")])
    harness.end("active")
    #expect(harness.takeEvents() == [.started("b")])
    harness.end("b")
    let joining = InterpreterHarness()
    for name in ["a", "b"] {
      joining.perform { $0.run(name, id: id, overlap: .join, input: "i").delay(for: .milliseconds(5)) }
    }
    joining.perform { _ in .flush(id: "x") }
    #expect(joining.takeEvents() == [.started("a")])
    #expect(joining.sharedRun(ofDispatch: 2) == "a")
    joining.end("a")
    joining.expectEmpty()
    finish()
  }

  @Test func `A flushed run of restart replaces no other run: that was decided when it came (E3, C2)`() {
    perform("old", .restart(limit: 2)) { $0 }
    perform("new", .restart(limit: 2)) { $0.debounce(for: .milliseconds(10)) }
    flush()
    #expect(harness.takeEvents() == [.started("old"), .started("new")])
    finish()
  }

  @Test func `A flush ends a burst: the next run begins another (E3, C2)`() {
    func typed(_ name: String) { perform(name) { $0.debounce(for: .milliseconds(10), maxWait: .milliseconds(12)) } }
    typed("a")
    harness.advance(to: 8)
    flush()
    #expect(harness.takeEvents() == [.started("a")])
    typed("b")
    harness.advance(to: 17)
    #expect(harness.takeEvents().isEmpty)
    harness.advance(to: 18)
    #expect(harness.takeEvents() == [.started("b")])
    finish()
  }

  @Test func `A flush ends a throttle's window: behind the run that waited, the next one opens (E3, C2)`() {
    func scrolled(_ name: String) { perform(name) { $0.throttle(for: .milliseconds(10)) } }
    scrolled("a")
    scrolled("b")
    harness.advance(to: 5)
    flush()
    #expect(harness.takeEvents() == [.started("a"), .started("b")])
    scrolled("c")
    harness.advance(to: 14)
    #expect(harness.takeEvents().isEmpty)
    harness.advance(to: 15)
    #expect(harness.takeEvents() == [.started("c")])
    finish()
  }

  @Test func `A flush closes a throttle's window that no run waits for (E3, C2)`() {
    func scrolled(_ name: String) { perform(name) { $0.throttle(for: .milliseconds(10)) } }
    scrolled("a")
    harness.end("a")
    flush()
    #expect(harness.interpreter.timedCount == 0)
    harness.expectEmpty()
    scrolled("b")
    #expect(harness.takeEvents() == [.started("a"), .started("b")])
    finish()
  }

  @Test func `A flush does not change queued runs and waits between attempts (E3)`() {
    perform("retries", .enqueue) { $0.retry(attempts: 2, backoff: .constant(.milliseconds(10))) }
    perform("queued", .enqueue) { $0 }
    harness.end("retries", error: Broken())
    _ = harness.takeEvents()
    flush()
    cancelQueued()
    #expect(harness.takeEvents().isEmpty)
    #expect(harness.takeDropped() == ["queued"])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("retries")])
    finish()
  }

  @Test func `A flush acts from left to right, and with another id, or none, there is nothing to flush (E3, T4)`() {
    harness.perform {
      .merge(
        $0.run("before", id: "x").delay(for: .milliseconds(10)), .flush(id: "x"), .flush(id: "y"),
        .flush(id: String?.none), $0.run("after", id: "x").delay(for: .milliseconds(10)))
    }
    #expect(harness.takeEvents() == [.started("before")])
    #expect(harness.status(id).queued == 1)
    finish()
  }

  @Test func `A run that is flushed first may cancel the others: those do not start (E3)`() {
    perform("a", .enqueue) { $0 }
    harness.perform {
      .merge(.cancel(id: "x"), $0.run("in the tree")).cancellable(id: "x", overlap: .enqueue)
    }
    perform("b", .enqueue(limit: 5)) { $0.delay(for: .milliseconds(10)) }
    perform("c", .enqueue(limit: 5)) { $0.delay(for: .milliseconds(10)) }
    flush()
    // The raised limit opens the tree, which cancels everything of the id, itself included.
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    #expect(harness.takeDropped().sorted() == ["b", "c", "in the tree"])
    harness.end("a")
    finish()
  }

  // MARK: - Cancel

  @Test func `A cancel of what is queued reaches waits and queues, never what is active (E3)`() {
    perform("active", .enqueue) { $0 }
    perform("queued", .enqueue) { $0 }
    perform("delayed", .enqueue) { $0.delay(for: .milliseconds(10)) }
    perform("debounced", .enqueue) { $0.debounce(for: .milliseconds(10)) }
    harness.perform { .merge(.send("never"), $0.run("tree")).cancellable(id: "x", overlap: .enqueue) }
    for number in 2...5 as ClosedRange<UInt64> { harness.watch(number) }
    cancelQueued()
    #expect(harness.takeEvents() == [.started("active")] + [2, 5, 3, 4].map { .finished($0) }, "queues first")
    #expect(harness.takeDropped().sorted() == ["debounced", "delayed", "queued", "tree"])
    #expect(harness.status(id).running == 1 && harness.status(id).queued == 0)
    harness.end("active")
    finish()
  }

  @Test func `A cancel of what is queued ends a burst, and leaves a throttle's window open (E3, C2)`() {
    perform("a") { $0.throttle(for: .milliseconds(10)) }
    perform("b") { $0.throttle(for: .milliseconds(10)) }
    cancelQueued()
    perform("c") { $0.throttle(for: .milliseconds(10)) }
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("c")])
    finish()
  }

  @Test func `What is queued can be queried with the same selections (S3, E3)`() {
    func found() -> [EffectID] { Array(harness.interpreter.effects(.queued(id)).byID.keys) }
    #expect(found().isEmpty)
    perform("active", .enqueue) { $0 }
    #expect(found().isEmpty && !harness.interpreter.isRunning(.queued(id)))
    perform("queued", .enqueue) { $0 }
    #expect(found() == [id] && !harness.interpreter.isRunning(.queued(id)))
    cancelQueued()
    perform("delayed", .enqueue) { $0.delay(for: .milliseconds(10)) }
    #expect(found() == [id])
    finish()
  }

  // MARK: - Scopes

  @Test func `A child's flush and cancel reach only the child's own work (M1, E3)`() {
    func waiting(_ name: String) -> Effect<String> {
      harness.ledger.run(name, id: "x").delay(for: .milliseconds(10))
    }
    harness.perform { _ in
      .merge(
        waiting("outside"), waiting("one").scoped(1) { $0 }, waiting("two").scoped(2) { $0 },
        .flush(id: "x").scoped(1) { $0 }, .cancel(queued: "x").scoped(2) { $0 })
    }
    #expect(harness.takeEvents() == [.started("one")])
    #expect(harness.takeDropped() == ["two"])
    finish()
  }
}
