// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

/// A reducer that queries its own store instead of reading the state that it was given.
private struct Peeking: Reducer {
  struct State: Equatable { var count = 0 }
  enum Action: Sendable { case look }

  let look: @MainActor @Sendable () -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    MainActor.assumeIsolated { look() }
    return .none
  }
}

@MainActor private final class Owner {
  var store: ObservableStore<Peeking.State, Peeking.Action>?
}

struct `The state during a reduction` {
  @Test func `It belongs to the reducer; a read of it from the store is reported and traps (T1)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let owner = Owner()
        owner.store = ObservableStore(initialState: .init(), reducer: Peeking { _ = owner.store?.count })
        owner.store?.send(.look)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Store: `state` was read inside `reduce`; use the one `reduce` was given"))
  }

  @Test @MainActor func `An action sent from a reduction waits until the reduction is over (T1, L1)`() async {
    let owner = Owner()
    var inner: StoreTask?
    let store = ObservableStore(
      initialState: .init(), reducer: Peeking { if inner == nil { inner = owner.store?.send(.look) } })
    owner.store = store
    store.send(.look)
    #expect(store.count == 1)
    await inner?.finish()
    #expect(store.count == 2)
    // The reducer holds the owner, and the owner the store.
    owner.store = nil
  }
}
