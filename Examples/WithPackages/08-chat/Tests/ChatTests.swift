// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import chat

/// What the feature does, step by step.
@Suite struct ChatTests {
  private typealias Work = Chat.Work

  @Test func `A message stays in the outbox until it comes back from the server, and the next one waits`() async {
    let link = MemoryLink()
    let store = TestStore(initialState: .init(author: "ann"), reducer: Chat(link: link))
    store.send(.sendTapped("hello")) {
      $0.written = 1
      $0.outbox = [draft(1, "hello")]
    }
    store.send(.sendTapped("bye")) {
      $0.written = 2
      $0.outbox = [draft(1, "hello"), draft(2, "bye")]
    }
    store.send(.joined)
    store.assertEffects { $0[Work.dial] = EffectStatus(running: 1, input: 0) }
    await store.receive(.opened(line: 1)) { $0.line = 1 }
    #expect(await link.room.messages.map(\.draft) == [draft(1, "hello")])
    await store.receive(.received(Message(number: 1, draft: draft(1, "hello")))) {
      $0.messages = [Message(number: 1, draft: draft(1, "hello"))]
      $0.outbox = [draft(2, "bye")]
    }
    await store.receive(.received(Message(number: 2, draft: draft(2, "bye")))) {
      $0.messages.append(Message(number: 2, draft: draft(2, "bye")))
      $0.outbox = []
    }
    store.assertEffects { $0[Work.line] = EffectStatus(running: 1, input: 1) }
    store.send(.left)
    await store.finish()
  }

  @Test func `After a lost connection, messages of others arrive, and own ones are sent`() async {
    let link = MemoryLink()
    let store = TestStore(initialState: .init(author: "ann"), reducer: Chat(link: link))
    store.send(.joined)
    await store.receive(.opened(line: 1)) { $0.line = 1 }
    await link.kill()
    await store.receive(.lost(after: .zero)) { $0.failures = 1 }
    store.assertEffects { $0[Work.dial] = EffectStatus(queued: 1, input: 0) }

    let other = Draft(id: "ben-1", author: "ben", text: "hi")
    await link.room.accept(other)
    store.send(.sendTapped("hello")) {
      $0.written = 1
      $0.outbox = [draft(1, "hello")]
    }
    store.advance(by: .milliseconds(100))
    await store.receive(.opened(line: 2)) { $0.line = 2 }
    await store.receive(.received(Message(number: 1, draft: other))) {
      $0.messages = [Message(number: 1, draft: other)]
    }
    await store.receive(.received(Message(number: 2, draft: draft(1, "hello")))) {
      $0.messages.append(Message(number: 2, draft: draft(1, "hello")))
      $0.outbox = []
    }
    store.send(.left)
    await store.finish()
  }

  @Test func `It reads the next message when the one before has been reduced`() async {
    let memory = MemoryLink()
    for number in 1...3 { await memory.room.accept(draft(number, "hello")) }
    let link = CountingLink(memory)
    let store = TestStore(initialState: .init(author: "ben"), reducer: Chat(link: link))
    store.send(.joined)
    await store.receive(.opened(line: 1)) { $0.line = 1 }
    for number in 1...3 {
      await store.settle()
      #expect(await link.read == number)
      let message = Message(number: number, draft: draft(number, "hello"))
      await store.receive(.received(message)) { $0.messages.append(message) }
    }
    store.send(.left)
    await store.finish()
  }

  // MARK: - Connections

  @Test func `Each wait is longer than the one before, up to a limit, and different for each seed`() {
    func wait(_ failures: Int, seed: UInt64) -> Duration {
      Backoff.reconnect(seed: seed).wait(after: LineLost(), attempt: failures) ?? .zero
    }
    let waits = [1, 2, 3, 9, 10, 1_000_000].map { wait($0, seed: 1) }
    for (wait, longest) in zip(waits, [100, 200, 400, 25_600, 30_000, 30_000]) {
      #expect(wait <= .milliseconds(longest) && wait >= .milliseconds(longest / 2))
    }
    #expect(Set((1...100).map { wait(1, seed: $0) }).count == 100)
  }

  @Test func `A connection that breaks soon makes the wait longer, and one that held resets the waits (C5)`() async {
    let link = MemoryLink(breaking: .onDialling)
    let store = TestStore(
      initialState: .init(author: "ann"), reducer: Chat(link: link, backoff: .constant(.seconds(1))))
    store.send(.joined)
    await store.receive(.lost(after: .zero)) { $0.failures = 1 }
    for line in 1...2 {
      store.advance(by: .seconds(1) - .nanoseconds(1))
      store.advance(by: .nanoseconds(1))
      await store.receive(.opened(line: line)) { $0.line = line }
      let held = Duration.seconds(line == 1 ? 9 : 10)
      store.advance(by: held)
      await link.kill()
      await store.receive(.lost(after: held)) { $0.failures = line == 1 ? 2 : 1 }
    }
    store.send(.left)
    await store.finish()
  }

  @Test func `Joining ends the wait, and leaving ends the connection (E3)`() async {
    let link = MemoryLink(breaking: .onDialling)
    let store = TestStore(initialState: .init(author: "ann"), reducer: Chat(link: link))
    store.send(.joined)
    await store.receive(.lost(after: .zero)) { $0.failures = 1 }
    store.send(.joined) { $0.failures = 0 }
    await store.receive(.opened(line: 1)) { $0.line = 1 }
    store.send(.left)
    await store.finish()
    #expect(!link.isOpen)
  }
}
