// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// A question that dismisses itself with its answer, which may lead to another question.
private struct Asking<Question: Equatable & Sendable>: Reducer {
  enum Answer: DismissingAction, Equatable {
    case yes, edited
    var isDismissal: Bool { self == .yes }
  }
  struct State: Equatable { var question: Question? }
  enum Action: Equatable, Sendable { case question(Answer) }

  /// What the parent asks after an answer; `nil` if it does nothing.
  let next: @Sendable (Question) -> Question?

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      if action == .question(.yes), let question = state.question, let next = next(question) { state.question = next }
      return .none
    }
    .ifLet(
      \.question,
      action: CasePath(embed: Action.question, extract: { if case .question(let answer) = $0 { answer } else { nil } })
    ) { Reduce<Question, Answer> { _, _ in .none } }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

/// A question with an id. Its answer leads to another text, then to another question, then to none.
private struct NumberedQuestions: Reducer {
  struct Question: Equatable, Identifiable, Sendable {
    let id: Int
    var text = "Delete?"
  }
  struct State: Equatable { var question: Question? }
  typealias Action = Asking<String>.Action

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch (action, state.question?.id, state.question?.text) {
      case (.question(.yes), 1, "Delete?"): state.question?.text = "Really?"
      case (.question(.yes), 1, _): state.question = Question(id: 2, text: "Really?")
      default: break
      }
      return .none
    }
    .ifLet(
      \.question,
      action: CasePath(embed: Action.question, extract: { if case .question(let answer) = $0 { answer } else { nil } })
    ) { Reduce<Question, Asking<String>.Answer> { _, _ in .none } }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

/// A parent that answers a dismissal with another child.
@Suite struct ReplacedChildTests {
  @Test func `A child without an id that the parent replaces with its dismissal stays (M8)`() {
    let store = TestStore(
      initialState: .init(question: "Delete?"), reducer: Asking<String> { $0 == "Delete?" ? "Really?" : nil })
    store.send(.question(.yes)) { $0.question = "Really?" }
    store.send(.question(.yes)) { $0.question = nil }
  }

  @Test func `A child with an id that the parent changes with its dismissal stays, and a replaced one (M8)`() {
    let store = TestStore(initialState: .init(question: .init(id: 1)), reducer: NumberedQuestions())
    store.send(.question(.yes)) { $0.question?.text = "Really?" }
    store.send(.question(.yes)) { $0.question = .init(id: 2, text: "Really?") }
    store.send(.question(.yes)) { $0.question = nil }
  }

  @Test func `A child that the parent replaces by an equal one is removed (M8)`() {
    let store = TestStore(initialState: .init(question: "Delete?"), reducer: Asking<String> { $0 })
    store.send(.question(.yes)) { $0.question = nil }
  }
}
