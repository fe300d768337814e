// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// What `printChanges` prints, without a store: from events and states that are written by hand.
@Suite struct `The printer of changes` {
  private struct State {
    var query = ""
    var results: [String] = []
    var ticks = 0
  }

  private func reduce(_ state: inout State, _ action: TraceScript.Action) {
    switch action {
    case .typed(let query): state.query = query
    case .found(let result): state.results.append(result)
    case .tick: state.ticks += 1
    case .failed: break
    case .cleared: state = State()
    }
  }

  /// Plays events to a printer, with the state that a store would have after each.
  private func printed(
    _ filter: ChangePrinter<TraceScript.Action>.Filter = .init(), of part: (State) -> Any = { $0 },
    _ write: (inout TraceScript) -> Void
  ) -> String {
    var script = TraceScript()
    write(&script)
    var printer = ChangePrinter<TraceScript.Action>(filter)
    var state = State()
    return script.events.compactMap { event in
      if case .reduced(let action, _) = event.kind { reduce(&state, action) }
      return printer.text(of: event) { part(state) }
    }.joined(separator: "\n")
  }

  @Test func `An action is printed with its cause, its change and the runs that it starts and replaces`() {
    let text = printed { script in
      script.send(.typed("sw"))
      let first = script.start("search", input: "sw", .restart)
      script.at(100)
      script.send(.typed("swift"), line: 13)
      script.end(first, .cancelled(.replaced))
      let second = script.start("search", input: "swift", .restart)
      script.run(first, .returned)
      script.at(400)
      script.deliver(.found("SWIFT"), from: second)
      script.note(.run(second, .ended(.finished)), after: 3)
    }
    #expect(
      text == """
        0.000 s  .typed("sw") sent at App/View.swift:12
          query:
            - ""
            + "sw"
          run 1 starts: run("search", input: "sw", overlap: restart) at App/Search.swift:14
        0.100 s  .typed("swift") sent at App/View.swift:13
          query:
            - "sw"
            + "swift"
          run 1 ("search") cancelled: replaced
          run 2 starts: run("search", input: "swift", overlap: restart) at App/Search.swift:14
        0.400 s  .found("SWIFT") from run 2 ("search")
          results[0]:
            + "SWIFT"
        0.400 s  run 2 ("search") finished
        """)
  }

  @Test func `Runs that wait, share, fail or are dropped are printed, and start when they start`() {
    let text = printed { script in
      script.send(.tick)
      let queued = script.make("save", .enqueue)
      script.run(queued, .registered(.queued))
      let waiting = script.make("search")
      script.run(waiting, .registered(.waiting(until: .milliseconds(300))))
      let joined = script.make("load", .join)
      script.run(joined, .joined(queued))
      let dropped = script.make("load", .drop)
      script.end(dropped, .dropped)
      let tree = script.make("tree", isTree: true)
      script.run(tree, .registered(.starting))
      script.at(300)
      script.note(.run(waiting, .started(attempt: 1)), after: 5)
      script.note(.run(queued, .registered(.starting)), after: 6)
      script.note(.run(queued, .started(attempt: 1)), after: 6)
      script.note(.run(queued, .attemptFailed(Offline(), .retry(at: .seconds(1)))), after: 6)
      script.at(1_000)
      script.note(.run(queued, .started(attempt: 2)), after: 6)
      script.note(.run(queued, .sleeping(until: .seconds(2))), after: 6)
      script.note(.run(queued, .ended(.failed(Offline()))), after: 6)
    }
    #expect(
      text == """
        0.000 s  .tick sent at App/View.swift:12
          ticks:
            - 0
            + 1
          run 1 queued: run("save", overlap: enqueue) at App/Search.swift:14
          run 2 waiting until 0.300 s: run("search") at App/Search.swift:14
          run 3 joined run 1: run("load", overlap: join) at App/Search.swift:14
          run 4 dropped: run("load", overlap: drop) at App/Search.swift:14
          tree 5 starts: run("tree") at App/Search.swift:14
        0.300 s  run 2 ("search") starts
        0.300 s  run 1 ("save") starts
        0.300 s  run 1 ("save") failed: Offline(); again at 1.000 s
        1.000 s  run 1 ("save") starts attempt 2
        1.000 s  run 1 ("save") failed: Offline()
        """)
  }

  private struct Offline: Error {}

  @Test func `Actions that are not reduced are printed, and so are a shutdown and lost events`() {
    let text = printed { script in
      let run = script.make("search")
      script.drop(.found("a"), from: run)
      script.note(.refused(.tick, CallSite(fileID: "App/View.swift", line: 9)))
      script.note(.status("search", EffectStatus()))
      script.note(.budgetExceeded(steps: 300))
      script.note(.shutdown(.draining))
      script.note(.lost(3))
    }
    #expect(
      text == """
        0.000 s  dropped .found("a") from run 1 ("search")
        0.000 s  refused .tick at App/View.swift:9
        0.000 s  shutdown: draining
        0.000 s  3 events lost
        """)
  }

  @Test func `What is printed in between separates a run from its action`() {
    let text = printed { script in
      script.send(.tick)
      let other = script.make("other")
      script.note(.run(other, .ended(.finished)), after: 99)
      let run = script.make(nil)
      script.note(.run(run, .registered(.starting)), after: 2)
    }
    #expect(
      text.split(separator: "\n").suffix(2) == [
        #"0.000 s  run 1 ("other") finished"#, "0.000 s  run 2 starts: run() at App/Search.swift:14",
      ])
  }

  @Test func `The change of an action whose turn was open before is not made up`() {
    var script = TraceScript()
    script.note(.reduced(.tick, .followUp))
    script.send(.tick)
    var printer = ChangePrinter<TraceScript.Action>()
    var count = 5
    let texts = script.events.compactMap { event in
      if case .reduced = event.kind { count += 1 }
      return printer.text(of: event) { count }
    }
    #expect(
      texts == [
        """
        0.000 s  .tick as a follow-up
          (its change is not known, because printing began in the middle of its turn)
        """,
        """
        0.000 s  .tick sent at App/View.swift:12
          - 6
          + 7
        """,
      ])
  }

  // MARK: - Filters

  private func session(_ script: inout TraceScript) {
    script.send(.typed("s"))
    let search = script.start("search", .restart)
    script.send(.tick)
    let timer = script.start("timer")
    script.deliver(.tick, from: timer)
    script.deliver(.found("S"), from: search)
    script.note(.run(search, .ended(.finished)), after: 3)
    let next = script.make("log")
    script.note(.run(next, .registered(.starting)), after: UInt64(script.events.count))
    script.note(.run(timer, .ended(.cancelled(.byEffect))), after: 6)
  }

  private func heads(_ text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("    ") && !$0.hasSuffix(":") }.map(String.init)
  }

  @Test func `A filter of actions leaves out other actions, and the runs that they request`() {
    let filter = ChangePrinter<TraceScript.Action>.Filter(isShown: { if case .tick = $0 { false } else { true } })
    #expect(
      heads(printed(filter, session)) == [
        #"0.000 s  .typed("s") sent at App/View.swift:12"#,
        #"  run 1 starts: run("search", overlap: restart) at App/Search.swift:14"#,
        #"0.000 s  .found("S") from run 1 ("search")"#,
        #"0.000 s  run 1 ("search") finished"#,
        // What the end of a shown run starts is shown.
        #"0.000 s  run 3 starts: run("log") at App/Search.swift:14"#,
      ])
  }

  @Test func `A filter of ids leaves out other runs, and actions that these do not send`() {
    #expect(
      heads(printed(.init(ids: ["search"]), session)) == [
        #"0.000 s  run 1 starts: run("search", overlap: restart) at App/Search.swift:14"#,
        #"0.000 s  .found("S") from run 1 ("search")"#,
        #"0.000 s  run 1 ("search") finished"#,
      ])
  }

  @Test func `A part of the state leaves out actions that do not change it`() {
    let text = printed(.init(onlyChanges: true), of: { $0.results }, session)
    #expect(
      text == """
        0.000 s  .found("S") from run 1 ("search")
          [0]:
            + "S"
        """)
  }
}
