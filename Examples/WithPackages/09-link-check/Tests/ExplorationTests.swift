// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@testable import link_check

/// Every order in which pages can answer or time out, and a stop at each moment.
@Suite struct `Explorations of the crawl` {
  private static func crawl(_ site: MemorySite) -> Crawl {
    Crawl(fetch: site.fetch, now: { _ in .zero }, hosts: ["here"], pause: .zero)
  }

  private static func naive(_ site: MemorySite) -> NaiveCrawl {
    NaiveCrawl(fetch: site.fetch)
  }

  // MARK: - No page twice, and none forgotten

  private static func circles<R: Reducer>(
    from state: R.State, _ reducer: @Sendable (MemorySite) -> R, finally: @escaping @Sendable (R.State) -> Bool
  ) async -> Exploration where R.Action == Crawl.Action, R.State: Equatable & Sendable {
    await explore(options: .init(upTo: .timers)) { schedule in
      let site = MemorySite.circles
      let script = schedule.store(
        initialState: state, reducer: reducer(site), requiring: [.nothingRunsAtTheEnd],
        always: { _ in !site.isAskedTwice }, finally: finally)
      script.send(.started(at: a))
    }
  }

  @Test func `No page is requested twice, and none is forgotten`() async {
    let result = await Self.circles(from: .init(), Self.crawl) { state in
      state.pages.values.allSatisfy { visit in
        guard case .done(let answer, _) = visit else { return false }
        return answer.leads(following: true).allSatisfy { state.pages[$0] != nil }
      }
    }
    result.expectComplete(.timers)
  }

  @Test func `The naive crawl requests a page twice`() async {
    let text = """
      After a reduction `always` does not hold. Found by schedule 4 of the search.

      The order of two actions matters:
        first   `.answered(here/b, .page([here/c]), took: 0.0 seconds)` of run 2
        second  `.answered(here/c, .page([here/a, here/c]), took: 0.0 seconds)` of run 3
      If the second one comes first, all conditions hold.

      State:
        State(answers: [here/a: .page([here/b, here/c]), here/b: .page([here/c]), here/c: .page([here/a, here/c])], open: 0)

      What has happened so far:

      seconds  1       2       3       4
               here/a  here/b  here/c  here/c
        0.000  ●                               .started(at: here/a)
               │                               ExplorationTests.swift:29
               ◆       ●       ●               .answered(here/a, .page([here/b,
                       │       │               here/c]), took: 0.0 seconds)  from 1
                       ◆       │       ●       .answered(here/b, .page([here/c]),
                               │       │       took: 0.0 seconds)  from 2
                               ◆       │       .answered(here/c, .page([here/a,
                                       │       here/c]), took: 0.0 seconds)  from 3
                                       ◆       .answered(here/c, .page([here/a,
                                               here/c]), took: 0.0 seconds)  from 4

      1  run(input: here/a) at link_check/NaiveCrawl.swift:37
      2  run(input: here/b) at link_check/NaiveCrawl.swift:37
      3  run(input: here/c) at link_check/NaiveCrawl.swift:37
      4  run(input: here/c) at link_check/NaiveCrawl.swift:37

      ● starts   ◆ its action is reduced   │ runs
      where a line stops, the run has ended

      Run this schedule alone:
        explore(…, replaying: "timers: u e0 e0 e0 e0")
      """
    let failures = await reportedFailures {
      _ = await Self.circles(from: .init(), Self.naive) { $0.open == 0 }
    }
    #expect(failures == [text])
  }

  // MARK: - A stop at any moment

  private static func stop<R: Reducer>(
    from state: R.State, _ reducer: @Sendable (MemorySite) -> R,
    always: @escaping @Sendable (R.State, _ before: R.State) -> Bool = { _, _ in true },
    finally: @escaping @Sendable (R.State, _ asked: Set<Page>) -> Bool
  ) async -> Exploration where R.Action == Crawl.Action, R.State: Equatable & Sendable {
    await explore(options: .init(upTo: .timers)) { schedule in
      let site = MemorySite.circles
      let last = Mutex(state)
      let script = schedule.store(
        initialState: state, reducer: reducer(site), requiring: [.nothingRunsAtTheEnd],
        always: { state in
          last.withLock { before in
            defer { before = state }
            return always(state, before)
          }
        },
        finally: { finally($0, Set(site.asked)) })
      script.send(.started(at: a))
      script.send(.stopped)
    }
  }

  @Test func `After a stop no page begins: each has its answer, or was never requested (E3)`() async {
    let result = await Self.stop(
      from: .init(), Self.crawl,
      always: { state, before in !before.isStopping || Set(before.waiting).isSubset(of: state.waiting) },
      finally: { state, asked in
        state.pages.allSatisfy { page, visit in
          switch visit {
          case .waiting: !asked.contains(page)
          case .asked: false
          // A run that times out before it begins is never called.
          case .done(let answer, _): asked.contains(page) || answer == .silent
          }
        }
      })
    result.expectComplete(.timers)
  }

  @Test func `The naive crawl never reports that it is done if it is stopped`() async {
    let text = """
      When nothing can happen any more, `finally` does not hold. Found by schedule 2 of the search.

      State:
        State(answers: [:], open: 1)

      What has happened so far:

      seconds  1
               here/a
        0.000  ●       .started(at: here/a)  ExplorationTests.swift:106
               x       .stopped  ExplorationTests.swift:107
               ◇       dropped: .answered(here/a, .page([here/b, here/c]), took: 0.0
                       seconds)  from 1

      1  run(input: here/a) at link_check/NaiveCrawl.swift:37

      ● starts   ◇ its action is dropped   x cancelled

      Run this schedule alone:
        explore(…, replaying: "timers: u u c0 e0")
      """
    let failures = await reportedFailures {
      _ = await Self.stop(from: .init(), Self.naive, finally: { state, _ in state.open == 0 })
    }
    #expect(failures == [text])
  }

  // MARK: - Never more than the limit

  private static func limit() async -> Exploration {
    await explore(options: .init(upTo: .timers)) { schedule in
      let (clock, turnstile) = (schedule.clock, Turnstile())
      let crawl = Crawl(
        fetch: { page in
          guard page != a else { return .page([b, c]) }
          turnstile.enter()
          defer { turnstile.leave() }
          // When it times out it is cancelled, goes on, and is still between the two calls for a moment.
          try? await clock.sleep(for: .seconds(20))
          return .page([])
        }, now: { _ in .zero }, hosts: ["here"], limit: 1, pause: .zero)
      let script = schedule.store(
        initialState: .init(), reducer: crawl, requiring: [.nothingRunsAtTheEnd],
        always: { _ in turnstile.most <= 1 })
      script.send(.started(at: a))
    }
  }

  @Test func `A slot is free when the request has ended, also for a page that timed out (O2)`() async {
    let result = await Self.limit()
    result.expectComplete(.timers)
  }
}
