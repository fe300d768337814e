// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// One action whose effect is the next action, one million times: one turn of the store.
enum ChainRow {
  static let rows = [
    Row(
      name: "chain", title: "synchronous follow-up chain of integers, 1,000,000 long", rounds: 5,
      framework: Contestant("swift-effects") {
        let done = Signal()
        let store = Store(initialState: Tally(expected: length, done: done), reducer: Counting())
        return await timed(done) { store.send(.countDown(length - 1)) }
      },
      rivals: [
        Rival("bare", .atMost(1)) {
          let done = Signal()
          let store = Bare(Tally(expected: length, done: done), PlainCounting())
          return await timed(done) { store.send(.countDown(length - 1)) }
        },
        Rival("stream", .timesFaster(12)) {
          let done = Signal()
          let store = StreamStore(Tally(expected: length, done: done), PlainCounting())
          return await timed(done) { store.send(.countDown(length - 1)) }
        },
      ])
  ]

  private static let length = 1_000_000

  private static func timed(_ done: Signal, _ start: @escaping @Sendable () -> Void) async -> Double {
    await nanoseconds(per: length) {
      start()
      await done.wait()
    }
  }
}

private enum CountAction: Sendable {
  case countDown(Int)
  case stop
}

private struct Counting: Reducer {
  func reduce(into state: inout Tally, action: CountAction) -> Effect<CountAction> {
    switch action {
    case .countDown(let left):
      state.add(left)
      return left > 0 ? .send(.countDown(left - 1)) : .none
    case .stop:
      return .none
    }
  }
}

private struct PlainCounting: PlainReducer {
  func reduce(into state: inout Tally, action: CountAction) -> PlainEffect<CountAction> {
    switch action {
    case .countDown(let left):
      state.add(left)
      return left > 0 ? .send(.countDown(left - 1)) : .none
    case .stop:
      return .none
    }
  }
}
