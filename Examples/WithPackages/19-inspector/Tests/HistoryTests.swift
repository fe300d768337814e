// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import InspectorCore

@Suite struct `The history of a store` {
  private static func recorded(
    _ actions: Int, capacity: Int, distance: Int
  ) async -> (store: Store<Counter>, recorder: Recorder<Counter.State, Counter.Action>) {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let recorder = await store.recordHistory(capacity: capacity, distance: distance)
    for value in 0..<actions { store.send(.add(value + 1)) }
    _ = await store.state
    return (store, recorder)
  }

  private static func state(at position: Int, in history: History<Counter.State, Counter.Action>) -> Counter.State? {
    history.states(at: position) { _ = Counter().reduce(into: &$0, action: $1) }?.after
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `Every position that is kept has the state that the store had there`(distance: Int) async throws {
    let (_, recorder) = await Self.recorded(50, capacity: 1_000, distance: distance)
    let history = recorder.history
    #expect(history.count == 50 && history.oldest == 0)
    for position in 0...50 {
      #expect(Self.state(at: position, in: history)?.sum == position * (position + 1) / 2)
      #expect(Self.state(at: position, in: history)?.last == position)
    }
    #expect(Self.state(at: 51, in: history) == nil && Self.state(at: -1, in: history) == nil)
  }

  @Test(arguments: [(10, 1), (10, 3), (10, 10), (10, 25), (1, 1)])
  func `Older actions are folded into a checkpoint, and the newest are all kept`(capacity: Int, distance: Int) async {
    let (_, recorder) = await Self.recorded(100, capacity: capacity, distance: distance)
    let history = recorder.history
    #expect(history.count == 100)
    #expect(history.kept >= capacity && history.kept < capacity + 2 * distance)
    #expect(history.oldest % distance == 0)
    for position in history.oldest...100 {
      #expect(Self.state(at: position, in: history)?.sum == position * (position + 1) / 2)
      #expect((history.entry(at: position) == nil) == (position == history.oldest))
    }
    #expect(Self.state(at: history.oldest - 1, in: history) == nil)
  }

  @Test func `A store that is attached late begins with its state of that time`() async {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    for _ in 0..<10 { store.send(.add(1)) }
    let recorder = await store.recordHistory()
    store.send(.add(5))
    _ = await store.state
    #expect(recorder.history.count == 1)
    #expect(Self.state(at: 0, in: recorder.history)?.sum == 10)
    #expect(Self.state(at: 1, in: recorder.history)?.sum == 15)
  }

  @Test func `Every action has a position: of followups and runs too`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let recorder = await store.recordHistory(distance: 2)
    store.send(.chain(3))
    await store.send(.load(7)).finish()
    let rows = try (1...6).map { try #require(recorder.history.described(at: $0)).row }
    #expect(rows.map(\.action) == ["chain(3)", "chain(2)", "chain(1)", "chain(0)", "load(7)", "loaded(7)"])
    #expect(rows.map(\.kind) == ["user", "followUp", "followUp", "followUp", "user", "run"])
    #expect(rows[4].notes.first?.hasPrefix("run 1 registered: run(\"load\"") == true)
    #expect(rows[5].notes == ["run 1 finished"])
    #expect(recorder.present.active.all.isEmpty)
  }

  @Test func `An action is written as its event is`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let log = store.trace.log()
    let recorder = await store.recordHistory()
    store.send(.chain(1))
    await store.send(.load(7)).finish()
    let written = log.events.filter { if case .reduced = $0.kind { true } else { false } }.map(\.json)
    #expect(written.count == 4)
    #expect((1...4).map { recorder.history.entry(at: $0)?.json } == written)
    #expect(JSONString.of("a\"\\\n\u{1}é") == #""a\"\\\n\u0001é""#)
  }

  @Test func `The work of an hour takes no more memory than that of its last minutes`() async {
    let clock = TestClock()
    let store = Store(initialState: Counter.State(), reducer: Counter(load: { $0 }), clock: clock)
    let recorder = await store.recordHistory(capacity: 10_000, distance: 100)
    var most = (kept: 0, checkpoints: 0, others: 0)
    for second in 1...3_600 {
      for value in 0..<30 { store.send(.add(value)) }
      await store.send(.load(second)).finish()
      clock.advance(by: .seconds(1))
      if second % 60 == 0 {
        let history = recorder.history
        most = (
          max(most.kept, history.kept), max(most.checkpoints, history.checkpoints), max(most.others, history.keptOthers)
        )
      }
    }
    #expect(clock.now.offset == .seconds(3_600))
    #expect(recorder.history.count == 3_600 * 32)
    #expect((10_000..<10_100).contains(most.kept), "\(most)")
    #expect(most.checkpoints <= 102 && most.others <= most.kept, "\(most)")
    #expect(recorder.history.described(at: recorder.history.count)?.row.time ?? 0 > 3_590_000)
  }

  @Test func `An action that causes more events than are kept does not grow the history without limit`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let log = store.trace.log()
    await store.send(.load(1)).finish()
    let event = try #require(log.events.first)
    var history = History<Counter.State, Counter.Action>(state: Counter.State(), distance: 2)
    for _ in 0..<100 { history.append(other: event) }
    #expect(history.keptOthers == 32 && history.chunks[0].leftOut == 68)
  }
}
