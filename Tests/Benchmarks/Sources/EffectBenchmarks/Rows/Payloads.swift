// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The rows of `Sending` and `ChainRow` with an action of 18 cases, most of them with objects or strings.
///
/// In `-cases` all actions are of a case with an integer, so that only their type is expensive: these rows measure the
/// copy of a value that may hold references. In `-payload` the actions carry objects and strings, whose references are
/// counted by several threads. That takes longer than everything else, for each contestant.
enum Payloads {
  static let rows: [Row] = [
    sending(
      "one-producer-cases", "reduce one sent action (an integer in a type of 18 cases), 1 producer", producers: 1,
      PageAction.integers),
    sending("four-producers-cases", "the same, 4 producers", producers: 4, PageAction.integers),
    chain(
      "chain-cases", "synchronous follow-up chain of that action, 1,000,000 long", limit: Limit(most: 27, stretch: 20),
      bare: .shown
    ) { .countedDown(left: length - 1) },
    sending(
      "one-producer-payload", "reduce one sent action (18 cases, objects and strings), 1 producer", producers: 1,
      PageAction.oneOfEach),
    sending("four-producers-payload", "the same, 4 producers", producers: 4, PageAction.oneOfEach),
    chain(
      "chain-payload", "synchronous follow-up chain with an object and a string, 1,000,000 long", limit: nil,
      bare: .atMost(1)
    ) { .pages(left: length - 1) },
  ]

  private static let actions = 200_000
  private static let length = 1_000_000

  private static func sending(
    _ name: String, _ title: String, producers: Int, _ cases: @escaping @Sendable () -> [PageAction]
  ) -> Row {
    Row(
      name: name, title: title, rounds: 15,
      framework: Contestant("swift-effects") {
        let done = Signal()
        let store = Store(initialState: PageState(expected: actions, done: done), reducer: Paging())
        return await timed(producers: producers, cases, done) { store.send($0) }
      },
      rivals: [
        Rival("bare", .atMost(1)) {
          let done = Signal()
          let store = Bare(PageState(expected: actions, done: done), PlainPaging())
          return await timed(producers: producers, cases, done) { store.send($0) }
        },
        Rival("stream", .shown) {
          let done = Signal()
          let store = StreamStore(PageState(expected: actions, done: done), PlainPaging())
          return await timed(producers: producers, cases, done) { store.send($0) }
        },
      ])
  }

  /// The goal of `chain-cases` is a time. A plain actor takes longer than that for each action of `chain-payload`.
  private static func chain(
    _ name: String, _ title: String, limit: Limit?, bare: Goal, _ first: @escaping @Sendable () -> PageAction
  ) -> Row {
    Row(
      name: name, title: title, rounds: 5, limit: limit,
      framework: Contestant("swift-effects") {
        let done = Signal()
        let store = Store(initialState: PageState(expected: length, done: done), reducer: Paging())
        return await timed(done) { store.send(first()) }
      },
      rivals: [
        Rival("bare", bare) {
          let done = Signal()
          let store = Bare(PageState(expected: length, done: done), PlainPaging())
          return await timed(done) { store.send(first()) }
        },
        Rival("stream", .shown) {
          let done = Signal()
          let store = StreamStore(PageState(expected: length, done: done), PlainPaging())
          return await timed(done) { store.send(first()) }
        },
        Rival("plain actor", .shown) {
          let done = Signal()
          let store = PlainActor(PageState(expected: length, done: done), PlainPaging())
          return await timed(done) { await store.send(first()) }
        },
      ])
  }

  /// From the first send to the last reduction. Each producer sends actions of its own.
  @inline(__always)
  private static func timed(
    producers: Int, _ cases: @escaping @Sendable () -> [PageAction], _ done: Signal,
    _ send: @escaping @Sendable (PageAction) -> Void
  ) async -> Double {
    await nanoseconds(per: actions) {
      onThreads(producers) {
        let cases = cases()
        var next = 0
        for number in 0..<actions / producers {
          // Never true, which the optimiser cannot deduce; see `opaqueWork`.
          if opaqueWork(number) > 255 { return }
          send(cases[next])
          next = next + 1 < cases.count ? next + 1 : 0
        }
      }
      await done.wait()
    }
  }

  private static func timed(_ done: Signal, _ start: @Sendable () async -> Void) async -> Double {
    await nanoseconds(per: length) {
      await start()
      await done.wait()
    }
  }
}

private struct Paging: Reducer {
  func reduce(into state: inout PageState, action: PageAction) -> Effect<PageAction> {
    switch action {
    case .countedDown(let left) where left > 0:
      state.count(left)
      return .send(.countedDown(left: left - 1))
    case .nextPageLoaded(let page, let title, let left) where left > 0:
      state.count(page.number)
      return .send(.nextPageLoaded(page, title: title, left: left - 1))
    default:
      state.apply(action)
      return .none
    }
  }
}

private struct PlainPaging: PlainReducer {
  func reduce(into state: inout PageState, action: PageAction) -> PlainEffect<PageAction> {
    switch action {
    case .countedDown(let left) where left > 0:
      state.count(left)
      return .send(.countedDown(left: left - 1))
    case .nextPageLoaded(let page, let title, let left) where left > 0:
      state.count(page.number)
      return .send(.nextPageLoaded(page, title: title, left: left - 1))
    default:
      state.apply(action)
      return .none
    }
  }
}
