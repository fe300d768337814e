// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

/// Time limits and further attempts, decision by decision (rules C2 and E1).
@Suite struct AttemptTests {
  private struct Broken: Error {}
  private let harness = SchedulerHarness()
  private let id: EffectID = "x"

  private func run(
    _ name: String = "a", _ overlap: Overlap = .enqueue, catches: Bool = false, attempts: Int? = nil,
    backoff: Int = 0, limit: Int? = nil, wholeLimit: Int? = nil,
    while condition: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> (Ledger) -> Effect<String> {
    { [id] ledger in
      var effect: Effect<String> = ledger.run(name, id: id, overlap: overlap, catches: catches)
      if let limit { effect = effect.timeout(after: .milliseconds(limit)) }
      guard let attempts else { return effect }
      effect = effect.retry(
        attempts: attempts, backoff: Backoff { error, _ in condition(error) ? .milliseconds(backoff) : nil })
      return wholeLimit.map { effect.timeout(after: .milliseconds($0)) } ?? effect
    }
  }

  private func finish(sourceLocation: SourceLocation = #_sourceLocation) {
    harness.advance(to: 10_000)
    while let run = harness.executingInOrder.first { harness.end(run) }
    harness.expectEmpty(sourceLocation: sourceLocation)
  }

  // MARK: - Retry

  @Test func `An attempt that fails is made again, with a token of its own (C5, E1)`() {
    harness.perform(run(attempts: 3, backoff: 10))
    let first = harness.token(of: "a")
    #expect(harness.send("from 1", by: first))
    harness.end("a", error: Broken())
    #expect(!harness.send("late", by: first))
    harness.advance(to: 9)
    #expect(harness.takeEvents() == [.started("a"), .reduced("from 1")])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("a")])
    #expect(harness.token(of: "a") != first)
    #expect(!harness.send("late", by: first))
    #expect(harness.send("from 2", by: "a"))
    harness.end("a")
    #expect(harness.takeEvents() == [.reduced("from 2")])
    finish()
  }

  @Test func `The last error is caught, or reported, and no attempt follows (C5, E5)`() {
    for catches in [true, false] {
      harness.perform(run(catches: catches, attempts: 3))
      for _ in 1...3 { harness.end("a", error: Broken()) }
      let last: SchedulerHarness.Event = catches ? .recovered("a") : .reported("a")
      #expect(harness.takeEvents() == [.started("a"), .started("a"), .started("a"), last])
      if catches { harness.end("a") }
    }
    finish()
  }

  @Test func `An error after which the backoff gives up is not tried again (C5)`() {
    harness.perform(run(catches: true, attempts: 3) { !($0 is Broken) })
    harness.end("a", error: Broken())
    #expect(harness.takeEvents() == [.started("a"), .recovered("a")])
    finish()
  }

  @Test func `A run keeps its slot while it waits for the next attempt (C5)`() {
    harness.perform(run("a", attempts: 2, backoff: 10))
    harness.perform(run("b"))
    harness.end("a", error: Broken())
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 10)
    harness.end("a")
    #expect(harness.takeEvents() == [.started("a"), .started("b")])
    finish()
  }

  @Test func `A cancel between two attempts ends the run, and nothing of it starts (E3)`() {
    harness.perform(run("a", attempts: 2, backoff: 10))
    harness.perform(run("b"))
    harness.end("a", error: Broken())
    harness.cancelDispatch(1)
    #expect(harness.takeEvents() == [.started("a"), .started("b")])
    harness.advance(to: 20)
    #expect(harness.takeEvents() == [])
    finish()
  }

  @Test func `An error of a cancelled attempt starts no other attempt (E4)`() {
    harness.perform(run("a", catches: true, attempts: 2))
    harness.perform { _ in .cancel(id: id) }
    harness.end("a", error: Broken())
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    finish()
  }

  @Test func `Waits follow the backoff (C5)`() {
    harness.perform { ledger in
      (ledger.run("a") as Effect<String>).retry(attempts: 4, backoff: .exponential(from: .milliseconds(10)))
    }
    var starts: [Duration] = []
    for _ in 0..<4 {
      while !harness.executing.contains("a"), let next = harness.scheduler.nextAlarm {
        harness.advance(to: Int(next.deadline / .milliseconds(1)))
      }
      starts.append(harness.now)
      harness.end("a", error: Broken())
    }
    #expect(starts == [0, 10, 30, 70].map { .milliseconds($0) })
    finish()
  }

  // MARK: - Time limits

  @Test func `At its limit an attempt is cancelled and catch starts at once, with a token of its own (C5, E1)`() {
    harness.perform(run(catches: true, limit: 10))
    let first = harness.token(of: "a")
    harness.advance(to: 9)
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.cancelled("a"), .recovered("a")])
    #expect(!harness.send("late", by: first))
    #expect(harness.scheduler.isCancelling(first))
    #expect(harness.send("caught", by: "a"))
    // The catch has no limit itself, and an error of the first closure is ignored when it returns.
    harness.advance(to: 1_000)
    harness.end(first, error: Broken())
    #expect(!harness.scheduler.isCancelling(first))
    #expect(harness.takeEvents() == [.reduced("caught")])
    harness.end("a")
    finish()
  }

  @Test func `Without a catch the time-out is reported and the run has settled, though its closure executes (C5, E2)`()
  {
    let dispatch = harness.perform { [run = run("a", limit: 10)] in .concatenate(run($0), $0.run("next")) }
    harness.watch(dispatch)
    harness.perform(run("b"))
    let first = harness.token(of: "a")
    harness.advance(to: 10)
    #expect(
      harness.takeEvents() == [.started("a"), .cancelled("a"), .reported("a"), .started("b"), .started("next")])
    #expect(harness.scheduler.status(of: id) == EffectStatus(running: 1, cancelling: 1))
    harness.end("next")
    #expect(harness.takeEvents() == [.finished(dispatch)])
    harness.end(first)
    #expect(harness.scheduler.status(of: id) == EffectStatus(running: 1))
    harness.forgetExecuting("a")
    finish()
  }

  @Test func `A run that ends in time is not affected (C5)`() {
    harness.perform(run(limit: 10))
    harness.advance(to: 9)
    harness.end("a")
    #expect(harness.scheduler.nextAlarm == nil)
    harness.perform(run(limit: 10))
    harness.perform { _ in .cancel(id: id) }
    #expect(harness.scheduler.nextAlarm == nil)
    finish()
  }

  @Test func `The time in a queue does not count (C5)`() {
    harness.perform(run("a"))
    harness.perform(run("b", limit: 10))
    harness.advance(to: 50)
    harness.end("a")
    harness.advance(to: 59)
    #expect(harness.takeEvents() == [.started("a"), .started("b")])
    harness.end("b")
    finish()
  }

  @Test func `Each attempt has the whole limit, and catch follows the last (C5)`() {
    harness.perform(run(catches: true, attempts: 2, backoff: 5, limit: 10))
    let first = harness.token(of: "a")
    harness.advance(to: 15)
    let second = harness.token(of: "a")
    harness.advance(to: 24)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .started("a")])
    harness.advance(to: 25)
    #expect(harness.takeEvents() == [.cancelled("a"), .recovered("a")])
    #expect(!harness.send("late", by: first))
    #expect(!harness.send("late", by: second))
    #expect(harness.scheduler.status(of: id) == EffectStatus(running: 1, cancelling: 2, attempt: 2))
    harness.end(second)
    harness.end("a")
    harness.end(first)
    finish()
  }

  @Test func `The backoff decides about time-outs of attempts too (C5)`() {
    harness.perform(run(catches: true, attempts: 2, limit: 10) { ($0 as? EffectTimeout)?.limit != .milliseconds(10) })
    let first = harness.token(of: "a")
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .recovered("a")])
    harness.end(first)
    finish()
  }

  // MARK: - A limit of the whole run

  @Test func `A limit behind the retry ends the run while it waits between attempts, and catch gets the time-out (C5)`()
  {
    harness.request(run(catches: true, attempts: 100, backoff: 4, wholeLimit: 10))
    for milliseconds in [4, 8] {
      harness.end("a", error: Broken())
      harness.advance(to: milliseconds)
    }
    harness.end("a", error: Broken())
    #expect(harness.takeEvents() == [.started("a"), .started("a"), .started("a")])
    #expect(harness.scheduler.postponed.map(\.until) == [.milliseconds(10)])
    harness.advance(to: 9)
    #expect(harness.takeEvents() == [])
    harness.advance(to: 20)
    #expect(harness.takeEvents() == [.recovered("a")])
    harness.end("a")
    #expect(harness.allOutcomes.last?.map { $0.outcome } == [.handled(EffectTimeout(limit: .milliseconds(10)))])
    _ = harness.takeEvents()
    finish()
  }

  @Test(arguments: [true, false])
  func `A limit of the whole run ends the attempt that executes, and no other follows (C5)`(_ hasLimits: Bool) {
    harness.perform(run(attempts: 3, limit: hasLimits ? 6 : nil, wholeLimit: 10))
    let first = harness.token(of: "a")
    harness.advance(to: 6)
    if !hasLimits { harness.end("a", error: Broken()) }
    let second = harness.token(of: "a")
    _ = harness.takeEvents()
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.cancelled("a"), .reported("a")])
    #expect(!harness.send("late", by: second))
    #expect(!harness.scheduler.isRunning(id) && !harness.scheduler.hasAlarms)
    harness.end(second)
    if hasLimits { harness.end(first) }
    harness.forgetExecuting("a")
    finish()
  }

  @Test func `If both limits are over at one moment the run ends (C5)`() {
    harness.perform(run(catches: true, attempts: 3, limit: 5, wholeLimit: 10))
    harness.advance(to: 5)
    let second = harness.token(of: "a")
    harness.advance(to: 10)
    #expect(
      harness.takeEvents() == [
        .started("a"), .cancelled("a"), .started("a"), .cancelled("a"), .recovered("a"),
      ])
    #expect(!harness.send("late", by: second))
    finishAll()
  }

  @Test func `The backoff is not asked when the whole run is over (C5)`() {
    let asked = Lock(0)
    let condition: @Sendable (any Error) -> Bool = { _ in
      asked.withLock { $0 += 1 }
      return true
    }
    harness.perform(run(catches: true, attempts: 3, wholeLimit: 10, while: condition))
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .recovered("a")])
    #expect(asked.withLock { $0 } == 0)
    finishAll()
  }

  @Test func `The whole limit also ends an exclusive run that waits for the closure of an attempt (C5, O2)`() {
    harness.perform(run("a", .enqueue(exclusive: true), attempts: 3, limit: 5, wholeLimit: 10))
    harness.perform(run("b", .enqueue(exclusive: true)))
    let first = harness.token(of: "a")
    harness.advance(to: 9)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.reported("a")])
    harness.end(first)
    #expect(harness.takeEvents() == [.started("b")])
    harness.forgetExecuting("a")
    finish()
  }

  @Test func `A run that ends or is cancelled in time leaves no limit (C5)`() {
    harness.perform(run(attempts: 3, wholeLimit: 10))
    harness.end("a")
    #expect(!harness.scheduler.hasAlarms)
    harness.perform(run(attempts: 3, backoff: 5, wholeLimit: 10))
    harness.end("a", error: Broken())
    harness.perform { _ in .cancel(id: id) }
    #expect(!harness.scheduler.hasAlarms)
    finish()
  }

  private func finishAll(sourceLocation: SourceLocation = #_sourceLocation) {
    for token in harness.closureTokens { harness.endClosure(token, error: nil) }
    harness.forgetExecuting("a")
    finish(sourceLocation: sourceLocation)
  }

  // MARK: - The slot before catch

  @Test(arguments: [nil, 2])
  func `A run that is sent from catch starts under drop, and the catch counts as running (C5, S1)`(attempts: Int?) {
    harness.perform(run("a", .drop, catches: true, attempts: attempts))
    for _ in 0..<(attempts ?? 1) { harness.end("a", error: Broken()) }
    _ = harness.takeEvents()
    #expect(harness.scheduler.status(of: id).running == 1)
    harness.effects = { [run = run("b", .drop), ledger = harness.ledger] _ in run(ledger) }
    #expect(harness.send("reconnect", by: "a"))
    #expect(harness.takeEvents() == [.reduced("reconnect"), .started("b")])
    #expect(harness.scheduler.status(of: id).running == 2)
    harness.perform(run("c", .drop))
    harness.end("a")
    harness.perform(run("d", .drop))
    #expect(harness.takeEvents() == [])
    #expect(harness.scheduler.status(of: id).running == 1)
    finish()
  }

  @Test func `A run that is queued starts when the one before it has failed for the last time (C5)`() {
    harness.perform(run("a", catches: true))
    harness.perform(run("b"))
    harness.end("a", error: Broken())
    #expect(harness.takeEvents() == [.started("a"), .recovered("a"), .started("b")])
    finish()
  }

  @Test func `A catch that executes does not delay or answer runs that would join (C5, O1)`() {
    harness.perform { $0.run("a", id: id, overlap: .join, input: "swift", catches: true) }
    harness.end("a", error: Broken())
    harness.perform { $0.run("b", id: id, overlap: .join, input: "swift") }
    #expect(harness.takeEvents() == [.started("a"), .recovered("a"), .started("b")])
    finish()
  }

  @Test func `A run whose catch executes frees nothing for a run that is queued (C5, L2)`() {
    harness.perform(run("a", catches: true))
    harness.end("a", error: Broken())
    harness.perform(run("c"))
    let dispatch = harness.perform(run("d"))
    #expect(harness.watch(dispatch, from: "c") == ["d"])
    finish()
  }

  @Test(arguments: ["id", "scope", "everything", "dispatch"])
  func `Every cancel reaches a run whose catch executes (C5, E1)`(_ kind: String) {
    let dispatch = harness.perform { [run = run("a", .restart, catches: true)] in run($0).scoped("s") { $0 } }
    harness.watch(dispatch)
    harness.end("a", error: Broken())
    _ = harness.takeEvents()
    switch kind {
    case "id": harness.perform { [id] _ in .cancel(id: id.scoped(by: "s")) }
    case "scope": harness.perform { _ in .cancel(scope: "s") }
    case "everything": harness.perform { _ in .cancel(.everything) }
    default: harness.cancelDispatch(dispatch)
    }
    let events = harness.takeEvents()
    #expect(events.contains(.cancelled("a")) && events.contains(.finished(dispatch)))
    #expect(!harness.send("late", by: "a"))
    harness.end("a")
    finish()
  }

  // MARK: - Exclusive slots

  @Test func `The next attempt of an exclusive run waits for the closure of the last (O2)`() {
    harness.perform(run("a", .enqueue(exclusive: true), attempts: 2, limit: 10))
    let first = harness.token(of: "a")
    harness.advance(to: 20)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    harness.end(first)
    #expect(harness.takeEvents() == [.started("a")])
    harness.end("a")
    finish()
  }

  @Test(arguments: [true, false], [true, false])
  func `An exclusive slot is kept until every attempt of the run has returned (O2)`(
    _ catchFirst: Bool, _ isCancelled: Bool
  ) {
    let overlap = Overlap.enqueue(exclusive: true)
    harness.perform(run("a", overlap, catches: true, limit: 10))
    harness.perform(run("b", overlap))
    let first = harness.token(of: "a")
    harness.advance(to: 10)
    if isCancelled { harness.cancelDispatch(1) }
    _ = harness.takeEvents()
    // The catch closure holds no slot.
    if catchFirst { harness.end("a") }
    #expect(harness.takeEvents() == [])
    harness.end(first)
    #expect(harness.takeEvents() == [.started("b")])
    if !catchFirst { harness.end("a") }
    finish()
  }

  @Test func `A sequence waits for every closure of an exclusive run (E2)`() {
    let dispatch = harness.perform { [run = run("a", .enqueue(exclusive: true), limit: 10)] in
      .concatenate(run($0), $0.run("next"))
    }
    harness.watch(dispatch)
    let first = harness.token(of: "a")
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .reported("a")])
    harness.end(first)
    #expect(harness.takeEvents() == [.started("next")])
    harness.forgetExecuting("a")
    finish()
  }

  @Test func `A tree is cancelled with its runs between attempts and with closures out of time (E6)`() {
    harness.perform { [a = run("a", .enqueue(exclusive: true), limit: 10), b = run("b", attempts: 2, backoff: 50)] in
      Effect.merge(a($0), b($0).scoped("s") { $0 }).cancellable(id: "tree", overlap: .enqueue(exclusive: true))
    }
    harness.perform { $0.run("c", id: "tree", overlap: .enqueue(exclusive: true)) }
    let first = harness.token(of: "a")
    harness.end("b", error: Broken())
    harness.advance(to: 10)
    harness.cancelDispatch(1)
    #expect(harness.takeEvents() == [.started("a"), .started("b"), .cancelled("a"), .reported("a")])
    harness.end(first)
    #expect(harness.takeEvents() == [.started("c")])
    harness.forgetExecuting("a")
    finish()
  }

  // MARK: - Status

  @Test func `The status contains the attempt, and the run that waits (S1)`() {
    harness.perform(run(attempts: 3, backoff: 10))
    #expect(harness.scheduler.status(of: id) == EffectStatus(running: 1, attempt: 1))
    harness.end("a", error: Broken())
    harness.advance(to: 10)
    #expect(harness.scheduler.status(of: id) == EffectStatus(running: 1, attempt: 2))
    harness.end("a")
    harness.perform { $0.run("b", id: id, overlap: .enqueue, input: "swift").delay(for: .milliseconds(10)) }
    #expect(harness.scheduler.status(of: id) == EffectStatus(queued: 1, input: "swift"))
    #expect(!harness.scheduler.isRunning(id))
    harness.perform { $0.run("c", id: id, overlap: .enqueue).debounce(for: .milliseconds(10)) }
    #expect(harness.scheduler.status(of: id).queued == 2)
    finish()
  }

  @Test func `The outcome of a run that was superseded, ignored, cancelled or out of time is reported (C5, L3)`() {
    func outcome() -> String? { harness.outcomes?.map { "\($0.outcome)" }.joined() }
    func debounced(_ name: String) {
      harness.request { $0.run(name, id: id, overlap: .drop).debounce(for: .milliseconds(10)) }
    }
    debounced("a")
    debounced("b")
    #expect(outcome() == "dropped")
    harness.perform { _ in .cancel(id: id) }
    #expect(outcome() == "cancelled: byEffect")
    harness.request { $0.run("c", id: id, overlap: .drop).throttle(for: .milliseconds(10), trailing: false) }
    harness.request { $0.run("d", id: id, overlap: .drop).throttle(for: .milliseconds(10), trailing: false) }
    #expect(outcome() == "dropped")
    harness.end("c")
    #expect(outcome() == "finished")
    harness.request(run("e", .drop, limit: 5))
    harness.advance(to: 5)
    #expect(outcome() == "failed: \(EffectTimeout(limit: .milliseconds(5)))")
    harness.end("e")
    harness.request { $0.run("f", id: id, overlap: .drop, catches: true).timeout(after: .milliseconds(5)) }
    let attempt = harness.token(of: "f")
    harness.advance(to: 20)
    harness.end("f")
    #expect(outcome() == "handled: \(EffectTimeout(limit: .milliseconds(5)))")
    harness.end(attempt)
    finish()
  }
}
