// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A list that five actions can load, and that loads more at its end. Start reading here: this is all the logic.
struct ArticlesFeature: Reducer {
  struct State: Equatable, Sendable {
    var category = Category.all
    var keyword = ""
    var articles: [Article] = []
    var hasMore = false
    var failure: Failure?
  }

  /// What went wrong, and with which request, so that the request can be repeated.
  struct Failure: Equatable, Sendable {
    let request: Request
    let problem: Problem
  }

  enum Action: Equatable, Sendable {
    // From the user: five actions that load a new list, and one that extends it.
    case appeared
    case refreshTapped
    case retryTapped
    case categoryChosen(Category)
    case keywordChanged(String)
    case endReached
    // From the server.
    case loaded(Page)
    case appended(Page)
    case failed(Failure)
  }

  /// The ids of the runs.
  enum Work: Hashable, Sendable {
    case load, more
  }

  /// Requests articles. A dependency is a stored property, so that tests can replace it.
  var fetch: @Sendable (Request) async throws -> Page

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      return state.articles.isEmpty ? load(&state) : .none
    case .refreshTapped:
      return load(&state)  // the old list is shown until the new one is there
    case .retryTapped:
      guard let request = state.failure?.request else { return .none }
      return request.offset == 0 ? load(&state) : loadMore(&state)
    case .categoryChosen(let category):
      state = State(category: category, keyword: state.keyword)
      return load(&state)
    case .keywordChanged(let keyword):
      state = State(category: state.category, keyword: keyword)
      return load(&state)
    case .endReached:
      return state.hasMore ? loadMore(&state) : .none

    case .loaded(let page):
      state.articles = page.articles
      state.hasMore = page.hasMore
      // While the list was loaded, more of the old one may have been requested.
      return .cancel(id: Work.more)
    case .appended(let page):
      state.articles += page.articles
      state.hasMore = page.hasMore
      return .none
    case .failed(let failure):
      // A restart does not replace a request that has failed already, so its failure may come behind a new query.
      if failure.request.category == state.category, failure.request.keyword == state.keyword {
        state.failure = failure
      }
      return .none
    }
  }

  /// A new list: it replaces the one that is being loaded, and loading more of the old one is cancelled.
  private func load(_ state: inout State) -> Effect<Action> {
    state.failure = nil
    return .merge(
      .cancel(id: Work.more),
      run(.load, overlap: .restart, Request(category: state.category, keyword: state.keyword), Action.loaded))
  }

  /// Loads more of the list; while it does, another request for more is refused.
  private func loadMore(_ state: inout State) -> Effect<Action> {
    state.failure = nil
    let request = Request(category: state.category, keyword: state.keyword, offset: state.articles.count)
    return run(.more, overlap: .drop, request, Action.appended)
  }

  /// The request is fixed here. However the state changes, the answer and the failure belong to this request.
  private func run(
    _ work: Work, overlap: Overlap, _ request: Request, _ answer: @escaping @Sendable (Page) -> Action
  ) -> Effect<Action> {
    .run(id: work, overlap: overlap, input: request) { [fetch] request, send in
      send(answer(try await fetch(request)))
    } catch: { error, send in
      send(.failed(Failure(request: request, problem: error as? Problem ?? .noConnection)))
    }
  }
}
