// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import chat

/// Every order in which a connection can open and break, and messages can be written in between.
@Suite(.serialized) struct `Explorations of the chat` {
  /// How long a line stays open does not matter here: it only affects how long the next wait is.
  private static func chat(_ link: MemoryLink) -> Chat {
    Chat(link: link, now: { _ in .zero })
  }

  private static func explored<R: Reducer>(
    _ actions: [R.Action], outbox: [Draft] = [], _ reducer: @Sendable () -> R
  ) async -> Exploration where R.State == Chat.State {
    await explore(options: .init(upTo: .timers)) { schedule in
      let script = schedule.store(
        initialState: .init(author: "ann", outbox: outbox, written: outbox.count), reducer: reducer(),
        // At the end it waits for more messages.
        requiring: [.noDeadlock(except: EffectID(Chat.Work.line))],
        finally: { state in
          state.messages.map(\.draft.id) == (1...state.written).map { "ann-\($0)" } && state.outbox.isEmpty
        })
      for action in actions { script.send(action) }
    }
  }

  @Test(arguments: MemoryLink.Break.allCases)
  func `A message written while it connects arrives once, wherever the connection breaks (E1)`(
    _ trouble: MemoryLink.Break
  ) async {
    let result = await Self.explored([.joined, .sendTapped("hello")]) { Self.chat(MemoryLink(breaking: trouble)) }
    result.expectComplete(.timers)
  }

  @Test(arguments: MemoryLink.Break.allCases)
  func `Messages written before arrive once and in order, wherever the connection breaks`(_ trouble: MemoryLink.Break)
    async
  {
    let result = await Self.explored([.joined], outbox: [draft(1, "hello"), draft(2, "bye")]) {
      Self.chat(MemoryLink(breaking: trouble))
    }
    result.expectComplete(.timers)
  }

  @Test func `A message written while it connects does not overtake one written before`() async {
    let result = await Self.explored([.joined, .sendTapped("bye")], outbox: [draft(1, "hello")]) {
      Self.chat(MemoryLink())
    }
    result.expectComplete(.timers)
  }

  @Test func `After joining twice, one line is read (E1)`() async {
    let result = await explore(options: .init(upTo: .timers)) { schedule in
      let link = MemoryLink()
      await link.room.accept(draft(1, "hello"))
      let script = schedule.store(
        initialState: .init(author: "ben"), reducer: Self.chat(link),
        requiring: [.noDeadlock(except: EffectID(Chat.Work.line))], finally: { $0.messages.count == 1 })
      script.send(.joined)
      script.send(.joined)
    }
    result.expectComplete(.timers)
  }

  @Test func `After leaving at any moment, there is no connection (E1)`() async {
    let result = await explore(options: .init(upTo: .timers)) { schedule in
      let link = MemoryLink()
      let script = schedule.store(
        initialState: .init(author: "ann"), reducer: Self.chat(link), requiring: [.nothingRunsAtTheEnd],
        finally: { _ in !link.isOpen })
      script.send(.joined)
      script.send(.left)
    }
    // Many schedules for its size: each delivery is a choice, and the run that closes the line is its own step.
    result.expectComplete(.timers)
  }

  @Test func `The naive chat loses a message`() async {
    let text = """
      When nothing can happen any more, `finally` does not hold. Found by schedule 1 of the search.

      State:
        State(author: "ann", messages: [], outbox: [], written: 1, failures: 1, line: 2)

      What has happened so far:

      seconds  1      2      3      4      5
               dial   post   line   dial   line
               0      ann-1… 1      0      2
        0.000  ●                                  .chat(.joined)
               │                                  ExplorationTests.swift:26
               │      ●                           .chat(.sendTapped("hello"))
               │      │                           ExplorationTests.swift:26
               ◆      │      ●                    .chat(.opened(line: 1))  from 1
               │      ■      │                    2 ends
               ■             │                    1 ends
                             ◆                    .chat(.lost(after: 0.0 seconds))
                             │                    from 3
                             x                    3 is cancelled
                             ┊      ○             4 waits until 0.094165 s
                             ┴      ·             3 returns
        0.094                       ●             4 starts
                                    ◆      ●      .chat(.opened(line: 2))  from 4

      At the end of the trace run 5 is running.

      1  run(dial, input: 0, overlap: restart) at chat/Chat.swift:75
      2  run(post, input: ann-1: hello, overlap: enqueue) at chat/NaiveChat.swift:36
      3  run(line, input: 1, overlap: restart) at chat/Chat.swift:91
      4  run(dial, input: 0, overlap: restart).delay(for: 0.09416554041068213 seconds)
         at chat/Chat.swift:75
      5  run(line, input: 2, overlap: restart) at chat/Chat.swift:91

      ● starts   ○ waits for a slot or its time   ◆ its action is reduced
      x cancelled   ■ ends   ┴ its closure returns   │ runs   · waits
      ┊ cancelled, not returned   where a line stops, the run has ended

      Run this schedule alone:
        explore(…, replaying: "timers: u u e0 e0 e0 e0 t0 e0 e0 e0")
      """
    let failures = await reportedFailures {
      _ = await Self.explored([.chat(.joined), .chat(.sendTapped("hello"))]) {
        NaiveChat(chat: Self.chat(MemoryLink(breaking: .beforeTaken)))
      }
    }
    #expect(failures == [text])
  }
}
