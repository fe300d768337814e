// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The same chat with one mistake in `post`: a message is kept only if it could not be written. But to write to a
/// socket only hands the message to the operating system, where it may still be lost.
struct NaiveChat: Reducer {
  typealias State = Chat.State

  enum Action: Equatable, Sendable {
    case chat(Chat.Action)
    case failed(Draft)
  }

  var chat: Chat

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .chat(.sendTapped(let text)):
      return post([state.draft(text)])
    case .failed(let draft):
      state.outbox.append(draft)
      return .none
    case .chat(.opened(let line)):
      let waiting = state.outbox
      state.outbox = []
      return .merge(chat.reduce(into: &state, action: .opened(line: line)).map(Action.chat), post(waiting))
    case .chat(let action):
      return chat.reduce(into: &state, action: action).map(Action.chat)
    }
  }

  private func post(_ drafts: [Draft]) -> Effect<Action> {
    .merge(
      drafts.map { draft in
        .run(id: Chat.Work.post, overlap: .enqueue, input: draft) { [link = chat.link] draft, _ in
          try await link.post(draft)
        } catch: { _, send in
          send(.failed(draft))
        }
      })
  }
}
