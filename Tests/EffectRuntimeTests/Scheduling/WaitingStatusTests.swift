// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

/// What counts as running, by the same rules for a status and for every selection (rules S1 and S3).
@Suite struct WaitingStatusTests {
  private let harness = SchedulerHarness()

  private struct Broken: Error {}

  /// Every query that answers whether the work of a scope runs, with an id or without one.
  private func isRunning() -> Set<Bool> {
    [harness.scheduler.isRunning(.scope("row")), harness.scheduler.isRunning(.everything)]
  }

  private func perform(_ id: EffectID?, _ change: (Effect<String>) -> Effect<String>) {
    harness.perform { change($0.run("a", id: id, overlap: .enqueue)).scoped("row") { $0 } }
  }

  @Test(arguments: [nil, "x"] as [EffectID?])
  func `A run that waits for its delay does not run, with an id or without one (S1, S3)`(_ id: EffectID?) {
    perform(id) { $0.delay(for: .milliseconds(10)) }
    #expect(isRunning() == [false])
    harness.advance(to: 10)
    #expect(isRunning() == [true])
    harness.end("a")
    #expect(isRunning() == [false])
    harness.expectEmpty()
  }

  @Test(arguments: [nil, "x"] as [EffectID?])
  func `A sequence does not run by itself: what runs is the run in it (S1, S3)`(_ id: EffectID?) {
    perform(id) { .concatenate($0.delay(for: .milliseconds(10)), self.harness.ledger.run("b")) }
    #expect(isRunning() == [false])
    harness.advance(to: 10)
    #expect(isRunning() == [true])
    harness.end("a")
    #expect(isRunning() == [true])
    harness.end("b")
    #expect(isRunning() == [false])
    harness.expectEmpty()
  }

  @Test(arguments: [nil, "x"] as [EffectID?])
  func `A run that waits for its next attempt runs (S1, S3)`(_ id: EffectID?) {
    perform(id) { $0.retry(attempts: 2, backoff: .constant(.milliseconds(10))) }
    #expect(isRunning() == [true])
    harness.end("a", error: Broken())
    #expect(isRunning() == [true])
    harness.advance(to: 10)
    #expect(isRunning() == [true])
    harness.end("a")
    #expect(isRunning() == [false])
    harness.expectEmpty()
  }

  @Test(arguments: [nil, "x"] as [EffectID?])
  func `A cancelled run does not run, whether or not it has returned (S1, S3)`(_ id: EffectID?) {
    perform(id) { $0 }
    #expect(isRunning() == [true])
    harness.perform { _ in .cancel(scope: "row") }
    #expect(isRunning() == [false])
    harness.end("a")
    #expect(isRunning() == [false])
    harness.expectEmpty()
  }
}
