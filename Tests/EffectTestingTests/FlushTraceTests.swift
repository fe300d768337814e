// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

@testable import EffectRuntime

/// What a trace shows of `flush`, of the `cancel` of work that has not started, and of work in a tree with the same id.
@Suite struct FlushTraceTests {
  private struct Feature: Reducer {
    func reduce(into state: inout Int, action: String) -> Effect<String> {
      let work = Effect<String>.run(id: "x", overlap: .enqueue, fileID: "App/Work.swift", line: 1) { send in
        try await send.sleep(for: .seconds(100))
      }
      return switch action {
      case "wait": work.delay(for: .seconds(1))
      case "flush": .flush(id: "x")
      case "cancel": .cancel(queued: "x")
      case "tree":
        .merge(work, .send("sent")).cancellable(id: "x", overlap: .enqueue, fileID: "App/Tree.swift", line: 2)
      default: .none
      }
    }
  }

  private func trace(_ actions: String...) -> (lines: [String], causes: [String: String]) {
    let store = TestStore(initialState: 0, reducer: Feature())
    store.exhaustivity = .off
    for action in actions { store.send(action) }
    defer { store.cancelInFlight() }
    let events = store.trace.filter { if case .status = $0.kind { false } else { true } }
    let text = Dictionary(uniqueKeysWithValues: events.map { ($0.number, "\($0.kind)") })
    var causes: [String: String] = [:]
    for event in events { if let cause = event.cause { causes["\(event.kind)"] = text[cause] } }
    return (events.map { "\($0.kind)" }, causes)
  }

  private func isCaused(_ line: String, by action: String, _ causes: [String: String]) -> Bool {
    causes[line]?.hasPrefix("reduced \"\(action)\"") == true
  }

  @Test func `A flush shows the start that it caused (E3, V1)`() {
    let (lines, causes) = trace("wait", "flush")
    #expect(lines.contains { $0.hasPrefix("run 1 waiting until 1.000 s") })
    #expect(isCaused("run 1 started", by: "flush", causes), "\(causes)")
  }

  @Test func `A flush shows the run that is queued because of it, and a cancel what it cancelled (E3, V1)`() {
    let (_, causes) = trace("wait", "wait", "flush", "cancel")
    let queued = #"run 2 queued: run("x", overlap: enqueue).delay(for: 1.0 seconds) at App/Work.swift:1"#
    #expect(isCaused(queued, by: "flush", causes), "\(causes)")
    #expect(isCaused("run 2 cancelled: byEffect", by: "cancel", causes), "\(causes)")
  }

  @Test func `A flush, or a cancel of what is queued, that matches nothing is an event (E3, V1)`() {
    let unmatched = [#"flush "x" matched nothing"#, #"cancel queued: "x" matched nothing"#]
    let never = trace("flush", "cancel").lines
    #expect(unmatched.allSatisfy(never.contains))
    // The first flush ends the wait, and the run is active from then on.
    let once = trace("wait", "flush", "flush", "cancel").lines
    #expect(once.filter(unmatched.contains) == unmatched)
    #expect(!trace("wait", "cancel").lines.contains(where: unmatched.contains))
  }

  @Test func `A run inside a tree of its id is shown as one by itself (E6, V1)`() {
    let (lines, causes) = trace("tree")
    #expect(lines.contains { $0.contains("App/Tree.swift:2") } && lines.contains { $0.contains("App/Work.swift:1") })
    #expect(isCaused("run 2 started", by: "tree", causes), "\(causes)")
  }
}
