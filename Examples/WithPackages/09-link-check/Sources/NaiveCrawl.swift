// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A crawl as it is often written first: a page is stored when it has answered, and open requests are counted to detect
/// the end. Both fail: the first in an unlucky order of answers, the second when the crawl is stopped.
struct NaiveCrawl: Reducer {
  struct State: Equatable, Sendable {
    var answers: [Page: Answer] = [:]
    var open = 0
  }

  typealias Action = Crawl.Action

  var fetch: @Sendable (Page) async throws -> Answer

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started(let page):
      return visit([page], &state)
    case .answered(let page, let answer, _):
      state.open -= 1
      state.answers[page] = answer
      return visit(answer.leads(following: true), &state)
    case .stopped:
      return .cancel(.everything)
    case .began:
      return .none
    }
  }

  private func visit(_ found: [Page], _ state: inout State) -> Effect<Action> {
    let new = found.filter { state.answers[$0] == nil }
    state.open += new.count
    return .merge(
      new.map { page in
        .run(input: page) { [fetch] page, send in
          send(.answered(page, try await fetch(page), took: .zero))
        } catch: { _, send in
          send(.answered(page, .unreachable, took: .zero))
        }
      })
  }
}
