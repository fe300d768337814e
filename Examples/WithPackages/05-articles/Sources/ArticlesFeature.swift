// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A list that is loaded in five ways, and longer at its end. Start reading here: this is all the logic there is.
struct ArticlesFeature: Reducer {
  struct State: Equatable, Sendable {
    var category = Category.all
    var keyword = ""
    var articles: [Article] = []
    var hasMore = false
    var failure: Failure?
  }

  /// What went wrong, and with which request, so that it can be made again.
  struct Failure: Equatable, Sendable {
    let request: Request
    let problem: Problem
  }

  enum Action: Equatable, Sendable {
    // From the user: five ways to a new list, and one to a longer one.
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

  /// The names of what runs.
  enum Work: Hashable, Sendable {
    case load, more
  }

  /// Asks for articles. A dependency is a stored property, so that tests put in another one.
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
      // While the list was loaded, more of the old one may have been asked for.
      return .cancel(id: Work.more)
    case .appended(let page):
      state.articles += page.articles
      state.hasMore = page.hasMore
      return .none
    case .failed(let failure):
      state.failure = failure
      return .none
    }
  }

  /// A new list: it takes the place of the one that is on its way, and nobody wants more of the old one.
  private func load(_ state: inout State) -> Effect<Action> {
    state.failure = nil
    return .merge(
      .cancel(id: Work.more),
      run(.load, overlap: .restart, Request(category: state.category, keyword: state.keyword), Action.loaded))
  }

  /// The list goes on; while it does, it is not asked to again.
  private func loadMore(_ state: inout State) -> Effect<Action> {
    state.failure = nil
    let request = Request(category: state.category, keyword: state.keyword, offset: state.articles.count)
    return run(.more, overlap: .drop, request, Action.appended)
  }

  /// The request is frozen here. Whatever becomes of the state, the answer and the failure are those of this request.
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
