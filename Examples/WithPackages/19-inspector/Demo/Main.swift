// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import Inspector

/// The program: two stores and their inspector, until the user presses Return.
///
/// `inspector-demo 120000` first sends that many actions to the search, so that its history is full.
@main
enum Main {
  static func main() async throws {
    let stub: @Sendable (String) async throws -> [String] = { query in
      Search.words.filter { !query.isEmpty && $0.hasPrefix(query) }
    }
    let find: @Sendable (String) async throws -> [String] = { query in
      try await Task.sleep(for: .milliseconds(200))
      return try await stub(query)
    }
    let search = Store(initialState: Search.State(), reducer: Search(find: find))
    let orders = Store(initialState: Orders.State(), reducer: Orders())

    let inspector = try await Inspector.start()
    try await inspector.attach(
      search, name: "search", reducer: Search(find: stub), codec: Search.codec, test: Search.test)
    try await inspector.attach(orders, name: "orders", reducer: Orders(), codec: Orders.codec)

    for number in 0..<(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0) {
      search.send(.queryChanged("query \(number)"))
      // At the speed of the store, so that they do not all wait in its mailbox.
      if number % 1_000 == 0 { _ = await search.state }
    }
    for length in 1...5 { search.send(.queryChanged(String("swift".prefix(length)))) }
    await search.send(.queryChanged("swi")).finish()
    orders.send(.opened)

    print("The inspector is at \(inspector.url)\nPress Return to end it.")
    // So that a reader of a pipe gets the lines now.
    fflush(nil)
    await inputHasEnded()
    await inspector.stop()
  }

  /// Waits for Return, or for the end of the input. On its own thread, because it blocks.
  private static func inputHasEnded() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = readLine()
        continuation.resume()
      }
    }
  }
}
