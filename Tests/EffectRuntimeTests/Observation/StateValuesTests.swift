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
    // Changed and changed back between two reads: nothing has changed for the reader.
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

  @Test func `An unbounded reader sees every value in order, also after the end, and nothing when it has left`() async {
    let channel = ValueChannel<Int>(.unbounded)
    for number in 1...5 { #expect(channel.offer(number)) }
    for number in 1...3 { #expect(await channel.next() == number) }
    for number in 6...9 { #expect(channel.offer(number)) }
    channel.end()
    for number in 4...9 { #expect(await channel.next() == number) }
    #expect(await channel.next() == nil)

    let left = ValueChannel<Int>(.unbounded)
    for number in 1...5 { #expect(left.offer(number)) }
    left.finish()
    #expect(!left.offer(6))
    #expect(await left.next() == nil)
  }

  @Test func `Values begin with the present one and follow each change`() async {
    let store = makeStore()
    var iterator = store.values(\.self).makeAsyncIterator()
    #expect(await iterator.next(isolation: #isolation) == 0)
    for number in [1, 1, 2] { await store.send(number).finish() }
    // A finished dispatch may be news before the state is shown, so 1 may or may not be seen.
    while let value = await iterator.next(isolation: #isolation), value != 2 { #expect(value == 1) }
    store.send(2)
    store.send(3)
    #expect(await iterator.next(isolation: #isolation) == 3)
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

  private struct Pair: Equatable, Sendable {
    var left = 0
    var right = 0
    var sum: Int { left + right }
  }

  @Test func `Any number of observers see their own part, and a change of another part shows them nothing`() async {
    let store = Store(
      initialState: Pair(),
      reducer: Reduce<Pair, Pair> { state, action in
        state = action
        return .none
      })
    var lefts = (0..<50).map { _ in store.values(\.left).makeAsyncIterator() }
    var sum = store.values(\.sum).makeAsyncIterator()
    for index in lefts.indices { #expect(await lefts[index].next(isolation: #isolation) == 0) }
    #expect(await sum.next(isolation: #isolation) == 0)
    for right in 1...3 { await store.send(Pair(left: 0, right: right)).finish() }
    while let value = await sum.next(isolation: #isolation), value != 3 { #expect((1...2).contains(value)) }
    await store.send(Pair(left: 1, right: -1)).finish()
    for index in lefts.indices { #expect(await lefts[index].next(isolation: #isolation) == 1) }
    #expect(await sum.next(isolation: #isolation) == 0)
  }

  @Test func `Changes show the state and the effects as they are together (S2)`() async {
    let gate = Gate()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state = action
        return action == 1 ? .run(id: "work", overlap: .concurrent) { _ in await gate.pass() } : .none
      })
    var changes = store.changes.makeAsyncIterator()
    #expect(await changes.next(isolation: #isolation)?.state == 0)
    let dispatch = store.send(1)
    let begun = await changes.next(isolation: #isolation)
    #expect(begun?.state == 1)
    #expect(begun?.effects.byID["work"]?.isRunning == true)
    gate.open()
    await dispatch.finish()
    // Only the status has changed; both belong to the same state.
    let ended = await changes.next(isolation: #isolation)
    #expect(ended?.state == 1)
    #expect(ended?.effects.byID.isEmpty == true)
    await store.shutdown(.cancelling)
    #expect(await changes.next(isolation: #isolation) == nil)
  }
}
