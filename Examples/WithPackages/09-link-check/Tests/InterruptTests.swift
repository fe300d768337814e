// This source file is part of swift-effects. License: Apache-2.0.

#if os(Linux)
  import Foundation
  import HummingbirdCore
  import LocalServer
  import Testing

  @testable import link_check

  /// The program and its user, who presses Ctrl-C.
  @Suite(.timeLimit(.minutes(2))) struct `Ctrl-C` {
    /// A slow page, which answers when the gate opens, one that never answers, and two more after them.
    private static func whileServed(
      _ body: @escaping @Sendable (LocalServer, _ open: @Sendable () -> Void) async throws -> Void
    ) async throws {
      let (gate, opener) = AsyncStream<Never>.makeStream()
      try await LocalServer.whileRunning { request in
        guard request.uri.path == "/slow" else {
          return Site.page(linkingTo: ["/slow", "/stuck?hang=9", "/third", "/fourth"])
        }
        for await _ in gate {}
        return Site.page(linkingTo: ["/found"])
      } _: { server in
        try await body(server) { opener.finish() }
      }
    }

    @Test func `The first Ctrl-C waits for sent requests, then prints the report and what is not visited (L4)`()
      async throws
    {
      try await Self.whileServed { server, open in
        let program = try Program([server.url.absoluteString])
        await server.hasBeenAsked(times: 3)
        program.interrupt()
        await program.isStopping()
        open()
        let (lines, status) = await program.end()
        #expect(
          lines.filter { !$0.hasPrefix("slowest") } == [
            "\(server.url): 2 pages", "broken: none", "not visited:", "  \(server.url)/found", "  \(server.url)/fourth",
            "  \(server.url)/stuck?hang=9", "  \(server.url)/third",
            "2 pages: 0 moved, 0 broken, 0 of them without an answer in time",
          ])
        #expect(status == 130)
        #expect(await server.asked == 3)
      }
    }

    @Test func `The second Ctrl-C ends the program at once`() async throws {
      try await Self.whileServed { server, _ in
        let program = try Program([server.url.absoluteString])
        await server.hasBeenAsked(times: 3)
        program.interrupt()
        await program.isStopping()
        program.interrupt()
        let (lines, status) = await program.end()
        #expect(lines == [])
        #expect(status == 130)
      }
    }

    @Test func `Without Ctrl-C, the program crawls the built-in site, and its status shows that links are broken`()
      async throws
    {
      let (lines, status) = try await Program().end()
      #expect(lines.last == "18 pages: 3 moved, 6 broken, 1 of them without an answer in time")
      #expect(status == 1)
      #expect(try await Program(["no page"]).end().status == 64)
    }
  }
#endif
