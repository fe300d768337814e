// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

/// A trace reports each written cancel that matches nothing, and no other (rule V1).
@Suite struct `Cancels that match nothing, in a trace` {
  private enum Action: Sendable { case start, cancel(Cancellation), change(Int) }

  /// The events of unmatched cancels that these actions cause.
  private func unmatched(_ actions: [Action], _ reducer: sending some Reducer<Int, Action>) async -> [String] {
    let store = Store(initialState: 0, reducer: reducer)
    let log = store.trace.log(newest: 1_000)
    for action in actions { store.send(action) }
    await store.shutdown(.cancelling)
    var lines: [String] = []
    for event in log.events {
      guard case .unmatched = event.kind else { continue }
      // It follows from the action whose effect it is.
      let cause = log.events.first { $0.number == event.cause }
      guard case .reduced? = cause?.kind else {
        Issue.record("\(event) has no cause")
        continue
      }
      lines.append("\(event.kind)")
    }
    return lines
  }

  private var waiting: Effect<Action> {
    .run(id: "search", overlap: .restart) { send in try await send.sleep(for: .seconds(1_000)) }
  }

  private var feature: Reduce<Int, Action> {
    Reduce { [waiting] state, action in
      switch action {
      case .start: return waiting
      case .cancel(let target): return .cancel(target)
      case .change(let value):
        state = value
        return .none
      }
    }
  }

  @Test func `By id and by ids they are events, with the action as the cause (V1)`() async {
    let lines = await unmatched(
      [
        .cancel(.id("search")), .start, .cancel(.id("serach")), .cancel(.ids(["b", "a"])),
        .cancel(.ids(["a", "search"])),
        .cancel(.id("search")),
      ], feature)
    #expect(
      lines == [
        #"cancel "search" matched nothing"#, #"cancel "serach" matched nothing; did you mean "search"?"#,
        #"cancel "a", "b" matched nothing"#,
        #"cancel "search" matched nothing"#,
      ])
  }

  @Test func `Cancels by scope, type, everything and no id are not reported (V1)`() async {
    let lines = await unmatched(
      [
        .cancel(.scope("rows")), .cancel(.all(of: Int.self)), .cancel(.everything), .cancel(.ids([])),
      ], feature)
    #expect(lines.isEmpty)
  }

  @Test func `A cancel that composition adds is not reported (V1, M4)`() async {
    let lines = await unmatched([.change(1), .change(2)], feature.cancelling("search", whenChanged: \.self))
    #expect(lines.isEmpty)
  }

  @Test func `A queued run, one that waits for its time and an open window are matched (V1, E3, C2)`() async {
    let reducer = Reduce<Int, Action> { _, action in
      guard case .cancel(let target) = action else {
        return .merge(
          .run(id: "line", overlap: .enqueue) { send in try await send.sleep(for: .seconds(1_000)) },
          .run(id: "late", overlap: .concurrent) { _ in }.delay(for: .seconds(1_000)),
          .run(id: "window", overlap: .concurrent) { _ in }.throttle(for: .seconds(1_000)))
      }
      return .cancel(target)
    }
    let lines = await unmatched(
      [.start, .start, .cancel(.id("line")), .cancel(.id("late")), .cancel(.id("window")), .cancel(.id("late"))],
      reducer)
    #expect(lines == [#"cancel "late" matched nothing"#])
  }

  @Test func `Ids are reported with the scopes around them (V1, M1)`() async {
    let reducer = Reduce<Int, Action> { _, _ in Effect<Action>.cancel(id: "load").scoped("rows") { $0 } }
    #expect(await unmatched([.start], reducer) == [#"cancel "rows"/"load" matched nothing"#])
  }

  @Test func `Nothing is noted without a listener (V1, V2)`() async {
    let store = Store(initialState: 0, reducer: feature)
    store.send(.cancel(.id("serach")))
    await store.send(.change(1)).finish()
    let log = store.trace.log(newest: 10)
    store.send(.cancel(.id("other")))
    await store.shutdown(.cancelling)
    let kinds: [UnmatchedCancel] = log.events.compactMap {
      if case .unmatched(let effect) = $0.kind { effect } else { nil }
    }
    #expect(kinds.map(\.ids) == [["other"]])
  }

  @Test func `A shutdown that cancels ids is not reported (V1, L4)`() async {
    let store = Store(initialState: 0, reducer: feature)
    let log = store.trace.log(newest: 100)
    await store.shutdown(.draining(cancelling: ["nothing"]))
    #expect(!log.events.contains { if case .unmatched = $0.kind { true } else { false } })
  }
}
