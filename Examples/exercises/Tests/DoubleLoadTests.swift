// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@Suite struct DoubleLoadTests {
  @Test func `Two messages of one author download one picture, in every order of events`() async {
    await explore { schedule in
      // The server, the mock and the cache remember what has happened, so each schedule has new ones.
      let server = Server()
      let download = Mock<String, Chat.Picture>(answering: { author in server.picture(of: author) })
      let script = schedule.store(
        initialState: Chat.State(), reducer: Chat(cache: PictureCache(download: download.callAsFunction)),
        always: { state in state.pictures.values.allSatisfy { $0.download == 1 } },
        finally: { state in state.pictures.keys.sorted() == ["ann", "bob"] })
      script.send(.messageAppeared(author: "ann"))
      script.send(.messageAppeared(author: "ann"))
      script.send(.messageAppeared(author: "bob"))
    }
  }

  /// Numbers the downloads of each author.
  private final class Server: Sendable {
    private let downloads = Mutex<[String: Int]>([:])

    func picture(of author: String) -> Chat.Picture {
      downloads.withLock { downloads in
        downloads[author, default: 0] += 1
        return Chat.Picture(download: downloads[author, default: 0])
      }
    }
  }
}
