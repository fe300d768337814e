// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

@Suite struct StateValuesTests {
  private func makeStore() -> Store<Reduce<Int, Int>> {
    Store(
      initialState: 0,
      reducer: Reduce { state, action in
        state = action
        return .none
      })
  }

  @Test func `A slow reader sees the newest value, and never the same twice in a row`() async {
    let channel = ValueChannel<Int>()
    #expect(channel.offer(1))
    #expect(channel.offer(2))
    #expect(await channel.next() == 2)
    // There and back again while nobody looked: nothing has changed for the reader.
    #expect(channel.offer(3))
    #expect(channel.offer(2))
    #expect(channel.offer(4))
    #expect(channel.offer(2))
    #expect(channel.offer(5))
    #expect(await channel.next() == 5)
    #expect(channel.offer(6))
    #expect(channel.offer(5))
    #expect(!channel.hasUnseen)
  }

  @Test func `Values begin with the present one and follow each change`() async {
    let store = makeStore()
    var iterator = store.values(\.self).makeAsyncIterator()
    #expect(await iterator.next() == 0)
    for number in [1, 1, 2] { await store.send(number).finish() }
    // A finished dispatch may be news before the state is shown, so 1 may or may not be seen.
    while let value = await iterator.next(), value != 2 { #expect(value == 1) }
    store.send(2)
    store.send(3)
    #expect(await iterator.next() == 3)
  }

  @Test func `Values end when the iterating task is cancelled`() async {
    let store = makeStore()
    let seen = Recorder<Int>()
    let task = Task {
      for await value in store.values(\.self) { seen.record(value) }
    }
    await seen.wait(for: 0)
    task.cancel()
    await task.value
    #expect(seen.events == [0])
  }
}
