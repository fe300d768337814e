// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

private struct Broken: Error {}

/// The outcomes of all that the action of a request causes, decided as a value (rule L3).
@Suite struct OutcomeTests {
  private let harness = SchedulerHarness()

  /// The outcomes of the last request: names and outcomes, in order.
  private var outcomes: [String] {
    harness.outcomes?.map { "\($0.run.name ?? $0.run.id.map { "\($0)" } ?? "?"): \($0.outcome)" } ?? ["none"]
  }

  private func finish(sourceLocation: SourceLocation = #_sourceLocation) {
    harness.expectEmpty(sourceLocation: sourceLocation)
    #expect(harness.scheduler.collected.isEmpty, sourceLocation: sourceLocation)
    #expect(harness.scheduler.collected.all.isEmpty, sourceLocation: sourceLocation)
  }

  @Test func `Every run is listed once, in the order of settling, with those that its actions start (L7)`() {
    harness.effects = { [ledger = harness.ledger] action in ledger.run(action) }
    harness.request { .merge($0.run("a"), $0.run("b", catches: true), $0.run("c")) }
    harness.send("of a", by: "a")
    harness.end("c")
    harness.end("b", error: Broken())
    harness.send("of of a", by: "of a")
    harness.end("a", error: Broken())
    harness.end("of a")
    harness.end("b")
    harness.end("of of a")
    #expect(
      outcomes == ["c: finished", "a: failed: Broken()", "of a: finished", "b: handled: Broken()", "of of a: finished"])
    #expect(harness.outcomes?.allFinished == false)
    finish()
  }

  @Test func `If there is nothing to wait for, all have finished; errors that a catch handled are no failures (L7)`() {
    harness.request { _ in .none }
    #expect(outcomes == [])
    #expect(harness.outcomes?.allFinished == true)
    harness.request { $0.run("a", catches: true) }
    harness.end("a", error: Broken())
    harness.end("a")
    #expect(outcomes == ["a: handled: Broken()"])
    #expect(harness.outcomes?.allFinished == true)
    finish()
  }

  @Test func `A tree is listed as well as the runs in it (L7, E6)`() {
    harness.request {
      Effect.concatenate($0.run("a"), $0.run("b")).cancellable(id: "tree", overlap: .enqueue)
    }
    harness.end("a")
    harness.end("b")
    #expect(outcomes == ["a: finished", "b: finished", "\"tree\": finished"])
    finish()
  }

  @Test func `What never starts is listed with its reason (L7)`() {
    harness.perform {
      .merge($0.run("other", id: "x", overlap: .concurrent), $0.run("old", id: "y", overlap: .restart))
    }
    harness.request {
      .merge(
        $0.run("dropped", id: "x", overlap: .drop), $0.run("replacing", id: "y", overlap: .restart),
        $0.run("queued", id: "x", overlap: .keepLatest), $0.run("newer", id: "x", overlap: .keepLatest))
    }
    harness.end("old")
    harness.perform { _ in .cancel(id: "y") }
    harness.perform { _ in .cancel(id: "x") }
    #expect(
      outcomes == [
        "dropped: dropped", "queued: dropped", "replacing: cancelled: byEffect", "newer: cancelled: byEffect",
      ])
    for name in harness.executing { harness.end(name) }
    finish()
  }

  @Test func `Runs replaced by others, timed out or refused are listed (L7, C2)`() {
    harness.request {
      .merge(
        $0.run("replaced", id: "x", overlap: .restart), $0.run("late").timeout(after: .milliseconds(5)),
        $0.run("nameless").debounce(for: .milliseconds(5)))
    }
    harness.perform { $0.run("newer", id: "x", overlap: .restart) }
    harness.advance(to: 5)
    #expect(
      outcomes == [
        "nameless: failed: \(MissingID(modifier: .debounce(for: .milliseconds(5), maxWait: nil)))",
        "replaced: cancelled: replaced", "late: failed: \(EffectTimeout(limit: .milliseconds(5)))",
      ])
    for name in harness.executing { harness.end(name) }
    finish()
  }

  @Test func `A debounced run that a newer one supersedes was dropped for the request that made it (L7, C2)`() {
    func debounced(_ name: String) -> (Ledger) -> Effect<String> {
      { $0.run(name, id: "x", overlap: .concurrent).debounce(for: .milliseconds(10)) }
    }
    harness.request(debounced("a"))
    harness.perform(debounced("b"))
    #expect(outcomes == ["a: dropped"])
    harness.advance(to: 20)
    harness.end("b")
    finish()
  }

  @Test func `A cancelled dispatch lists the runs it still causes as refused (L7, L2)`() {
    harness.effects = { [ledger = harness.ledger] _ in ledger.run("refused", id: "x") }
    let number = harness.request { .merge($0.run("a"), $0.run("b")) }
    harness.cancelDispatch(number)
    #expect(outcomes == ["a: cancelled: byDispatch", "b: cancelled: byDispatch"])
    for name in harness.executing { harness.end(name) }
    harness.scheduler.collectOutcomes(ofDispatch: number + 1)
    let refused = harness.send("go", isRefusing: true)
    harness.watch(refused)
    #expect(outcomes == ["refused: cancelled: byDispatch"])
    finish()
  }

  @Test func `A joined run is listed for each joiner, with what its actions cause while they own it (L7, O1)`() {
    harness.effects = { [ledger = harness.ledger] action in ledger.run(action) }
    harness.request { $0.run("shared", id: "x", overlap: .join, input: "same") }
    harness.send("early", by: "shared")
    harness.request { $0.run("joiner", id: "x", overlap: .join, input: "same") }
    harness.send("both", by: "shared")
    harness.end("shared")
    harness.end("early")
    harness.end("both")
    #expect(harness.allOutcomes.count == 2)
    let texts = harness.allOutcomes.map { "\($0.map { "\($0.run.name ?? "?") \($0.outcome)" })" }
    #expect(
      Set(texts) == [
        #"["shared finished", "early finished", "both finished"]"#, #"["shared finished", "both finished"]"#,
      ])
    finish()
  }

  @Test func `A joiner whose tree is cancelled lists the run as cancelled, though it goes on for others (L7, O1)`() {
    harness.perform { $0.run("shared", id: "x", overlap: .join, input: "same") }
    harness.request {
      $0.run("joiner", id: "x", overlap: .join, input: "same").cancellable(id: "tree", overlap: .enqueue)
    }
    harness.perform { _ in .cancel(id: "tree") }
    #expect(outcomes == ["shared: cancelled: byEffect", "\"tree\": cancelled: byEffect"])
    #expect(harness.executing == ["shared"])
    harness.end("shared")
    finish()
  }

  @Test func `The first owner lists the run as cancelled when it leaves, though it goes on for others (L7, O5)`() {
    let first = harness.request { $0.run("shared", id: "x", overlap: .join, input: "same") }
    harness.perform { $0.run("joiner", id: "x", overlap: .join, input: "same") }
    harness.cancelDispatch(first)
    #expect(outcomes == ["shared: cancelled: byDispatch"])
    #expect(harness.executing == ["shared"])
    harness.end("shared")
    finish()
  }

  @Test func `After sixty-four, the rest is counted, and still counts as finished or not (L7)`() {
    let count = RequestOutcomes.limit + 10
    harness.request { ledger in .merge((0..<count).map { ledger.run("\($0)") }) }
    for number in 0..<count { harness.end("\(number)", error: number == count - 1 ? Broken() : nil) }
    #expect(harness.outcomes?.count == RequestOutcomes.limit)
    #expect(harness.outcomes?.rest == 10)
    #expect(harness.outcomes?.allFinished == false, "the last one failed")
    #expect(harness.outcomes?.description.hasSuffix("\nand 10 more") == true)
    finish()
  }

  @Test func `Other dispatches are not collected (L7)`() {
    harness.perform { $0.run("a") }
    #expect(harness.scheduler.collected.isEmpty)
    harness.end("a")
    let number = harness.request { $0.run("b") }
    harness.perform { $0.run("c") }
    harness.end("c")
    #expect(harness.scheduler.collected.all.count == 1)
    #expect(harness.scheduler.collected[number]?.count == 0)
    harness.end("b")
    #expect(outcomes == ["b: finished"])
    finish()
  }

  @Test func `A run is listed whose arrival opens a tree that cancels what the run is in (L3, L7)`() {
    harness.perform { $0.run("first", id: "slot", overlap: .enqueue) }
    harness.perform { _ in .concatenate(.cancel(id: "outer"), .none).cancellable(id: "slot", overlap: .enqueue) }
    harness.request {
      .concatenate($0.run("before", id: "before"), $0.run("second", id: "slot", overlap: .enqueue(limit: 3)))
        .cancellable(id: "outer", overlap: .concurrent)
    }
    // In the turn of another dispatch. The higher limit of the second run opens the tree, before the run itself arrives.
    harness.perform { _ in .cancel(id: "before") }
    #expect(
      outcomes == ["before: cancelled: byEffect", "\"outer\": cancelled: byEffect", "second: cancelled: byEffect"])
    harness.end("before")
    harness.end("first")
    finish()
  }
}
