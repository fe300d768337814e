// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import chat

extension Sockets {
  /// Clients that leave at a bad moment, in a process of its own: all tests of a process share its file descriptors.
  @Suite struct `Clients that leave` {
    private enum Way: CaseIterable {
      /// The connection is reset, or closed, when the request has been sent.
      case resetAtOnce, closedAtOnce
      /// The connection is reset, or closed, and there are messages that were not read.
      case resetUnread, closedUnread
    }

    @Test func `After 1200 clients that left, new ones are served, and no file descriptor is left`() async throws {
      await #expect(processExitsWith: .success) {
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count }
        let server = try await ChatServer.start()
        for number in 1...200 { await server.room.accept(draft(number, String(repeating: "x", count: 10_000))) }
        try await server.answers()
        await server.kill()
        let before = try descriptors()
        try await server.start()
        // A client that is connected meanwhile.
        let witness = try await WebSocket.connect(to: server.port, path: "/?after=\(await server.room.messages.count)")
        for way in Way.allCases {
          for number in 1...300 {
            try await Wire.connect(server.port) { wire in
              let all = await server.room.messages.count
              let isUnread = way == .resetUnread || way == .closedUnread
              try await wire.send(Wire.request(server.port, "/?after=\(isUnread ? 0 : all)"))
              if isUnread { try await wire.some() }
              if way == .resetAtOnce || way == .resetUnread { try await wire.reset() }
            }
            // The server has accepted all that came before: so the limit of connections is not reached.
            guard number.isMultiple(of: 30) else { continue }
            try await server.answers()
            _ = try await witness.read()
          }
        }
        witness.close()
        await witness.hasClosed()
        await server.kill()
        #expect(try descriptors() == before)
      }
    }

    @Test func `A visit that has ended is forgotten`() async {
      let room = Room()
      weak var visit: Visit?
      do {
        let entered = await room.enter(after: 0)
        visit = entered
        await room.leave(entered)
      }
      #expect(visit == nil)
    }
  }
}
