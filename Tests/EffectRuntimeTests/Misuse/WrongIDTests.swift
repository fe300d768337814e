// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

private enum Action: Sendable { case load, stop, stopAll }

/// An object whose name changes while it is the id of work; the compiler does not check that (`@unchecked`).
private final class Tag: Hashable, @unchecked Sendable {
  private let name = Lock("a")

  func rename(_ new: String) { name.withLock { $0 = new } }
  private var current: String { name.withLock { $0 } }

  static func == (left: Tag, right: Tag) -> Bool { left.current == right.current }
  func hash(into hasher: inout Hasher) { hasher.combine(current) }
}

private func makeStore(_ id: some Hashable & Sendable) -> Store<Reduce<Int, Action>> {
  Store(
    initialState: 0,
    reducer: Reduce { _, action in
      switch action {
      case .load: .run(id: id, overlap: .restart) { send in try await send.sleep(for: .seconds(1_000_000)) }
      case .stop: .cancel(id: id)
      case .stopAll: .cancel(.everything)
      }
    })
}

/// Ids that violate the laws of `Hashable`: their work is not found by them, and otherwise works like any other.
@Suite struct `Wrong ids` {
  @Test func `An id that changes is another id from then on; all other ways reach its former work (E3, S3)`()
    async
  {
    let tag = Tag()
    let store = makeStore(tag)
    store.send(.load)
    _ = await store.state
    tag.rename("b")
    store.send(.stop)
    #expect(await store.isRunning(tag) == false)
    store.send(.load)
    #expect(await store.effects.byID.count == 2)
    tag.rename("a")
    #expect(await store.isRunning(tag))
    store.send(.stopAll)
    await store.shutdown(.draining)
    #expect(await store.isEmpty)
  }
}

@Suite struct `Ids with a NaN` {
  @Test func `An id with a NaN is found like any other (O1, E3, S3)`() async {
    let store = makeStore([Double.nan])
    for _ in 1...3 { store.send(.load) }
    #expect(await store.isRunning([Double.nan]))
    #expect(await store.status([Double.nan]).running == 1, "each replaced the one before")
    store.send(.stop)
    #expect(await store.isRunning([Double.nan]) == false)
    await store.shutdown(.draining)
    #expect(await store.isEmpty)
  }
}
