// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The list as it is often written first. It differs from `ArticlesFeature` in two points: `.concurrent` and no
/// `cancel`, so the last answer to arrive is shown.
struct NaiveArticles: Reducer {
  typealias State = ArticlesFeature.State
  typealias Action = ArticlesFeature.Action

  var fetch: @Sendable (Request) async throws -> Page

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared, .refreshTapped, .retryTapped:
      return run(.load, Request(category: state.category, keyword: state.keyword), Action.loaded)
    case .categoryChosen(let category):
      state = State(category: category, keyword: state.keyword)
      return run(.load, Request(category: state.category, keyword: state.keyword), Action.loaded)
    case .keywordChanged(let keyword):
      state = State(category: state.category, keyword: keyword)
      return run(.load, Request(category: state.category, keyword: state.keyword), Action.loaded)
    case .endReached:
      return run(
        .more, Request(category: state.category, keyword: state.keyword, offset: state.articles.count),
        Action.appended)
    case .loaded(let page):
      state.articles = page.articles
      state.hasMore = page.hasMore
    case .appended(let page):
      state.articles += page.articles
      state.hasMore = page.hasMore
    case .failed(let failure):
      state.failure = failure
    }
    return .none
  }

  private func run(
    _ work: ArticlesFeature.Work, _ request: Request, _ answer: @escaping @Sendable (Page) -> Action
  ) -> Effect<Action> {
    .run(id: work, overlap: .concurrent, input: request) { [fetch] request, send in
      send(answer(try await fetch(request)))
    } catch: { error, send in
      send(.failed(.init(request: request, problem: error as? Problem ?? .noConnection)))
    }
  }
}
