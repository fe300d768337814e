// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A note with pictures. Undo takes back what was typed last. A picture that was uploaded stays.
struct Note: Reducer {
  struct State: Equatable, Sendable {
    var text = ""
    var pictures: [String] = []
    var past: [Snapshot] = []
  }

  struct Snapshot: Equatable, Sendable {
    var text: String
    var pictures: [String]
  }

  enum Action: Equatable, Sendable {
    case typed(String)
    case undoTapped
    case pictureChosen(String)
    case uploaded(String)
  }

  var upload: @Sendable (_ file: String) async throws -> String

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let text):
      state.past.append(Snapshot(text: state.text, pictures: state.pictures))
      state.text = text
      return .none
    case .undoTapped:
      guard let last = state.past.popLast() else { return .none }
      state.text = last.text
      state.pictures = last.pictures
      return .none
    case .pictureChosen(let file):
      return .run(input: file) { [upload] file, send in
        send(.uploaded(try await upload(file)))
      }
    case .uploaded(let address):
      state.pictures.append(address)
      return .none
    }
  }
}
