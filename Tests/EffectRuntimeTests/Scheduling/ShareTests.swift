// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

private struct Broken: Error {}

/// What the actions of a shared run cause belongs to every owner of the run.
@Suite struct ShareTests {
  /// A harness in which actions start a run with their own name, `inner` an inner run that is shared, and so on.
  private func makeHarness() -> SchedulerHarness {
    let harness = SchedulerHarness()
    harness.effects = { [ledger = harness.ledger] action in
      switch action {
      case "mixed":
        .merge(
          ledger.run("alone"), .concatenate(ledger.run("first"), ledger.run("never")),
          .concatenate(ledger.run("in tree"), ledger.run("never too")).cancellable(id: "tree", overlap: .concurrent),
          ledger.run("queued", id: "held", overlap: .enqueue), .send("sent"))
      case "inner": join(ledger, "inner run", id: "inner")
      case "instead": .merge(.cancel(id: "load"), ledger.run("instead"))
      case "in turn": .concatenate(ledger.run("before"), .send("after"))
      case "nothing": .none
      default: action.hasPrefix("again") ? join(ledger, action) : ledger.run(action)
      }
    }
    return harness
  }

  private func join(_ ledger: Ledger, _ name: String, id: EffectID = "load", catches: Bool = false) -> Effect<String> {
    ledger.run(name, id: id, overlap: .join, input: "a", catches: catches)
  }

  /// Makes so many dispatches that share the run `r1`, and waits for each.
  private func share(_ count: Int, in harness: SchedulerHarness) -> [UInt64] {
    let dispatches = (1...count).map { number in harness.perform { join($0, "r\(number)") } }
    for dispatch in dispatches { harness.watch(dispatch) }
    #expect(harness.takeEvents() == [.started("r1")])
    return dispatches
  }

  private func finished(_ events: [SchedulerHarness.Event]) -> Set<UInt64> {
    Set(events.compactMap { if case .finished(let number) = $0 { number } else { nil } })
  }

  private func cancelled(_ events: [SchedulerHarness.Event]) -> Set<String> {
    Set(events.compactMap { if case .cancelled(let run) = $0 { run } else { nil } })
  }

  @Test func `Every owner waits for what a shared run causes, transitively, and after its end (O5, L2)`() {
    let harness = makeHarness()
    let dispatches = share(3, in: harness)
    harness.send("child", by: "r1")
    harness.send("nothing", by: "r1")
    harness.end("r1")
    harness.send("grandchild", by: "child")
    harness.end("child")
    #expect(finished(harness.takeEvents()).isEmpty)
    harness.end("grandchild")
    #expect(finished(harness.takeEvents()) == Set(dispatches))
    harness.expectEmpty()
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], [false, true])
  func `The owners share what a shared run causes, and only the cancel of the last owner cancels it (O5)`(
    order: [Int], endsBefore: Bool
  ) {
    let harness = makeHarness()
    harness.perform { $0.run("holds", id: "held") }
    _ = harness.takeEvents()
    let dispatches = share(3, in: harness)
    harness.send("mixed", by: "r1")
    if endsBefore { harness.end("r1") }
    _ = harness.takeEvents()
    for owner in order.dropLast() {
      harness.cancelDispatch(dispatches[owner])
      #expect(harness.takeEvents() == [.finished(dispatches[owner])])
    }
    #expect(harness.send("more", by: "sent"))
    #expect(harness.takeEvents() == [.reduced("more"), .started("more")])
    harness.cancelDispatch(dispatches[order[2]])
    let runs: Set = ["alone", "first", "in tree", "sent", "more"]
    let events = harness.takeEvents()
    #expect(cancelled(events) == (endsBefore ? runs : runs.union(["r1"])))
    #expect(finished(events) == [dispatches[order[2]]])
    for run in runs { #expect(!harness.send("late", by: run)) }
    for run in harness.executing { harness.end(run) }
    #expect(harness.takeDropped().filter { !$0.hasPrefix("r") }.sorted() == ["never", "never too", "queued"])
    harness.expectEmpty()
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], [false, true])
  func `A run that a shared run has started may be shared in turn, with others (O5, L2)`(
    order: [Int], endsBefore: Bool
  ) {
    let harness = makeHarness()
    var dispatches = share(2, in: harness)
    harness.send("inner", by: "r1")
    dispatches.append(harness.perform { join($0, "third", id: "inner") })
    harness.watch(dispatches[2])
    harness.send("deep", by: "inner run")
    if endsBefore {
      harness.end("r1")
      harness.end("inner run")
    }
    #expect(finished(harness.takeEvents()).isEmpty)
    for owner in order.dropLast() { harness.cancelDispatch(dispatches[owner]) }
    let events = harness.takeEvents()
    #expect(finished(events) == Set(order.dropLast().map { dispatches[$0] }))
    // The outer run belongs to the first two alone.
    #expect(cancelled(events) == (endsBefore || order[2] != 2 ? [] : ["r1"]))
    harness.cancelDispatch(dispatches[order[2]])
    #expect(cancelled(harness.takeEvents()).isSuperset(of: endsBefore ? ["deep"] : ["deep", "inner run"]))
    for run in harness.executing { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `Every owner waits for what nested shared runs cause (O5, L2)`() {
    let harness = makeHarness()
    var dispatches = share(2, in: harness)
    harness.send("inner", by: "r1")
    dispatches.append(harness.perform { join($0, "third", id: "inner") })
    harness.watch(dispatches[2])
    harness.send("deep", by: "inner run")
    harness.send("outer", by: "r1")
    for run in ["r1", "inner run", "outer"] { harness.end(run) }
    #expect(finished(harness.takeEvents()).isEmpty)
    harness.end("deep")
    #expect(finished(harness.takeEvents()) == Set(dispatches))
    harness.expectEmpty()
  }

  @Test func `A joiner owns what comes after it has joined, and not what came before (O5)`() {
    let harness = makeHarness()
    var dispatches: [UInt64] = []
    for number in 1...3 {
      dispatches.append(harness.perform { join($0, "r\(number)") })
      harness.send("child \(number)", by: "r1")
    }
    _ = harness.takeEvents()
    harness.cancelDispatch(dispatches[0])
    #expect(harness.takeEvents() == [.cancelled("child 1")])
    harness.cancelDispatch(dispatches[1])
    #expect(harness.takeEvents() == [.cancelled("child 2")])
    harness.cancelDispatch(dispatches[2])
    #expect(cancelled(harness.takeEvents()) == ["child 3", "r1"])
    for run in harness.executing { harness.end(run) }
    harness.expectEmpty()
  }

  @Test(arguments: [false, true])
  func `An owner whose tree is cancelled keeps what came before, and does not own what comes after (O5, E6)`(
    isFirst: Bool
  ) {
    let harness = makeHarness()
    let inTree: (Ledger) -> Effect<String> = {
      .concatenate(join($0, "tree"), $0.run("never")).cancellable(id: "tree", overlap: .concurrent)
    }
    let alone: (Ledger) -> Effect<String> = { join($0, "alone") }
    let owners = (isFirst ? [inTree, alone] : [alone, inTree]).map { harness.perform($0) }
    let (leaving, staying) = isFirst ? (owners[0], owners[1]) : (owners[1], owners[0])
    let shared = isFirst ? "tree" : "alone"
    harness.send("before", by: shared)
    harness.perform { _ in .cancel(id: "tree") }
    harness.send("after", by: shared)
    harness.watch(leaving)
    #expect(harness.takeEvents().last == .started("after"))
    harness.cancelDispatch(staying)
    #expect(cancelled(harness.takeEvents()) == ["after", shared])
    harness.end("before")
    #expect(harness.takeEvents() == [.finished(leaving)])
    for run in harness.executing { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `A sequence around a joiner goes on when the run has settled; its dispatch waits for all (E6, O5, L2)`() {
    let harness = makeHarness()
    harness.perform { join($0, "r1") }
    let second = harness.perform { .concatenate(join($0, "r2"), $0.run("next")) }
    harness.watch(second)
    harness.send("child", by: "r1")
    _ = harness.takeEvents()
    harness.end("r1")
    #expect(harness.takeEvents() == [.started("next")])
    harness.end("next")
    #expect(harness.takeEvents().isEmpty)
    harness.end("child")
    #expect(harness.takeEvents() == [.finished(second)])
    harness.expectEmpty()
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `What the catch closure of a shared run causes is shared as well (O5, E5)`(order: [Int]) {
    let harness = makeHarness()
    let dispatches = [harness.perform { join($0, "r1", catches: true) }, harness.perform { join($0, "r2") }]
    harness.send("child", by: "r1")
    harness.end("r1", error: Broken())
    harness.send("of catch", by: "r1")
    _ = harness.takeEvents()
    harness.cancelDispatch(dispatches[order[0]])
    #expect(harness.takeEvents().isEmpty)
    harness.cancelDispatch(dispatches[order[1]])
    #expect(cancelled(harness.takeEvents()) == ["r1", "child", "of catch"])
    for run in harness.executing { harness.end(run) }
    harness.expectEmpty()
  }

  @Test func `An action that cancels the shared run that sent it still causes work for every owner (O5, L2)`() {
    let harness = makeHarness()
    let dispatches = share(2, in: harness)
    harness.send("instead", by: "r1")
    #expect(harness.takeEvents() == [.reduced("instead"), .cancelled("r1"), .started("instead")])
    harness.end("r1")
    harness.end("instead")
    #expect(finished(harness.takeEvents()) == Set(dispatches))
    harness.expectEmpty()
  }

  @Test func `Actions between the parts of a shared sequence belong to every owner (O5, E6)`() {
    let harness = makeHarness()
    let dispatches = share(2, in: harness)
    harness.send("in turn", by: "r1")
    harness.end("r1")
    harness.end("before")
    harness.cancelDispatch(dispatches[0])
    #expect(finished(harness.takeEvents()) == [dispatches[0]])
    harness.end("after")
    #expect(finished(harness.takeEvents()) == [dispatches[1]])
    harness.expectEmpty()
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `A shared run whose actions join it again takes a slot for each, and still ends with its owners (O5, E2)`(
    order: [Int]
  ) {
    let harness = makeHarness()
    let dispatches = share(2, in: harness)
    harness.send("nothing", by: "r1")
    let before = harness.scheduler.workTree.count
    for number in 1...10 { harness.send("again \(number)", by: "r1") }
    #expect(harness.scheduler.workTree.count == before + 10)
    _ = harness.takeEvents()
    harness.cancelDispatch(dispatches[order[0]])
    #expect(harness.takeEvents() == [.finished(dispatches[order[0]])])
    harness.send("again at last", by: "r1")
    harness.cancelDispatch(dispatches[order[1]])
    #expect(cancelled(harness.takeEvents()) == ["r1"])
    harness.end("r1")
    harness.expectEmpty()
  }

  @Test func `Owners cancelled during the turn of a shared run's action refuse what it causes (O5, L2)`() {
    let harness = makeHarness()
    let dispatches = share(2, in: harness)
    let begins = harness.driven.scheduler.beginTurn(sentBy: harness.token(of: "r1"))
    #expect(begins)
    for dispatch in dispatches { harness.driven.after { $0.cancelDispatch(dispatch) } }
    harness.driven.reduced(harness.ledger.run("refused"))
    // Of no dispatch: completes the turn.
    harness.cancelDispatch(99)
    #expect(harness.takeDropped().contains("refused"))
    harness.end("r1")
    harness.expectEmpty()
  }

  @Test(arguments: [Cancellation.everything, .id("load"), .scope("s")])
  func `A cancel of the shared work itself reaches it for all owners (O5, E3)`(target: Cancellation) {
    let harness = makeHarness()
    let dispatches = share(2, in: harness)
    harness.effects = { [ledger = harness.ledger] _ in ledger.run("child", id: "child").scoped("s") { $0 } }
    harness.send("go", by: "r1")
    harness.perform { _ in .cancel(target) }
    for run in ["r1", "child"] { harness.end(run) }
    #expect(finished(harness.takeEvents()) == Set(dispatches))
    harness.expectEmpty()
  }

  @Test func `What a shared run has caused, however deep, can wait for the dispatch of none of its owners (O5, L2)`() {
    let harness = makeHarness()
    let dispatches = share(2, in: harness)
    harness.send("inner", by: "r1")
    let third = harness.perform { join($0, "third", id: "inner") }
    let other = harness.perform { $0.run("other") }
    harness.send("deep", by: "inner run")
    harness.end("r1")
    for dispatch in dispatches + [third] { #expect(harness.isRun("deep", partOf: dispatch)) }
    #expect(!harness.isRun("deep", partOf: other))
    #expect(!harness.isRun("other", partOf: third))
    harness.cancelDispatch(dispatches[0])
    #expect(!harness.isRun("deep", partOf: dispatches[0]))
    #expect(harness.isRun("deep", partOf: dispatches[1]))
    for run in harness.executing { harness.end(run) }
    harness.expectEmpty()
  }
}
