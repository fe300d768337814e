// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import articles

/// Every order in which taps, answers and failures can come.
@Suite struct `Explorations of the articles` {
  private static let shown = ArticlesFeature.State(articles: numbered(1...4), hasMore: true)

  /// The list is a first part of the requested list, and a failed request was for that list.
  private static func isConsistent(_ state: ArticlesFeature.State) -> Bool {
    let list = state.articles.isEmpty ? [] : numbered(1...state.articles.count, state.category, state.keyword)
    let failed = state.failure?.request ?? Request(category: state.category, keyword: state.keyword)
    return state.articles == list && failed.category == state.category && failed.keyword == state.keyword
  }

  // MARK: - The query changes, and any one request may fail

  private static func question(
    _ reducer: some Reducer<ArticlesFeature.State, ArticlesFeature.Action>
  ) async -> Exploration {
    await explore(
      initialState: shown, reducer: reducer, requiring: [.nothingRunsAtTheEnd],
      faults: .anyOne(of: .fail(load, with: Problem.noConnection), .fail(more, with: Problem.noConnection))
    ) { script in
      script.send(.endReached)
      script.send(.categoryChosen(.server))
      script.send(.keywordChanged("a"))
    } always: { state in
      isConsistent(state)
    } finally: { state in
      state.articles == numbered(1...2, .server, "a") || state.failure != nil
    }
  }

  private static let load = EffectID(ArticlesFeature.Work.load)
  private static let more = EffectID(ArticlesFeature.Work.more)

  @Test func `The list and its failure belong to the current query, whatever happens (E1, E5)`() async {
    let result = await Self.question(ArticlesFeature(fetch: quick))
    result.expectComplete()
  }

  @Test func `The naive list shows articles of another category`() async {
    let text = """
      After a reduction `always` does not hold. Found by schedule 1 of the search and shortened from 13 steps to 8.

      The order of two actions matters:
        first   `.categoryChosen(.server)`
        second  `.appended(Page(articles: [5 (all), 6 (all)], hasMore: false))` of run 1
      If the second one comes first, all conditions hold.

      State:
        State(category: .server, keyword: "", articles: [5 (all), 6 (all)], hasMore: false, failure: nil)

      What has happened so far:

      seconds  1           2
               more        load
               all from 4  server
        0.000  ●                       .endReached  ExplorationTests.swift:28
               │           ●           .categoryChosen(.server)
               │           │           ExplorationTests.swift:29
               ◆           │           .appended(Page(articles: [5 (all), 6 (all)],
                           │           hasMore: false))  from 1

      At the end of the trace run 2 is running.

      1  run(more, input: all from 4) at articles/NaiveArticles.swift:42
      2  run(load, input: server) at articles/NaiveArticles.swift:42

      ● starts   ◆ its action is reduced   │ runs
      where a line stops, the run has ended

      Run this schedule alone:
        explore(…, faults: .anyOne(of: .fail(ArticlesFeature.Work.load, with: Problem.noConnection), .fail(ArticlesFeature.Work.more, with: Problem.noConnection)), replaying: "u u d c0 d c0 e0 d")
      """
    let failures = await reportedFailures {
      _ = await Self.question(NaiveArticles(fetch: quick))
    }
    #expect(failures == [text])
  }

  // MARK: - Refresh and more, in both orders

  private static func refresh(
    _ reducer: some Reducer<ArticlesFeature.State, ArticlesFeature.Action>, _ actions: [ArticlesFeature.Action]
  ) async -> Exploration {
    await explore(
      initialState: shown, reducer: reducer, requiring: [.nothingRunsAtTheEnd]
    ) { script in
      for action in actions { script.send(action) }
    } always: { state in
      isConsistent(state)
    }
  }

  private static let orders: [[ArticlesFeature.Action]] = [
    [.endReached, .refreshTapped], [.refreshTapped, .endReached],
  ]

  @Test(arguments: orders)
  func `A refreshed list has no gap and no duplicate (E1)`(actions: [ArticlesFeature.Action]) async {
    let result = await Self.refresh(ArticlesFeature(fetch: quick), actions)
    result.expectComplete()
  }

  @Test(arguments: orders)
  func `The naive list has a gap after a refresh`(actions: [ArticlesFeature.Action]) async {
    let failures = await reportedFailures {
      _ = await Self.refresh(NaiveArticles(fetch: quick), actions)
    }
    #expect(failures.count == 1 && failures[0].contains("articles: [1 (all), 2 (all), 5 (all), 6 (all)]"))
  }
}
