// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A chat. Each message that appears shows the picture of its author. Each picture is downloaded once.
struct Chat: Reducer {
  struct State: Equatable, Sendable {
    var pictures: [String: Picture] = [:]
  }

  struct Picture: Equatable, Sendable {
    var download: Int  // 1 for the first download of this author, 2 for the second
  }

  enum Action: Equatable, Sendable {
    case messageAppeared(author: String)
    case loaded(Picture, author: String)
  }

  var cache: PictureCache

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .messageAppeared(let author):
      // Two messages of one author share one run. The actor alone is not enough: at its `await` a second call enters.
      return .run(id: author, overlap: .join, input: author) { [cache] author, send in
        send(.loaded(try await cache.picture(of: author), author: author))
      }
    case .loaded(let picture, let author):
      state.pictures[author] = picture
      return .none
    }
  }
}

/// Downloads a picture, and returns it from then on.
actor PictureCache {
  private var pictures: [String: Chat.Picture] = [:]
  private let download: @Sendable (_ author: String) async throws -> Chat.Picture

  init(download: @escaping @Sendable (_ author: String) async throws -> Chat.Picture) {
    self.download = download
  }

  func picture(of author: String) async throws -> Chat.Picture {
    if let picture = pictures[author] { return picture }
    let picture = try await download(author)
    pictures[author] = picture
    return picture
  }
}
