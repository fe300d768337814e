// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import LocalServer

/// The program: six files over a bad network, and a user who pauses, cancels and resumes.
@main
enum Main {
  static func main() async throws {
    try await LocalServer.whileRunning(answering: { FileServer.answer($0) }) { server in
      try await Disk.whileMounted { disk in
        try await download(from: server, to: disk)
      }
    }
  }

  /// Each part takes a while. The server hangs in the middle of b, refuses c twice and f five times.
  @Sendable private static func trouble(_ name: String, _ position: Int) -> [String: Int] {
    switch (name, position) {
    case ("b", 20_480): ["hang": 1]
    case ("c", 8192): ["fail": 2]
    case ("f", 0): ["fail": 5]
    default: ["delay": 10]
    }
  }

  private static func download(from server: LocalServer, to disk: Disk) async throws {
    let client = FileClient(server: server.url, trouble: trouble)
    let files = try await client.files()
    let store = Store(
      initialState: .init(),
      reducer: Downloads(fetch: { try await client.bytes($0, $1) }, disk: disk))
    let screen = Task { await draw(store) }

    func say(_ what: String, until condition: ([Downloads.Item]) -> Bool) async {
      for await items in store.values(\.items) where condition(items) { break }
      if isatty(1) == 0 { print(what) }
    }
    store.send(.added(files))
    await server.hangs()
    await say("b hangs: it is paused, and e is cancelled") { $0.contains { $0.id == "b" && $0.phase == .loading } }
    store.send(.pauseTapped("b"))
    store.send(.cancelTapped("e"))
    await say("a, c and d are done, f has failed four times: b and f are resumed") {
      $0.map(\.phase) == [.done, .paused, .done, .done, .failed]
    }
    store.send(.resumeTapped("b"))
    store.send(.resumeTapped("f"))
    await say("all are done") { $0.allSatisfy { $0.phase == .done } }

    let done = await store.state.items
    await store.shutdown(.draining)
    await screen.value
    for item in done {
      let isWhole = try checksum(disk.read(item.id)) == item.file.checksum
      print("\(item.id): \(item.received) bytes, \(isWhole ? "all of them right" : "DAMAGED")")
    }
  }

  /// In a terminal, bars that grow.
  private static func draw(_ store: Store<Downloads>) async {
    guard isatty(1) != 0 else { return }
    var count = 0
    for await items in store.values(\.items) {
      FileHandle.standardOutput.write(Data(redrawn(rows(items), over: count).utf8))
      count = items.count
    }
  }
}
