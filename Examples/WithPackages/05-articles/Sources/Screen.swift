// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// What the screen shows: the list, and after it what runs or went wrong.
@MainActor
func screen(_ articles: ObservableStore<ArticlesFeature.State, ArticlesFeature.Action>) -> String {
  let news =
    if articles.isRunning(ArticlesFeature.Work.load) {
      "loading ..."
    } else if articles.isRunning(ArticlesFeature.Work.more) {
      "loading more ..."
    } else if let failure = articles.failure {
      "\(failure.problem), retry?"
    } else {
      articles.hasMore ? "more" : "end"
    }
  return "\(list(articles.articles)) [\(news)]"
}

func list(_ articles: [Article]) -> String {
  articles.isEmpty ? "(nothing)" : articles.map(\.title).joined(separator: ", ")
}
