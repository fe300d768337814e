// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// Counts in several ways: at once, by runs that wait for delivery, by streams, and by a timer.
private struct Counter: Reducer {
  enum Action: Sendable { case set(Int), twice(Int), count(to: Int), stream, tick, ticks, nothing }

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .set(let number): state = number
    case .twice(let number): return .merge(.send(.set(number)), .send(.set(number + 1)))
    case .count(let last):
      return .run(id: "count", overlap: .concurrent) { send in
        for number in 1...last { guard await send.delivered(.set(number)) else { return } }
      }
    case .stream:
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      for number in 1...5 { continuation.yield(number) }
      continuation.finish()
      return .stream(id: "stream", overlap: .concurrent, sequence: { stream }) { _ in .tick }
    case .tick: state += 1
    case .ticks: return .timer(id: "ticks", overlap: .restart, every: .milliseconds(10)) { _ in .tick }
    case .nothing: break
    }
    return .none
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Every change of a state` {
  private func makeStore() -> Store<Counter> { Store(initialState: 0, reducer: Counter()) }

  @Test func `Every turn's value is shown, in order, also for senders that do not wait (M6)`() async {
    let store = makeStore()
    var every = store.values(\.self, buffering: .unbounded).makeAsyncIterator()
    #expect(await every.next(isolation: #isolation) == 0)
    for number in 1...1_000 {
      store.send(.set(number))
      store.send(.nothing)
    }
    for number in 1...1_000 { #expect(await every.next(isolation: #isolation) == number) }
    // A turn has one value, however many actions it consists of.
    store.send(.twice(5_000))
    store.send(.set(1))
    #expect(await every.next(isolation: #isolation) == 5_001)
    #expect(await every.next(isolation: #isolation) == 1)
    store.send(.set(2))
    await store.shutdown(.cancelling)
    #expect(await every.next(isolation: #isolation) == 2)
    #expect(await every.next(isolation: #isolation) == nil)
  }

  @Test(arguments: [false, true])
  func `A reader that does not read holds no sender back, and sees every value later (M6)`(isTraced: Bool) async {
    let store = makeStore()
    let log = isTraced ? store.trace.log() : nil
    defer { withExtendedLifetime(log) {} }
    var every = store.values(\.self, buffering: .unbounded).makeAsyncIterator()
    #expect(await every.next(isolation: #isolation) == 0)
    await store.send(.count(to: 300)).finish()
    #expect(await store.state == 300)
    for number in 1...300 { #expect(await every.next(isolation: #isolation) == number) }
  }

  @Test func `A reader that reads no more is forgotten (M6, E7)`() async {
    let store = makeStore()
    do {
      var every = store.values(\.self, buffering: .unbounded).makeAsyncIterator()
      #expect(await every.next(isolation: #isolation) == 0)
    }
    await store.send(.set(1)).finish()
    await store.send(.nothing).finish()
    #expect(store.observers.isEmpty)
  }

  @Test func `A reader that waits for work at each value does not wait for itself (M6)`() async {
    let store = makeStore()
    var (values, sent) = ([Int](), 0)
    for await value in store.values(\.self, buffering: .unbounded) {
      values.append(value)
      if value == 20 { break }
      guard sent < 4 else { continue }
      sent += 1
      // A stream waits for the delivery of each element.
      await store.send(.stream).finish()
    }
    #expect(values == Array(0...20))
  }

  @Test func `A run that reads every value and waits for its own sends does not wait for itself (M6, E1)`() async {
    let reference = StoreReference<Reduce<Int, Bool>>()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Bool> { state, isBeginning in
        if !isBeginning { state += 1 }
        guard isBeginning else { return .none }
        return .run(id: "reader", overlap: .drop) { send in
          guard let store = reference.store else { return }
          for await value in store.values(\.self, buffering: .unbounded) {
            if value >= 20 { return }
            for _ in 1...3 { guard await send.delivered(false) else { return } }
          }
        }
      })
    reference.store = store
    await store.send(true).finish()
    #expect(await store.state == 60)
  }

  @Test func `A reader that is busy elsewhere does not slow a timer (M6)`() async {
    let clock = ManualClock()
    let store = Store(initialState: 0, reducer: Counter(), clock: clock)
    var every = store.values(\.self, buffering: .unbounded).makeAsyncIterator()
    #expect(await every.next(isolation: #isolation) == 0)
    store.send(.ticks)
    for number in 1...50 {
      await clock.hasSleepers(1, dueBy: .milliseconds(10 * number))
      clock.advance(by: .milliseconds(10))
    }
    // The timer sleeps again when its tick has been delivered.
    await clock.hasSleepers(1, dueBy: .milliseconds(510))
    #expect(await store.state == 50)
    await store.shutdown(.cancelling)
    for number in 1...50 { #expect(await every.next(isolation: #isolation) == number) }
    #expect(await every.next(isolation: #isolation) == nil)
  }
}
