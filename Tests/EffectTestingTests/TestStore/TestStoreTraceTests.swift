// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// The events that a test store keeps: the same that a store reports, with the times of the test.
@Suite struct TestStoreTraceTests {
  private enum Action: Equatable, Sendable { case type(String), found(String), cancel, twice }

  private struct Search: Reducer {
    func reduce(into state: inout [String], action: Action) -> Effect<Action> {
      switch action {
      case .type(let query):
        return .run(id: "search", overlap: .restart, input: query, fileID: "App/Search.swift", line: 7) { query, send in
          try await send.sleep(for: .milliseconds(300))
          send(.found(query))
        }
      case .found(let result):
        state.append(result)
        return .none
      case .cancel: return .cancel(id: "search")
      case .twice: return .merge(.send(.cancel), .send(.cancel))
      }
    }
  }

  private func story(_ events: [TraceEvent<Action>]) -> [String] { events.map { "\($0)" } }

  @Test func `A restart is recorded with times, causes and the lines of the test (E1)`() async {
    let store = TestStore(initialState: [], reducer: Search())
    store.send(.type("s"), fileID: "App/Tests.swift", line: 3)
    store.advance(by: .milliseconds(100))
    store.send(.type("sw"), fileID: "App/Tests.swift", line: 5)
    store.advance(by: .milliseconds(300))
    await store.receive(.found("sw")) { $0 = ["sw"] }
    await store.finish()
    #expect(
      story(store.trace) == [
        #"1  0.000 s  accepted .type("s") sent at App/Tests.swift:3"#,
        #"2  0.000 s  reduced .type("s") sent at App/Tests.swift:3  (after 1)"#,
        #"3  0.000 s  run 1 registered: run("search", input: "s", overlap: restart) at App/Search.swift:7  (after 2)"#,
        "4  0.000 s  run 1 started  (after 2)",
        "5  0.000 s  run 1 sleeps until 0.300 s  (after 3)",
        #"6  0.100 s  accepted .type("sw") sent at App/Tests.swift:5"#,
        #"7  0.100 s  reduced .type("sw") sent at App/Tests.swift:5  (after 6)"#,
        "8  0.100 s  run 1 cancelled: replaced  (after 7)",
        #"9  0.100 s  run 2 registered: run("search", input: "sw", overlap: restart) at App/Search.swift:7  (after 7)"#,
        "10  0.100 s  run 2 started  (after 7)",
        "11  0.100 s  run 1 returned  (after 3)",
        "12  0.100 s  run 2 sleeps until 0.400 s  (after 9)",
        #"13  0.400 s  accepted .found("sw") from run 2  (after 9)"#,
        #"14  0.400 s  reduced .found("sw") from run 2  (after 13)"#,
        "15  0.400 s  run 2 finished  (after 9)",
      ])
  }

  @Test func `An effect that starts because a dispatch was cancelled has the cancel as its cause (O1)`() async {
    enum Step: Equatable, Sendable { case hold, open, opened }
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Step> { _, action in
        switch action {
        case .hold: .run(id: "x", overlap: .enqueue) { send in try await send.sleep(for: .seconds(9)) }
        case .open: .send(.opened).cancellable(id: "x", overlap: .enqueue)
        case .opened: .none
        }
      })
    let held = store.send(.hold)
    store.send(.open)
    held.cancel()
    await store.receive(.opened)
    await store.finish()
    let cancel = store.trace.first { if case .dispatchCancelled = $0.kind { true } else { false } }
    let opened = store.trace.first { if case .reduced(.opened, .followUp) = $0.kind { true } else { false } }
    #expect(cancel != nil)
    #expect(opened?.cause == cancel?.number)
  }

  @Test func `Follow-ups and cancels are recorded with their turn (T3)`() async {
    let store = TestStore(initialState: [], reducer: Search())
    let sent = store.send(.type("s"), fileID: "App/Tests.swift", line: 3)
    sent.cancel()
    store.send(.twice, fileID: "App/Tests.swift", line: 5)
    await store.receive(.cancel)
    await store.receive(.cancel)
    await store.finish()
    let lines = store.trace.drop { $0.number < 6 }.map { "\($0.kind)  (after \($0.cause.map(String.init) ?? "-"))" }
    #expect(
      lines == [
        "sent action 1 cancelled  (after -)",
        "run 1 cancelled: byDispatch  (after 6)",
        "run 1 returned  (after 3)",
        "accepted .twice sent at App/Tests.swift:5  (after -)",
        "reduced .twice sent at App/Tests.swift:5  (after 9)",
        "reduced .cancel as a follow-up  (after 10)",
        "cancel \"search\" matched nothing  (after 11)",
        "reduced .cancel as a follow-up  (after 10)",
        "cancel \"search\" matched nothing  (after 13)",
      ])
  }

  @Test func `Only the newest thousand events are kept, and the text says so`() async {
    let store = TestStore(initialState: [], reducer: Search())
    for _ in 0..<600 { store.send(.cancel) }
    #expect(store.trace.count == 1_001)
    #expect(store.trace.first.map { "\($0.kind)" } == "800 events lost")
    await store.finish()
  }
}
