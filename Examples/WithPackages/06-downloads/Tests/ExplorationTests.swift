// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import downloads

/// Every order in which taps, parts and failures can come.
@Suite struct `Explorations of the downloads` {
  // MARK: - A pause at any moment

  private static func pause(
    _ reducer: @Sendable (MemoryDisk) -> some Reducer<Downloads.State, Downloads.Action>
  ) async -> Exploration {
    await explore(options: .init(upTo: .deliveries)) { schedule in
      let script = schedule.store(
        initialState: .init(items: [.init(file: file("a"), phase: .paused)]), reducer: reducer(MemoryDisk()),
        requiring: [.nothingRunsAtTheEnd], finally: { $0.items.allSatisfy { $0.phase == .done } })
      script.send(.resumeTapped("a"))
      script.send(.pauseTapped("a"))
      script.send(.resumeTapped("a"))
    }
  }

  @Test func `A file that is paused and resumed at any moment is whole (E1)`() async {
    let result = await Self.pause { Downloads(fetch: { _, position in part(position) }, disk: $0) }
    result.expectComplete(.deliveries)
  }

  @Test func `The naive queue writes a part twice`() async {
    let text = """
      When nothing can happen any more, `finally` does not hold. Found by schedule 1 of the search.

      State:
        State(items: [Item(file: a, 4 bytes, received: 4, phase: .failed)])

      What has happened so far:

      seconds  1  2
               0  2
        0.000  ●     .resumeTapped("a")  ExplorationTests.swift:19
               ◆     .received("a", upTo: 2)  from 1
               x     .pauseTapped("a")  ExplorationTests.swift:20
               ┊  ●  .resumeTapped("a")  ExplorationTests.swift:21
               ◇  │  dropped: .received("a", upTo: 4)  from 1
                  ◆  .received("a", upTo: 4)  from 2
                  !  2 fails: Damaged(), its catch follows
                  ◆  .failed("a")  from 2

      1  run(file("a"), input: 0) at downloads/NaiveDownloads.swift:44
      2  run(file("a"), input: 2) at downloads/NaiveDownloads.swift:44

      ● starts   ◆ its action is reduced   ◇ its action is dropped   ! fails
      x cancelled   │ runs   ┊ cancelled, not returned
      where a line stops, the run has ended

      Run this schedule alone:
        explore(…, replaying: "deliveries: u d e0 d u u d d e0 e0 d d e0 e0 d")
      """
    let failures = await reportedFailures {
      _ = await Self.pause { disk in
        NaiveDownloads(
          fetch: { _, position in part(position) }, append: { await disk.append($0, $1) }, read: { await disk.read($0) }
        )
      }
    }
    #expect(failures == [text])
  }

  // MARK: - Never more than the limit

  private static func queue() async -> Exploration {
    await explore(options: .init(upTo: .deliveries)) { schedule in
      let (clock, turnstile) = (schedule.clock, Turnstile())
      let downloads = Downloads(
        fetch: { _, _ in
          turnstile.enter()
          defer { turnstile.leave() }
          // When it is cancelled, it goes on, and is still between the two calls for a moment.
          try? await clock.sleep(for: .milliseconds(10))
          return content
        }, disk: MemoryDisk(), limit: 1)
      let script = schedule.store(
        initialState: .init(), reducer: downloads, requiring: [.nothingRunsAtTheEnd],
        always: { _ in turnstile.most <= 1 }, finally: { $0.items.map(\.phase) == [.done] })
      script.send(.added([file("a"), file("b")]))
      script.send(.cancelTapped("a"))
    }
  }

  @Test func `Of two files with one slot, never more than one is fetched, also when the first is cancelled (O2)`()
    async
  {
    let result = await Self.queue()
    result.expectComplete(.deliveries)
  }
}
