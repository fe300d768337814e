// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import chat

extension Sockets {
  /// Real clients and a real server.
  @Suite struct `Chats over a server` {
    @Test func `Of 200 messages none is lost or duplicated, though the server is killed again and again`() async throws
    {
      let server = try await ChatServer.start()
      let people = ["ann", "ben"].map { author in
        Store(
          initialState: .init(author: author),
          reducer: Chat(
            link: WebSocketLink(port: server.port),
            backoff: .constant(.milliseconds(20)).jittered(by: 0.5, seed: author == "ann" ? 1 : 2)))
      }
      for person in people { person.send(.joined) }
      for person in people { _ = await person.first(where: \.isOnline) }
      for number in 1...100 {
        for person in people { person.send(.sendTapped("\(number)")) }
      }
      for count in [20, 50, 100, 150] {
        // While messages are being sent: those that are being sent now are lost.
        _ = await server.room.enter(after: count).next()
        await server.kill()
        let before = await server.room.messages.count
        for person in people { _ = await person.first { !$0.isOnline } }
        #expect(await server.room.messages.count == before)
        try await server.start()
        for person in people { _ = await person.first(where: \.isOnline) }
      }
      for person in people { _ = await person.first { $0.isUpToDate(200) } }

      let messages = await server.room.messages
      #expect(messages.map(\.number) == Array(1...200))
      for author in ["ann", "ben"] {
        let written = messages.map(\.draft).filter { $0.author == author }
        #expect(written.map(\.id) == (1...100).map { "\(author)-\($0)" })
      }
      for person in people {
        #expect(await person.state.messages == messages)
        await person.shutdown(.cancelling)
      }
      await server.kill()
    }
  }
}
