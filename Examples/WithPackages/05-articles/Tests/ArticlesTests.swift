// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import articles

/// What the feature does, step by step.
@Suite struct ArticlesTests {
  private static let first = Page(articles: numbered(1...2), hasMore: true)
  private static let shown = ArticlesFeature.State(articles: first.articles, hasMore: true)

  @Test func `Whoever appears sees the first page, and does not ask for it again`() async {
    let store = TestStore(initialState: .init(), reducer: ArticlesFeature(fetch: quick))
    store.send(.appeared)
    store.assertEffects { $0[ArticlesFeature.Work.load] = EffectStatus(running: 1, input: Request()) }
    await store.receive(.loaded(Self.first)) { $0 = Self.shown }
    store.send(.appeared)
    await store.finish()
  }

  @Test func `At the end the list goes on, until there is no more`() async {
    let store = TestStore(initialState: Self.shown, reducer: ArticlesFeature(fetch: quick))
    store.send(.endReached)
    await store.receive(.appended(Page(articles: numbered(3...4), hasMore: false))) {
      $0.articles = numbered(1...4)
      $0.hasMore = false
    }
    store.send(.endReached)
    await store.finish()
  }

  @Test func `While more is on its way, it is not asked for again (O1)`() async {
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

  @Test func `Refresh keeps the list until the new one is there, and gives up what was to come behind it (E3)`() async {
    let store = TestStore(initialState: Self.shown, reducer: ArticlesFeature(fetch: quick))
    store.reducer.fetch = slow(store.clock)
    store.send(.endReached)
    store.send(.refreshTapped)
    store.assertEffects { $0[ArticlesFeature.Work.load] = EffectStatus(running: 1, input: Request()) }
    store.advance(by: .seconds(1))
    await store.receive(.loaded(Self.first))
    await store.finish()
  }

  @Test func `More of the old list is given up when the new one comes`() async {
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
  func `Retry asks again for what has failed, and the list stays`(offset: Int) async {
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

  @Test func `The keyword goes with the category, and the category with the keyword`() async {
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

  // MARK: - What comes too late

  /// How a request ends that nobody waits for any more.
  enum Ending: CaseIterable {
    case answer, error, cancellation
  }

  @Test(arguments: Ending.allCases)
  func `Nothing is seen of a request that was replaced, however it ends (E1, E4)`(ending: Ending) async {
    let store = TestStore(initialState: .init(), reducer: ArticlesFeature(fetch: quick))
    store.assertsDrops = true
    let clock = store.clock
    store.reducer.fetch = { request in
      guard request.keyword == "a" else { return try await quick(request) }
      // When it is cancelled, it goes on as if nothing had happened, or makes an error of it.
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

/// Articles by their numbers, so that one sees where they belong.
func numbered(_ numbers: ClosedRange<Int>, _ category: Category = .all, _ keyword: String = "") -> [Article] {
  numbers.map { Article(title: "\(keyword)\($0)", category: category) }
}

/// Four articles of each kind, two to a page, at once.
let quick: @Sendable (Request) async throws -> Page = { request in
  let numbers = request.offset + 1...request.offset + 2
  return Page(articles: numbered(numbers, request.category, request.keyword), hasMore: request.offset < 2)
}

/// The same after a second of the test's own time.
func slow(_ clock: TestClock) -> @Sendable (Request) async throws -> Page {
  { request in
    try await clock.sleep(for: .seconds(1))
    return try await quick(request)
  }
}
