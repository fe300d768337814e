// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import articles

/// What the feature does, step by step.
@Suite struct ArticlesTests {
  private static let first = Page(articles: numbered(1...2), hasMore: true)
  private static let shown = ArticlesFeature.State(articles: first.articles, hasMore: true)

  @Test func `The first page is loaded when the list appears, and not requested again`() async {
    let store = TestStore(initialState: .init(), reducer: ArticlesFeature(fetch: quick))
    store.send(.appeared)
    store.assertEffects { $0[ArticlesFeature.Work.load] = EffectStatus(running: 1, input: Request()) }
    await store.receive(.loaded(Self.first)) { $0 = Self.shown }
    store.send(.appeared)
    await store.finish()
  }

  @Test func `At its end the list loads more, until there is no more`() async {
    let store = TestStore(initialState: Self.shown, reducer: ArticlesFeature(fetch: quick))
    store.send(.endReached)
    await store.receive(.appended(Page(articles: numbered(3...4), hasMore: false))) {
      $0.articles = numbered(1...4)
      $0.hasMore = false
    }
    store.send(.endReached)
    await store.finish()
  }

  @Test func `While more is being loaded, it is not requested again (O1)`() async {
    let store = TestStore(initialState: Self.shown, reducer: ArticlesFeature(fetch: quick))
    store.reducer.fetch = slow(store.clock)
    store.send(.endReached)
    store.send(.endReached)
    store.assertEffects { $0[ArticlesFeature.Work.more] = EffectStatus(running: 1, input: Request(offset: 2)) }
    store.advance(by: .seconds(1))
    await store.receive(.appended(Page(articles: numbered(3...4), hasMore: false))) {
      $0.articles = numbered(1...4)
      $0.hasMore = false
    }
    await store.finish()
  }

  @Test func `Refresh keeps the list until the new one arrives, and cancels loading more of the old one (E3)`() async {
    let store = TestStore(initialState: Self.shown, reducer: ArticlesFeature(fetch: quick))
    store.reducer.fetch = slow(store.clock)
    store.send(.endReached)
    store.send(.refreshTapped)
    store.assertEffects { $0[ArticlesFeature.Work.load] = EffectStatus(running: 1, input: Request()) }
    store.advance(by: .seconds(1))
    await store.receive(.loaded(Self.first))
    await store.finish()
  }

  @Test func `Loading more of the old list is cancelled when the new one arrives`() async {
    let store = TestStore(initialState: Self.shown, reducer: ArticlesFeature(fetch: quick))
    store.reducer.fetch = slow(store.clock)
    store.send(.refreshTapped)
    store.advance(by: .milliseconds(500))
    store.send(.endReached)
    store.advance(by: .milliseconds(500))
    await store.receive(.loaded(Self.first))
    await store.finish()
  }

  @Test(arguments: [0, 2])
  func `Retry repeats the failed request, and the list stays`(offset: Int) async {
    let store = TestStore(initialState: Self.shown, reducer: ArticlesFeature(fetch: quick))
    store.reducer.fetch = { _ in throw Problem.status(503) }
    let failure = ArticlesFeature.Failure(request: Request(offset: offset), problem: .status(503))
    store.send(offset == 0 ? .refreshTapped : .endReached)
    await store.receive(.failed(failure)) { $0.failure = failure }
    store.reducer.fetch = quick
    store.send(.retryTapped) { $0.failure = nil }
    if offset == 0 {
      await store.receive(.loaded(Self.first))
    } else {
      await store.receive(.appended(Page(articles: numbered(3...4), hasMore: false))) {
        $0.articles = numbered(1...4)
        $0.hasMore = false
      }
    }
    store.send(.retryTapped)
    await store.finish()
  }

  @Test func `Any other error means that there is no connection`() async {
    struct Unplugged: Error {}
    let store = TestStore(initialState: .init(), reducer: ArticlesFeature { _ in throw Unplugged() })
    let failure = ArticlesFeature.Failure(request: Request(), problem: .noConnection)
    store.send(.appeared)
    await store.receive(.failed(failure)) { $0.failure = failure }
    await store.finish()
  }

  @Test func `A new category keeps the keyword, and a new keyword keeps the category`() async {
    let store = TestStore(initialState: Self.shown, reducer: ArticlesFeature(fetch: quick))
    store.send(.categoryChosen(.server)) { $0 = .init(category: .server) }
    await store.receive(.loaded(Page(articles: numbered(1...2, .server), hasMore: true))) {
      $0.articles = numbered(1...2, .server)
      $0.hasMore = true
    }
    store.send(.keywordChanged("s")) { $0 = .init(category: .server, keyword: "s") }
    let found = numbered(1...2, .server, "s")
    await store.receive(.loaded(Page(articles: found, hasMore: true))) {
      $0.articles = found
      $0.hasMore = true
    }
    await store.finish()
  }

  // MARK: - Late answers

  /// How a request ends that was replaced.
  enum Ending: CaseIterable {
    case answer, error, cancellation
  }

  @Test(arguments: Ending.allCases)
  func `A request that was replaced has no effect, however it ends (E1, E4)`(ending: Ending) async {
    let store = TestStore(initialState: .init(), reducer: ArticlesFeature(fetch: quick))
    store.assertsDrops = true
    let clock = store.clock
    store.reducer.fetch = { request in
      guard request.keyword == "a" else { return try await quick(request) }
      // When it is cancelled, it ignores that and goes on, or throws an error.
      try? await clock.sleep(for: .seconds(1))
      switch ending {
      case .answer: return try await quick(request)
      case .error: throw Problem.status(503)
      case .cancellation: throw CancellationError()
      }
    }
    store.send(.keywordChanged("a")) { $0.keyword = "a" }
    store.send(.keywordChanged("ab")) { $0.keyword = "ab" }
    let found = numbered(1...2, .all, "ab")
    await store.receive(.loaded(Page(articles: found, hasMore: true))) {
      $0.articles = found
      $0.hasMore = true
    }
    if ending == .answer {
      await store.expectDrop(.loaded(Page(articles: numbered(1...2, .all, "a"), hasMore: true)))
    }
    await store.finish()
  }
}

// MARK: - Servers

/// Articles with numbers, so that a test shows where they belong.
func numbered(_ numbers: ClosedRange<Int>, _ category: Category = .all, _ keyword: String = "") -> [Article] {
  numbers.map { Article(title: "\(keyword)\($0)", category: category) }
}

/// Answers at once: four articles of each kind, two to a page.
let quick: @Sendable (Request) async throws -> Page = { request in
  let numbers = request.offset + 1...request.offset + 2
  return Page(articles: numbered(numbers, request.category, request.keyword), hasMore: request.offset < 2)
}

/// The same after a second of the test's clock.
func slow(_ clock: TestClock) -> @Sendable (Request) async throws -> Page {
  { request in
    try await clock.sleep(for: .seconds(1))
    return try await quick(request)
  }
}
