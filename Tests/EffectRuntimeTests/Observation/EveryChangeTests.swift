// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// Counts to a number, each step when the one before has been delivered, and records how far it has come.
private struct Counter: Reducer {
  enum Action: Sendable { case set(Int), twice(Int), count(to: Int), countApart, stop, nothing }
  let delivered = Recorder<Int>()

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .set(let number): state = number
    case .twice(let number): return .merge(.send(.set(number)), .send(.set(number + 1)))
    case .count(let last):
      return .run(id: "count", overlap: .concurrent) { [delivered] send in
        for number in 1...last {
          guard await send.delivered(.set(number)) else { return }
          delivered.record(number)
        }
      }
    case .countApart:
      // A detached task is not cancelled with the run, which waits for it.
      return .run(id: "count", overlap: .restart(exclusive: true)) { [delivered] send in
        await Task.detached {
          var number = 1
          while await send.delivered(.set(number)) {
            delivered.record(number)
            number += 1
          }
        }.value
      }
    case .stop:
      return .concatenate(.cancel(id: "count"), .run(id: "count", overlap: .restart(exclusive: true)) { _ in })
    case .nothing: break
    }
    return .none
  }
}

@Suite struct `Every change of a state` {
  private let counter = Counter()
  private func makeStore() -> Store<Counter> { Store(initialState: 0, reducer: counter) }

  @Test func `Every turn's value is shown, in order, also for senders that do not wait (M6)`() async {
    let store = makeStore()
    var every = store.values(\.self, buffering: .every(limit: 1)).makeAsyncIterator()
    #expect(await every.next() == 0)
    for number in 1...1_000 {
      store.send(.set(number))
      store.send(.nothing)
    }
    for number in 1...1_000 { #expect(await every.next() == number) }
    // A turn has one value, however many actions it consists of.
    store.send(.twice(5_000))
    store.send(.set(1))
    #expect(await every.next() == 5_001)
    #expect(await every.next() == 1)
    store.send(.set(2))
    await store.shutdown(.cancelling)
    #expect(await every.next() == 2)
    #expect(await every.next() == nil)
  }

  @Test func `A sender that waits for delivery goes at the pace of the reader (M6)`() async {
    let store = makeStore()
    var every = store.values(\.self, buffering: .every(limit: 4)).makeAsyncIterator()
    #expect(await every.next() == 0)
    let dispatch = store.send(.count(to: 300))
    for number in 1...300 {
      #expect(await every.next() == number)
      // A pause, in which the run would get ahead if nothing held it back.
      await store.send(.nothing).finish()
      await store.send(.nothing).finish()
      #expect(counter.delivered.events.count < number + 5)
    }
    await dispatch.finish()
    #expect(counter.delivered.events.count == 300)
  }

  @Test func `A reader that reads no more holds no sender back (M6)`() async {
    let store = makeStore()
    let dispatch: StoreTask
    do {
      var every = store.values(\.self, buffering: .every(limit: 2)).makeAsyncIterator()
      #expect(await every.next() == 0)
      dispatch = store.send(.count(to: 50))
      #expect(await every.next() == 1)
      await counter.delivered.wait(for: 1)
    }
    await dispatch.finish()
    #expect(counter.delivered.events.count == 50)
    await store.send(.nothing).finish()
    #expect(store.observers.isEmpty)
  }

  @Test func `A shutdown and a cancel reach a sender that is held back (M6, L4)`() async {
    let store = makeStore()
    var every = store.values(\.self, buffering: .every(limit: 1)).makeAsyncIterator()
    #expect(await every.next() == 0)
    let first = store.send(.count(to: 50))
    #expect(await every.next() == 1)
    first.cancel()
    await first.finish()
    store.send(.count(to: 60))
    await store.shutdown(.cancelling)
    while await every.next() != nil {}
    #expect(counter.delivered.events.count < 10)
  }

  @Test(arguments: [false, true])
  func `A cancelled run that is held back goes on, whichever of its tasks waits (M6, E2)`(
    isTraced: Bool
  ) async {
    let store = makeStore()
    let log = isTraced ? store.trace.log() : nil
    defer { withExtendedLifetime(log) {} }
    var every = store.values(\.self, buffering: .every(limit: 1)).makeAsyncIterator()
    #expect(await every.next() == 0)
    store.send(.countApart)
    await counter.delivered.wait(for: 1)
    // The values are not read: the run that replaces it begins all the same.
    await store.send(.stop).finish()
    #expect(counter.delivered.events.count < 4)
    store.send(.countApart)
    await store.shutdown(.cancelling)
    while await every.next() != nil {}
  }
}
