// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

private struct Broken: Error {}

/// What follows for the owners of a shared run when it settles: the order in which they go on, and what each waits for.
@Suite struct SharedEndTests {
  private func load(_ ledger: Ledger, _ name: String) -> Effect<String> {
    ledger.run(name, id: "load", overlap: .join, input: "a")
  }

  /// Three dispatches own `r1`; the second and the third have joined it.
  private func share(
    in harness: SchedulerHarness,
    _ effect: (Effect<String>, Int, Ledger) -> Effect<String>
  ) -> [UInt64] {
    let dispatches = (1...3).map { number in
      harness.perform { effect(load($0, "r\(number)"), number, $0) }
    }
    for dispatch in dispatches { harness.watch(dispatch) }
    #expect(harness.takeEvents() == [.started("r1")])
    return dispatches
  }

  // MARK: - Order

  @Test(arguments: [true, false])
  func `When a shared run ends, its waiters are resumed in the order of joining, the first owner first (O5, L2)`(
    isWatchedInOrder: Bool
  ) {
    let harness = SchedulerHarness()
    let dispatches = (1...3).map { number in harness.perform { load($0, "r\(number)") } }
    for dispatch in isWatchedInOrder ? dispatches : dispatches.reversed() { harness.watch(dispatch) }
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("r1")] + dispatches.map { .finished($0) })
    harness.expectEmpty()
  }

  @Test func `When a shared run ends, what its actions caused settles for its owners in the same order (O5, L2)`() {
    let harness = SchedulerHarness { ledger, action in ledger.run(action) }
    let dispatches = share(in: harness) { run, _, _ in run }
    harness.send("child", by: "r1")
    harness.end("r1")
    _ = harness.takeEvents()
    harness.end("child")
    #expect(harness.takeEvents() == dispatches.map { .finished($0) })
    harness.expectEmpty()
  }

  @Test func `When a shared run ends, sequences go on in the order of joining, the first owner's first (O5, T4)`() {
    let harness = SchedulerHarness()
    let dispatches = share(in: harness) { run, number, ledger in
      number == 2
        ? .concatenate(run, .send("sent 2")) : .concatenate(run, .send("sent \(number)"), ledger.run("n\(number)"))
    }
    harness.end("r1")
    #expect(
      harness.takeEvents() == [
        .reduced("sent 1"), .started("n1"), .reduced("sent 2"), .finished(dispatches[1]), .reduced("sent 3"),
        .started("n3"),
      ])
    harness.end("n1")
    harness.end("n3")
    #expect(harness.takeEvents() == [.finished(dispatches[0]), .finished(dispatches[2])])
    harness.expectEmpty()
  }

  @Test(arguments: [false, true])
  func `A shared run that fails or is cancelled by id lets its owners go on in the same order (O5, E3, E6)`(
    isCancelled: Bool
  ) {
    let harness = SchedulerHarness()
    let dispatches = share(in: harness) { run, number, ledger in
      number == 2 ? run : .concatenate(run, ledger.run("n\(number)"))
    }
    if isCancelled {
      harness.perform { _ in .cancel(id: "load") }
    } else {
      harness.end("r1", error: Broken())
    }
    #expect(
      harness.takeEvents() == [
        isCancelled ? .cancelled("r1") : .reported("r1"), .started("n1"), .finished(dispatches[1]), .started("n3"),
      ])
    if isCancelled { harness.end("r1") }
    harness.end("n1")
    harness.end("n3")
    harness.expectEmpty()
  }

  @Test func `If the first owner was cancelled, the next in the order of joining is first (O5, L2)`() {
    let harness = SchedulerHarness()
    let dispatches = share(in: harness) { run, number, ledger in .concatenate(run, ledger.run("n\(number)")) }
    let last = harness.perform { load($0, "r4") }
    harness.watch(last)
    harness.cancelDispatch(dispatches[0])
    #expect(harness.takeEvents() == [.finished(dispatches[0])])
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("n2"), .started("n3"), .finished(last)])
    harness.end("n2")
    harness.end("n3")
    harness.expectEmpty()
  }

  @Test func `A shared run that runs out of time lets its owners go on in the same order (O5, C2)`() {
    let harness = SchedulerHarness()
    let dispatches = share(in: harness) { run, _, _ in run.timeout(after: .milliseconds(10)) }
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.cancelled("r1"), .reported("r1")] + dispatches.map { .finished($0) })
    harness.end("r1")
    harness.expectEmpty()
  }

  // MARK: - Cancelled closures

  @Test func `Joiners do not wait for the closure of a cancelled run, also in an exclusive tree (E2)`() {
    let harness = SchedulerHarness()
    harness.perform { .concatenate(load($0, "r1"), $0.run("n1")) }
    harness.perform {
      .concatenate(load($0, "r2"), $0.run("n2")).cancellable(id: "tree", overlap: .enqueue(exclusive: true))
    }
    harness.perform { _ in .cancel(id: "load") }
    #expect(harness.takeEvents() == [.started("r1"), .cancelled("r1"), .started("n1"), .started("n2")])
    harness.end("r1")
    harness.end("n1")
    harness.end("n2")
    harness.expectEmpty()
  }
}
