// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// What a real store reports to its listeners.
@Suite struct StoreTraceTests {
  enum Action: Equatable, Sendable { case type(String), found(String), failed, cancel, follow(Int) }

  struct Oops: Error {}

  /// Queries a server that answers when its gate is opened.
  fileprivate struct Search: Reducer {
    var overlap = Overlap.restart
    var gate = Gates()
    var fails = false

    func reduce(into state: inout [String], action: Action) -> Effect<Action> {
      switch action {
      case .type(let query):
        return .run(id: "search", overlap: overlap, input: query, fileID: "App/Search.swift", line: 7) {
          [gate, fails] query, send in
          await gate.wait(for: query)
          if fails { throw Oops() }
          send(.found(query))
        }
      case .found(let result):
        state.append(result)
        return .none
      case .failed: return .none
      case .cancel: return .cancel(id: "search")
      case .follow(let count): return count > 0 ? .send(.follow(count - 1)) : .none
      }
    }
  }

  /// The events without their numbers and times, and without statuses, which depend on where a slice ends.
  private func story(_ events: [TraceEvent<Action>]) -> [String] {
    events.filter { if case .status = $0.kind { false } else { true } }.map { "\($0.kind)" }
  }

  private func send(_ action: Action, to store: Store<Search>) -> StoreTask {
    store.send(action, fileID: "App/View.swift", line: 3)
  }

  @Test func `An action, its run and what the run sends are reported from first to last (V1, E1)`() async {
    let gate = Gates()
    let store = Store(initialState: [], reducer: Search(gate: gate))
    let log = store.trace.log()
    let dispatch = send(.type("s"), to: store)
    gate.open("s")
    await dispatch.finish()
    #expect(
      story(log.events) == [
        #"accepted .type("s") sent at App/View.swift:3"#,
        #"reduced .type("s") sent at App/View.swift:3"#,
        #"run 1 registered: run("search", input: "s", overlap: restart) at App/Search.swift:7"#,
        "run 1 started",
        #"accepted .found("s") from run 1"#,
        #"reduced .found("s") from run 1"#,
        "run 1 finished",
      ])
  }

  @Test func `An end is reported before its waiters go on (E8)`() async {
    let gate = Gates()
    let told = Recorder<String>()
    let store = Store(
      initialState: [], reducer: Search(gate: gate, fails: true), onFailure: { _ in told.record("onFailure") })
    store.trace.listen { event in
      if case .run(_, .ended) = event.kind { told.record("\(event.kind)") }
    }
    gate.open("s")
    await send(.type("s"), to: store).finish()
    #expect(told.events == ["run 1 failed: Oops()", "onFailure"])
  }

  @Test func `A replaced run, and what it sends too late, is reported with the cause (E1, O1)`() async {
    let gate = Gates()
    let store = Store(initialState: [], reducer: Search(gate: gate))
    let log = store.trace.log()
    let told = Recorder<String>()
    store.trace.listen { told.record("\($0.kind)") }
    _ = send(.type("s"), to: store)
    // Otherwise its closure would never be called.
    await gate.arrival(of: "s")
    let last = send(.type("sw"), to: store)
    _ = await store.state
    gate.open("s")
    await told.wait(for: "run 1 returned")
    gate.open("sw")
    await last.finish()
    let events = log.events.filter { if case .status = $0.kind { false } else { true } }
    let lines = story(events)
    #expect(lines.contains("run 1 cancelled: replaced"))
    #expect(lines.contains(#"dropped .found("s") from run 1"#))
    #expect(lines.last == "run 2 finished")
    // The new query's action is what cancelled the old run, and what registered the new one.
    let replacement = events.first { "\($0.kind)".hasPrefix(#"reduced .type("sw")"#) }
    for line in ["run 1 cancelled: replaced", "run 2 registered"] {
      #expect(events.first { "\($0.kind)".hasPrefix(line) }?.cause == replacement?.number)
    }
    // The dropped action had been accepted from the run, whose registration is its cause.
    let dropped = events.first { "\($0.kind)".hasPrefix("dropped") }
    let accepted = events.first { $0.number == dropped?.cause }
    #expect(accepted.map { "\($0.kind)" } == #"accepted .found("s") from run 1"#)
    #expect(events.first { $0.number == accepted?.cause }.map { "\($0.kind)".hasPrefix("run 1 registered") } == true)
  }

  @Test(arguments: [
    (Overlap.drop, ["run 2 dropped"]),
    (.enqueue, ["run 2 queued", "run 2 started", "run 2 finished"]),
    (.join, ["run 2 joined run 1"]),
  ])
  func `What happens to a second run of an id is reported (O1)`(overlap: Overlap, expected: [String]) async {
    let gate = Gates()
    // With `.join` the inputs must be equal.
    let store = Store(initialState: [], reducer: Search(overlap: overlap, gate: gate))
    let log = store.trace.log()
    let dispatches = [send(.type("s"), to: store), send(.type("s"), to: store)]
    _ = await store.state
    gate.open("s")
    for dispatch in dispatches { await dispatch.finish() }
    let ofSecond = story(log.events).filter { $0.hasPrefix("run 2") }
    #expect(ofSecond.count == expected.count)
    for (line, beginning) in zip(ofSecond, expected) { #expect(line.hasPrefix(beginning)) }
  }

  @Test func `An error without a catch is reported, and the reason of every cancel (E5)`() async {
    let gate = Gates()
    let store = Store(initialState: [], reducer: Search(gate: gate, fails: true), onFailure: { _ in })
    let log = store.trace.log()
    let failing = send(.type("s"), to: store)
    gate.open("s")
    await failing.finish()
    _ = send(.type("a"), to: store)
    await send(.cancel, to: store).finish()
    let third = send(.type("b"), to: store)
    _ = await store.state
    third.cancel()
    await third.finish()
    _ = send(.type("c"), to: store)
    gate.open("a")
    gate.open("b")
    // The fourth run waits until it is cancelled.
    let listening = store.trace.listen { event in
      if "\(event.kind)" == "run 4 cancelled: shutdown" { gate.open("c") }
    }
    await store.shutdown(.cancelling)
    listening.cancel()
    let lines = story(log.events)
    #expect(lines.contains("run 1 failed: Oops()"))
    #expect(lines.contains("run 2 cancelled: byEffect"))
    #expect(lines.contains("run 3 cancelled: byDispatch"))
    #expect(lines.contains("sent action 4 cancelled"))
    #expect(lines.contains("run 4 cancelled: shutdown"))
    #expect(lines.contains("shutdown: cancelling"))
    #expect(lines.last == "shutdown: ended")
  }

  @Test func `Follow-ups are reported as one turn, which the action from outside opened (T3)`() async {
    let store = Store(initialState: [], reducer: Search())
    let log = store.trace.log()
    await send(.follow(2), to: store).finish()
    let events = log.events
    #expect(
      story(events) == [
        "accepted .follow(2) sent at App/View.swift:3", "reduced .follow(2) sent at App/View.swift:3",
        "reduced .follow(1) as a follow-up", "reduced .follow(0) as a follow-up",
      ])
    #expect(events.map(\.cause) == [nil, 1, 2, 2])
    #expect(events.map(\.number) == [1, 2, 3, 4])
  }

  @Test func `A turn that grows too long is reported (T5), and a refused action (L4)`() async {
    let store = Store(
      initialState: [], reducer: Search(), followUpLimit: 2, drainBudget: 256)
    let log = store.trace.log()
    await send(.follow(2), to: store).finish()
    await store.shutdown(.draining)
    #expect(send(.cancel, to: store).isRefused)
    #expect(
      story(log.events).filter { $0.hasPrefix("turn") || $0.hasPrefix("shutdown") } == [
        "turn suspended after 2 actions", "shutdown: draining", "shutdown: ended",
      ])
  }

  @Test func `An action that comes while the store is ending is reported as refused (L4)`() async {
    let gate = Gates()
    let store = Store(initialState: [], reducer: Search(gate: gate))
    let log = store.trace.log()
    let told = Recorder<String>()
    store.trace.listen { told.record("\($0.kind)") }
    _ = send(.type("s"), to: store)
    _ = await store.state
    async let end = store.shutdown(.draining)
    await told.wait(for: "shutdown: draining")
    #expect(send(.cancel, to: store).isRefused)
    await told.wait(for: "refused .cancel at App/View.swift:3")
    gate.open("s")
    _ = await end
    #expect(story(log.events).last == "shutdown: ended")
  }

  @Test func `Statuses are reported when they have changed (S2)`() async {
    let gate = Gates()
    let store = Store(initialState: [], reducer: Search(gate: gate))
    let told = Recorder<String>()
    store.trace.listen { told.record("\($0.kind)") }
    let dispatch = send(.type("s"), to: store)
    await told.wait(for: #"status "search": 1 running, input: "s""#)
    gate.open("s")
    await dispatch.finish()
    await told.wait(for: #"status "search": idle"#)
  }
}

/// Gates by name, each opened once.
private final class Gates: Sendable {
  private let gates = Lock<[String: Gate]>([:])

  private func gate(_ name: String) -> Gate {
    gates.withLock { gates in
      if let gate = gates[name] { return gate }
      let gate = Gate()
      gates[name] = gate
      return gate
    }
  }

  func wait(for name: String) async {
    gate("arrival of \(name)").open()
    await gate(name).pass()
  }

  func arrival(of name: String) async { await gate("arrival of \(name)").pass() }
  func open(_ name: String) { gate(name).open() }
}
