// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The owner of the points. Start reading here: the points are stored once, and both features change them in place.
struct Wallet: Reducer {
  struct State: Equatable, Sendable {
    /// The shared value. There is no other copy of it.
    var points: Int
    var shopPage = Shop.Page()
    var quizPage = Quiz.Page()
    var problem: String?

    /// The state of a feature is made of the shared value and of its own part, and is taken apart again after a change.
    var shop: Shop.State {
      get { Shop.State(points: points, page: shopPage) }
      set { (points, shopPage) = (newValue.points, newValue.page) }
    }
    var quiz: Quiz.State {
      get { Quiz.State(points: points, page: quizPage) }
      set { (points, quizPage) = (newValue.points, newValue.page) }
    }
  }

  enum Action: Equatable, Sendable {
    case shop(Shop.Action)
    case quiz(Quiz.Action)
    case notSaved(String)
  }

  static let shop = CasePath(Action.shop)
  static let quiz = CasePath(Action.quiz)

  var services: Services

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }

  private var whole: some Reducer<State, Action> {
    // No matter which feature has changed the points. One save at a time, and the newest value is saved last.
    features.onChange(of: \.points) { state, _ in save(state.points) }
  }

  private var features: some Reducer<State, Action> {
    CombineReducers {
      Scope(\State.shop, action: Self.shop) { Shop(order: services.order) }
      Scope(\State.quiz, action: Self.quiz) { Quiz(check: services.check) }
      Reduce<State, Action> { state, action in
        if case .notSaved(let problem) = action { state.problem = problem }
        return .none
      }
    }
  }

  private func save(_ points: Int) -> Effect<Action> {
    .run(id: "save", overlap: .keepLatest, input: points) { [services] points, _ in
      try await services.save(points)
    } catch: { error, send in
      send(.notSaved("\(error)"))
    }
  }
}
