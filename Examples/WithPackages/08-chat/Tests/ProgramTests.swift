// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import chat

extension Sockets {
  /// The program as its user sees it.
  @Suite struct `The program of the chat` {
    @Test func `A wrong argument is one sentence and status 64`() async throws {
      let result = try await #require(processExitsWith: .exitCode(64), observing: [\.standardErrorContent]) {
        exit(await Main.status(of: ["--help"]))
      }
      #expect(String(decoding: result.standardErrorContent, as: UTF8.self) == "chat: It takes no argument.\n")
    }

    @Test func `If no port is free, it says so, and the status is 1`() async throws {
      let result = try await #require(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        let other = try await ChatServer.start()
        exit(await Main.status(of: [], ports: [other.port]))
      }
      #expect(String(decoding: result.standardErrorContent, as: UTF8.self) == "chat: No port is free.\n")
    }

    @Test func `If its port is taken while the server is down, the server says so`() async throws {
      try await ChatServer.whileRunning { server in
        await server.kill()
        let other = ChatServer(port: server.port)
        try await other.start()
        let error = await #expect(throws: CannotListen.self) { try await server.start() }
        #expect(error?.description == "Port \(server.port) is in use by another program.")
        await other.kill()
        try await server.start()
        try await server.answers()
      }
    }

    @Test func `If another client writes too, the end is not right, and the status is 1`() async throws {
      await #expect(processExitsWith: .exitCode(1)) {
        let server = try await ChatServer.start()
        await server.room.accept(Draft(id: "eve-1", author: "eve", text: "hello"))
        exit(try await Main.session(on: server) ? 0 : 1)
      }
    }
  }
}
