// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

/// A run whose `catch` executes has left its slot: no overlap cancels or counts it (rules O1 and C5).
@Suite struct CatchSlotTests {
  private struct Broken: Error {}
  private let harness = SchedulerHarness()
  private let id: EffectID = "x"

  private func run(_ name: String, _ overlap: Overlap, catches: Bool = false) -> (Ledger) -> Effect<String> {
    { [id] ledger in ledger.run(name, id: id, overlap: overlap, catches: catches) }
  }

  private func finish(sourceLocation: SourceLocation = #_sourceLocation) {
    harness.advance(to: 10_000)
    while let run = harness.executingInOrder.first { harness.end(run) }
    harness.expectEmpty(sourceLocation: sourceLocation)
  }

  @Test(arguments: [nil, 10]) func `A run in its catch is not replaced, and leaves a slot to others (O1, C5)`(
    delay: Int?
  ) {
    func restart(_ name: String) -> (Ledger) -> Effect<String> {
      { [self] ledger in
        let run = run(name, .restart(limit: 2), catches: true)(ledger)
        return delay.map { run.delay(for: .milliseconds($0)) } ?? run
      }
    }
    for (number, name) in ["a", "b", "c", "d"].enumerated() {
      harness.perform(restart(name))
      harness.advance(to: number * 10 + 10)
      if number == 0 { harness.end("a", error: Broken()) }
    }
    #expect(
      harness.takeEvents() == [
        .started("a"), .recovered("a"), .started("b"), .started("c"), .cancelled("b"), .started("d"),
      ])
    #expect(harness.members(of: id).running == ["a", "c", "d"])
    #expect(harness.status(id).running == 3)
    harness.perform { _ in .cancel(id: self.id) }
    #expect(harness.takeEvents() == [.cancelled("a"), .cancelled("c"), .cancelled("d")])
    finish()
  }

  @Test(arguments: [
    Overlap.restart, .restart(exclusive: true), .drop, .enqueue, .keepLatest, .join, .drop(exclusive: true),
  ])
  func `A reconnect from a catch starts and does not end the catch (O1, C5)`(overlap: Overlap) {
    harness.perform(run("a", overlap, catches: true))
    harness.end("a", error: Broken())
    let catching = harness.token(of: "a")
    #expect(harness.send("reconnect", by: catching))
    harness.perform(run("b", overlap))
    #expect(harness.send("handled", by: catching))
    #expect(
      harness.takeEvents() == [
        .started("a"), .recovered("a"), .reduced("reconnect"), .started("b"), .reduced("handled"),
      ])
    finish()
  }

  @Test func `A run that is replaced before its error is handled has no catch (O1, C5, E4)`() {
    harness.perform(run("a", .restart, catches: true))
    harness.perform(run("b", .restart))
    harness.end("a", error: Broken())
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a"), .started("b")])
    finish()
  }

  @Test func `A tree keeps its slot while a catch in it executes, and is replaced with it (O1, E6)`() {
    func tree(_ name: String) -> (Ledger) -> Effect<String> {
      { ledger in
        Effect.merge(ledger.run(name, catches: true), ledger.run("\(name) too")).cancellable(
          id: "tree", overlap: .restart)
      }
    }
    harness.perform(tree("a"))
    harness.end("a", error: Broken())
    harness.perform(tree("b"))
    #expect(
      harness.takeEvents() == [
        .started("a"), .started("a too"), .recovered("a"), .cancelled("a"), .cancelled("a too"), .started("b"),
        .started("b too"),
      ])
    finish()
  }
}
