// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import LocalServer

/// The program: a user reads articles over a bad network, with a picture of the screen after each step.
@main
enum Main {
  static func main() async throws {
    try await LocalServer.whileRunning(answering: { ArticleServer.answer($0) }) { server in
      await read(from: server)
      await readNaively(from: server)
    }
  }

  /// Some requests take long, some fail once. This depends only on the request, so each session is the same.
  @Sendable private static func trouble(_ request: Request) -> [String: Int] {
    switch (request.category, request.keyword, request.offset) {
    case (.all, "", 6): ["fail": 1]
    case (.all, "", 3): ["delay": 200]
    case (.server, _, _): ["delay": 500]
    case (_, "A", _): ["delay": 400, "fail": 1]
    case (_, "Ac", _): ["delay": 300]
    default: [:]
    }
  }

  @MainActor
  private static func read(from server: LocalServer) async {
    let client = ArticleClient(server: server.url, trouble: trouble)
    let articles = ObservableStore(initialState: .init(), reducer: ArticlesFeature { try await client.page($0) })

    func step(_ title: String, _ actions: ArticlesFeature.Action...) async {
      for action in actions.dropLast() {
        let asked = await server.asked
        articles.send(action)
        await server.hasBeenAsked(times: asked + 1)
      }
      let last = articles.send(actions[actions.count - 1])
      print("\(title):\n  \(screen(articles))")
      await last.finish()
      print("  \(screen(articles))")
    }
    await step("appear", .appeared)
    await step("the end is reached", .endReached)
    await step("and again: the server fails", .endReached)
    await step("retry", .retryTapped)
    await step("refresh, which is a new beginning", .refreshTapped)
    await step("the end is reached, and refresh before it comes", .endReached, .refreshTapped)
    await step("a slow category, and a quick one before it comes", .categoryChosen(.server), .categoryChosen(.language))
    await step(
      "all; a keyword, each letter quicker than the one before, and the first fails", .categoryChosen(.all),
      .keywordChanged("A"), .keywordChanged("Ac"), .keywordChanged("Actor"))
    await server.isQuiet()
    print("when all has been answered:\n  \(screen(articles))")
  }

  /// The same two categories with the naive list, whose requests do not replace each other.
  private static func readNaively(from server: LocalServer) async {
    let client = ArticleClient(server: server.url, trouble: trouble)
    let articles = Store(initialState: .init(), reducer: NaiveArticles { try await client.page($0) })
    for dispatch in [articles.send(.categoryChosen(.server)), articles.send(.categoryChosen(.language))] {
      await dispatch.finish()
    }
    let state = await articles.state
    print("the naive list, when all has been answered:\n  category \(state.category), but \(list(state.articles))")
  }
}
