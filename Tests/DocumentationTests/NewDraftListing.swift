// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Troubleshooting.md; `MistakesTests.swift` compares the two.

import EffectTesting

/// The last section of the page: a child whose state is replaced.
enum NewDraft {
  // listing: fresh
  struct Draft: Equatable, Identifiable, Sendable { let id: Int; var hint = "" }
  struct State: Equatable, Sendable { var draft: Draft? = Draft(id: 1) }
  enum DraftAction: Equatable, Sendable { case opened, hinted(String) }
  enum Action: Equatable, Sendable { case newTapped, draft(DraftAction) }
  // end

  private static let path = CasePath<Action, DraftAction>(
    embed: { .draft($0) }, extract: { if case .draft(let action) = $0 { action } else { nil } })

  static var wrong: Reduce<State, Action> {
    Reduce { state, action in
      // listing: fresh-wrong
      if action == .newTapped, let former = state.draft { state.draft = Draft(id: former.id) }
      return .none
      // end
    }
  }

  static var right: Reduce<State, Action> {
    Reduce { state, action in
      // listing: fresh-right
      if action == .newTapped, let former = state.draft { state.draft = Draft(id: former.id + 1) }
      return .none
      // end
    }
  }

  static func letter(
    _ parent: Reduce<State, Action>, hint: @escaping @Sendable () async throws -> String
  ) -> some Reducer<State, Action> {
    parent.ifLet(\.draft, action: path) {
      Reduce<Draft, DraftAction> { draft, action in
        switch action {
        case .opened: return .run(id: "hint", overlap: .restart) { send in send(.hinted(try await hint())) }
        case .hinted(let text): draft.hint = text
        }
        return .none
      }
    }
  }
}
