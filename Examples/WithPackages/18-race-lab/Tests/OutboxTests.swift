// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import race_lab

/// One text at a time between several writers and one reader.
@Suite struct `The outbox of a browser` {
  @Test func `A writer of the next text waits until the one before has been taken`() async {
    let outbox = Outbox()
    #expect(await outbox.put("1"))
    async let second = outbox.put("2")
    async let third = outbox.put("3")
    let first = await outbox.take()
    let others = await [outbox.take(), outbox.take()]
    #expect(first == "1")
    #expect(Set(others) == ["2", "3"])
    let havePlaces = await [second, third]
    #expect(havePlaces == [true, true])
  }

  @Test func `A reader waits for a text`() async {
    let outbox = Outbox()
    async let taken = outbox.take()
    #expect(await outbox.put("1"))
    #expect(await taken == "1")
  }

  @Test func `When closed, it takes nothing and gives nothing, also to tasks that wait`() async {
    let full = Outbox()
    #expect(await full.put("1"))
    async let waiting = full.put("2")
    full.close()
    full.close()
    #expect(await waiting == false)
    #expect(await full.put("3") == false)
    #expect(await full.take() == nil)

    let empty = Outbox()
    async let taken = empty.take()
    empty.close()
    #expect(await taken == nil)
  }

  @Test func `A reader that is cancelled gets nothing and closes it`() async {
    let outbox = Outbox()
    let reader = Task { await outbox.take() }
    reader.cancel()
    #expect(await reader.value == nil)
    #expect(await outbox.put("1") == false)
  }
}
