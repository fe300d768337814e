// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import LocalServer
import Testing

@testable import downloads

/// The queue, a real client, a real server and a real disk.
@Suite struct `Downloads from a server` {
  @Test func `All bytes of all files arrive, though the server refuses requests and a file is paused`() async throws {
    try await LocalServer.whileRunning(answering: { FileServer.answer($0) }) { server in
      try await Disk.whileMounted { disk in
        let client = FileClient(server: server.url) { name, position in
          switch (name, position) {
          case ("b", 20_480): ["hang": 1]
          case ("c", 8192): ["fail": 3]
          case ("f", 0): ["fail": 4]
          default: [:]
          }
        }
        let files = try await client.files()
        let store = Store(
          initialState: .init(), reducer: Downloads(fetch: { try await client.bytes($0, $1) }, disk: disk))
        store.send(.added(files))
        await server.hangs()
        store.send(.pauseTapped("b"))
        for await items in store.values(\.items)
        where items.map(\.phase) == [.done, .paused, .done, .done, .done, .failed] { break }
        #expect(try disk.count("b") == 20_480)
        store.send(.resumeTapped("b"))
        store.send(.resumeTapped("f"))
        await store.shutdown(.draining)

        #expect(await store.state.items.allSatisfy { $0.phase == .done && $0.received == $0.file.size })
        for file in files { #expect(try checksum(disk.read(file.name)) == file.checksum) }
      }
    }
  }
}
