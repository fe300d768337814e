// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import downloads

/// What the feature does, step by step.
@Suite struct DownloadsTests {
  private typealias Work = Downloads.Work

  @Test func `A file arrives in parts, and the state holds its progress`() async {
    let disk = MemoryDisk()
    let store = TestStore(initialState: .init(), reducer: Downloads(fetch: quick, disk: disk))
    store.send(.added([file("a")])) { $0.items = [.init(file: file("a"))] }
    await store.receive(.received("a", upTo: 0)) { $0.items[0].phase = .loading }
    await store.receive(.received("a", upTo: 2)) { $0.items[0].received = 2 }
    await store.receive(.received("a", upTo: 4)) { $0.items[0].received = 4 }
    await store.receive(.finished("a")) { $0.items[0].phase = .done }
    await store.finish()
    #expect(await disk.files == ["a": content])
  }

  @Test func `Three runs are active and the others wait, and the next one gets a free slot (O1, E3)`() async {
    let store = TestStore(initialState: .init(), reducer: Downloads(fetch: quick, disk: MemoryDisk()))
    store.exhaustivity = .off
    hang(store)
    store.send(.added(["a", "b", "c", "d", "e"].map(file)))
    store.assertEffects {
      $0[Work.queue] = EffectStatus(running: 3, queued: 2, input: "c")
      for name in ["a", "b", "c", "d", "e"] { $0[Work.file(name)] = EffectStatus(running: 1) }
    }
    store.send(.cancelTapped("d"))
    store.send(.pauseTapped("a"))
    await store.settle()
    store.assertEffects {
      $0[Work.queue] = EffectStatus(running: 3, input: "e")
      for name in ["b", "c", "e"] { $0[Work.file(name)] = EffectStatus(running: 1) }
    }
    store.send(.cancelAllTapped) { $0.items = [] }
    await store.settle()
    store.assertEffects { _ in }
    await store.finish()
  }

  @Test func `A paused file goes on after the bytes that are on the disk`() async {
    let disk = MemoryDisk(["a": [0, 1]])
    let paused = Downloads.Item(file: file("a"), received: 0, phase: .paused)
    let store = TestStore(initialState: .init(items: [paused]), reducer: Downloads(fetch: quick, disk: disk))
    store.send(.resumeTapped("a")) { $0.items[0].phase = .waiting }
    await store.receive(.received("a", upTo: 2)) {
      $0.items[0].phase = .loading
      $0.items[0].received = 2
    }
    await store.receive(.received("a", upTo: 4)) { $0.items[0].received = 4 }
    await store.receive(.finished("a")) { $0.items[0].phase = .done }
    // A file that is done, or not in the list, is neither paused nor resumed.
    store.send(.pauseTapped("a"))
    store.send(.resumeTapped("a"))
    store.send(.resumeTapped("b"))
    await store.finish()
  }

  @Test func `Four attempts, with a longer wait before each; then it has failed, and can be resumed (C5)`() async {
    let disk = MemoryDisk()
    struct Refused: Error {}
    let store = TestStore(initialState: .init(), reducer: Downloads(fetch: quick, disk: disk))
    store.reducer.fetch = { _, _ in throw Refused() }
    store.send(.added([file("a")])) { $0.items = [.init(file: file("a"))] }
    await store.receive(.received("a", upTo: 0)) { $0.items[0].phase = .loading }
    for wait in [20, 40, 80] {
      store.advance(by: .milliseconds(wait - 1))
      store.advance(by: .milliseconds(1))
      await store.receive(.received("a", upTo: 0))
    }
    await store.receive(.failed("a")) { $0.items[0].phase = .failed }
    store.reducer.fetch = quick
    store.send(.resumeTapped("a")) { $0.items[0].phase = .waiting }
    await store.receive(.received("a", upTo: 0)) { $0.items[0].phase = .loading }
    await store.receive(.received("a", upTo: 2)) { $0.items[0].received = 2 }
    await store.receive(.received("a", upTo: 4)) { $0.items[0].received = 4 }
    await store.receive(.finished("a")) { $0.items[0].phase = .done }
    await store.finish()
    #expect(await disk.files == ["a": content])
  }

  @Test func `Each file has a row, drawn over its previous row`() {
    let items = [
      Downloads.Item(file: file("a"), received: 4, phase: .done),
      Downloads.Item(file: file("b"), received: 1, phase: .paused), Downloads.Item(file: file("c")),
    ]
    let text = """
      a [########################] done
      b [######..................] paused
      c [........................] waiting
      """
    #expect(rows(items).joined(separator: "\n") == text)
    #expect(redrawn(["x"], over: 2) == "\u{1B}[2A\u{1B}[2Kx\n\u{1B}[J")
  }

  private let quick: @Sendable (String, Int) async throws -> [UInt8] = { _, position in part(position) }

  /// From now on no request is answered before it is cancelled.
  private func hang(_ store: TestStore<Downloads>) {
    let clock = store.clock
    store.reducer.fetch = { _, _ in
      try await clock.sleep(for: .seconds(1000))
      return []
    }
  }
}
