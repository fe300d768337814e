// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

/// A page of a stack, and also an optional child. It can dismiss itself.
struct Page: Reducer {
  struct State: Hashable, Codable, Sendable {
    var title: String
    var text = ""
  }
  enum Action: DismissingAction, Equatable {
    case load, loaded(String), save, saved, doneLoading
    var isDismissal: Bool { self == .saved || self == .doneLoading }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .load, .doneLoading:
      return .run(id: "load", overlap: .restart) { send in
        try await send.sleep(for: .seconds(1))
        send(.loaded("text"))
      }
    case .loaded(let text): state.text = text
    case .save:
      return .run(id: "save", overlap: .drop) { send in
        try await send.sleep(for: .seconds(1))
        send(.saved)
      }
    case .saved: state.title += ", saved"
    }
    return .none
  }
}

/// A stack of pages and one page beside it. It keeps the title of each page that dismisses itself.
struct Book: Reducer {
  struct State: Equatable {
    var pages = ChildStack<Page.State>()
    var note: Page.State?
    var kept: [String] = []
  }
  enum Action: Equatable, Sendable {
    case pages(StackAction<Page.State, Page.Action>), note(Page.Action), close
  }

  static let pages = CasePath(
    embed: Action.pages, extract: { if case .pages(let action) = $0 { action } else { nil } })
  static let note = CasePath(
    embed: Action.note, extract: { if case .note(let action) = $0 { action } else { nil } })

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .pages(.element(let id, .saved)): state.kept.append(state.pages[id: id]?.title ?? "none")
      case .note(.saved): state.kept.append(state.note?.title ?? "none")
      case .close: state.pages.pop()
      case .pages, .note: break
      }
      return .none
    }
    .stack(\.pages, action: Self.pages, fileID: "App/Book.swift", line: 7) { Page() }
    .ifLet(\.note, action: Self.note, fileID: "App/Book.swift", line: 8) { Page() }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}
