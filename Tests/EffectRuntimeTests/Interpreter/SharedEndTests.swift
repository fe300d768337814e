// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

private struct Broken: Error {}

/// What follows for the owners of a shared run when it settles: the order in which they go on, and what each waits for.
@Suite struct SharedEndTests {
  private func load(_ ledger: Ledger, _ name: String, exclusive: Bool = false) -> Effect<String> {
    ledger.run(name, id: "load", overlap: .join(exclusive: exclusive), input: "a")
  }

  /// Three dispatches own `r1`; the second and the third have joined it.
  private func share(
    in harness: InterpreterHarness, exclusive: Bool = false,
    _ effect: (Effect<String>, Int, Ledger) -> Effect<String>
  ) -> [UInt64] {
    let dispatches = (1...3).map { number in
      harness.perform { effect(load($0, "r\(number)", exclusive: exclusive), number, $0) }
    }
    for dispatch in dispatches { harness.watch(dispatch) }
    #expect(harness.takeEvents() == [.started("r1")])
    return dispatches
  }

  // MARK: - Order

  @Test(arguments: [true, false])
  func `When a shared run ends, its waiters are resumed in the order of joining, the first owner first (O1, L2)`(
    isWatchedInOrder: Bool
  ) {
    let harness = InterpreterHarness()
    let dispatches = (1...3).map { number in harness.perform { load($0, "r\(number)") } }
    for dispatch in isWatchedInOrder ? dispatches : dispatches.reversed() { harness.watch(dispatch) }
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("r1")] + dispatches.map { .finished($0) })
    harness.expectEmpty()
  }

  @Test func `When a shared run ends, what its actions caused settles for its owners in the same order (O1, L2)`() {
    let harness = InterpreterHarness { ledger, action in ledger.run(action) }
    let dispatches = share(in: harness) { run, _, _ in run }
    harness.send("child", by: "r1")
    harness.end("r1")
    _ = harness.takeEvents()
    harness.end("child")
    #expect(harness.takeEvents() == dispatches.map { .finished($0) })
    harness.expectEmpty()
  }

  @Test func `When a shared run ends, sequences go on in the order of joining, the first owner's first (O1, T4)`() {
    let harness = InterpreterHarness()
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
  func `A shared run that fails or is cancelled by id lets its owners go on in the same order (O1, E3, E6)`(
    isCancelled: Bool
  ) {
    let harness = InterpreterHarness()
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

  @Test func `If the first owner was cancelled, the next in the order of joining is first (O1, L2)`() {
    let harness = InterpreterHarness()
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

  @Test func `A shared run that runs out of time lets its owners go on in the same order (O1, C2)`() {
    let harness = InterpreterHarness()
    let dispatches = share(in: harness) { run, _, _ in run.timeout(after: .milliseconds(10)) }
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.cancelled("r1"), .reported("r1")] + dispatches.map { .finished($0) })
    harness.end("r1")
    harness.expectEmpty()
  }

  // MARK: - Exclusive

  @Test func `A sequence around each owner of a cancelled exclusive run waits for its return, a dispatch not (E2)`() {
    let harness = InterpreterHarness()
    let dispatches = share(in: harness, exclusive: true) { run, number, ledger in
      number == 2 ? run : .concatenate(run, ledger.run("n\(number)"))
    }
    harness.perform { _ in .cancel(id: "load") }
    #expect(harness.takeEvents() == [.cancelled("r1"), .finished(dispatches[1])])
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("n1"), .started("n3")])
    harness.end("n1")
    harness.end("n3")
    #expect(harness.takeEvents() == [.finished(dispatches[0]), .finished(dispatches[2])])
    harness.expectEmpty()
  }

  @Test func `A joiner in an exclusive tree waits for the closure, though the run alone is not exclusive (E2)`() {
    let harness = InterpreterHarness()
    harness.perform { .concatenate(load($0, "r1"), $0.run("n1")) }
    harness.perform {
      .concatenate(load($0, "r2"), $0.run("n2")).cancellable(id: "tree", overlap: .enqueue(exclusive: true))
    }
    harness.perform { _ in .cancel(id: "load") }
    #expect(harness.takeEvents() == [.started("r1"), .cancelled("r1"), .started("n1")])
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("n2")])
    harness.end("n1")
    harness.end("n2")
    harness.expectEmpty()
  }

  @Test(arguments: [false, true])
  func `A tree cancelled while a joiner in it waits for the closure passes the wait to the work around it (E2, O2)`(
    isExclusive: Bool
  ) {
    let harness = InterpreterHarness()
    let overlap: Overlap = isExclusive ? .enqueue(exclusive: true) : .concurrent
    harness.perform { load($0, "r1", exclusive: true) }
    let dispatch = harness.perform {
      .concatenate(
        .concatenate(load($0, "r2", exclusive: true), $0.run("never")).cancellable(id: "tree", overlap: overlap),
        $0.run("next"))
    }
    harness.perform { _ in .cancel(id: "load") }
    harness.perform { _ in .cancel(id: "tree") }
    harness.perform { $0.run("after", id: "tree", overlap: overlap) }
    #expect(harness.takeEvents() == [.started("r1"), .cancelled("r1")] + (isExclusive ? [] : [.started("after")]))
    #expect(harness.isRun("r1", partOf: dispatch), "the closure would wait for itself")
    harness.end("r1")
    #expect(harness.takeEvents() == (isExclusive ? [.started("after"), .started("next")] : [.started("next")]))
    harness.end("after")
    harness.end("next")
    harness.expectEmpty()
  }

  @Test func `A dispatch cancelled while its joiner waits for the closure does not wait any more (E2, L2)`() {
    let harness = InterpreterHarness()
    let dispatches = share(in: harness, exclusive: true) { run, number, ledger in
      .concatenate(run, ledger.run("n\(number)"))
    }
    harness.perform { _ in .cancel(id: "load") }
    harness.cancelDispatch(dispatches[2])
    harness.cancelDispatch(dispatches[0])
    #expect(harness.takeEvents() == [.cancelled("r1"), .finished(dispatches[2]), .finished(dispatches[0])])
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("n2")])
    harness.end("n2")
    harness.expectEmpty()
  }

  @Test func `A dispatch that joined its exclusive run twice goes on when the closure has returned (E2, O1)`() {
    let harness = InterpreterHarness()
    let dispatch = harness.perform {
      .concatenate(
        .merge(load($0, "r1", exclusive: true), load($0, "r2", exclusive: true), load($0, "r3", exclusive: true)),
        $0.run("next"))
    }
    harness.watch(dispatch)
    harness.perform { _ in .cancel(id: "load") }
    #expect(harness.takeEvents() == [.started("r1"), .cancelled("r1")])
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("next")])
    harness.end("next")
    #expect(harness.takeEvents() == [.finished(dispatch)])
    harness.expectEmpty()
  }

  @Test(arguments: [false, true])
  func `Every owner's sequence waits for an attempt of an exclusive shared run that ran out of time (E2, C2)`(
    joinsLate: Bool
  ) {
    let harness = InterpreterHarness()
    func shared(_ ledger: Ledger, _ number: Int) -> Effect<String> {
      .concatenate(
        ledger.run("r\(number)", id: "load", overlap: .join(exclusive: true), input: "a", catches: true)
          .timeout(after: .milliseconds(10)), ledger.run("n\(number)"))
    }
    harness.perform { shared($0, 1) }
    let attempt = harness.token(of: "r1")
    if !joinsLate { harness.perform { shared($0, 2) } }
    harness.advance(to: 10)
    if joinsLate { harness.perform { shared($0, 2) } }
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("r1"), .cancelled("r1"), .recovered("r1")])
    harness.end(attempt)
    #expect(harness.takeEvents() == [.started("n1"), .started("n2")])
    harness.end("n1")
    harness.end("n2")
    harness.expectEmpty()
  }
}
