// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation

/// The program: two people talk, and the server is killed in between.
@main
enum Main {
  static func main() async {
    exit(await status(of: Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs it, and returns its exit status.
  static func status(of arguments: [String], ports: [UInt16] = ChatServer.ports) async -> Int32 {
    do {
      guard arguments.isEmpty else { throw WrongArgument() }
      return try await session(on: ChatServer.start(on: ports)) ? 0 : 1
    } catch {
      FileHandle.standardError.write(Data("chat: \(error)\n".utf8))
      return error is WrongArgument ? 64 : 1  // EX_USAGE of sysexits.h
    }
  }

  /// Returns whether the end is right.
  static func session(on server: ChatServer) async throws -> Bool {
    let (ann, ben) = (person("ann", on: server, seed: 1), person("ben", on: server, seed: 2))

    func step(_ title: String, until condition: @Sendable (StoreChange<Chat.State>) -> Bool) async {
      print("\(title):")
      for chat in [ann, ben] {
        if let change = await chat.first(where: condition) { print("  " + screen(change)) }
      }
    }

    ann.send(.joined)
    ben.send(.joined)
    await step("both join", until: { $0.isUpToDate(0) })
    ann.send(.sendTapped("is anybody there?"))
    await step("ann writes", until: { $0.isUpToDate(1) })
    await server.kill()
    await step("the server is killed", until: \.isTryingAgain)
    ben.send(.sendTapped("yes!"))
    ben.send(.sendTapped("hello?"))
    await step("ben writes nevertheless", until: \.isTryingAgain)
    try await server.start()
    await step("the server is started again", until: { $0.isUpToDate(3) })

    // Now both write while the server is killed and started again.
    for number in 1...50 {
      ann.send(.sendTapped("a\(number)"))
      ben.send(.sendTapped("b\(number)"))
    }
    for count in [30, 60, 90] {
      _ = await server.room.enter(after: count).next()
      await server.kill()
      try await server.start()
    }
    for chat in [ann, ben] { _ = await chat.first { $0.isUpToDate(103) } }
    let messages = await server.room.messages
    let same = await [ann.state.messages, ben.state.messages] == [messages, messages]
    let once = Set(messages.map(\.draft.text)).count == messages.count
    print(
      """
      each writes 50 messages, and the server is killed three times:
        the server has \(messages.count), \(once ? "each of them once" : "SOME OF THEM TWICE")
        both show \(same ? "them all, in its order" : "SOMETHING ELSE")
      """)
    await ann.shutdown(.cancelling)
    await ben.shutdown(.cancelling)
    await server.kill()
    return once && same && messages.count == 103
  }

  private static func person(_ author: String, on server: ChatServer, seed: UInt64) -> Store<Chat> {
    Store(
      initialState: .init(author: author),
      reducer: Chat(link: WebSocketLink(port: server.port), backoff: .reconnect(seed: seed)))
  }
}

/// The program was called with an argument.
struct WrongArgument: Error, CustomStringConvertible {
  var description: String { "It takes no argument." }
}
