// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

/// A value whose `==` does what it should not.
private struct Meddling: Equatable, Sendable {
  static let meddle = Lock<(@Sendable () -> Void)?>(nil)
  var number = 0

  static func == (left: Meddling, right: Meddling) -> Bool {
    meddle.withLock { $0 }?()
    return left.number == right.number
  }
}

private struct Idle: Reducer {
  func reduce(into state: inout Int, action: Int) -> Effect<Int> { .none }
}

/// Observers that read a store where or how they should not.
@Suite struct `Wrong observers` {
  @Test func `An observable store of a store elsewhere traps with the line`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let store = Store(initialState: 0, reducer: Idle())
        _ = ObservableStore(store, fileID: "App/Main.swift", line: 7)
      }
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let text = "ObservableStore: the store runs on another isolation; make it with `isolation: MainActor.shared`"
    #expect(output.contains("App/Main.swift:7: Fatal error: \(text)\n"), "\(output)")
  }

  @Test func `The == of an observed value may send, and read (E8, L1)`() async {
    let store = Store(
      initialState: Meddling(),
      reducer: Reduce<Meddling, Int> { state, action in
        state.number = max(state.number, action)
        return .none
      })
    let sent = Tally()
    Meddling.meddle.withLock { meddle in
      meddle = { [weak store] in
        // Each is followed by another read.
        guard sent.value < 3 else { return }
        sent.increment()
        store?.send(0)
        _ = store?.assumeIsolated { $0.state.number + ($0.isRunning("x") ? 1 : 0) }
      }
    }
    var values = store.values(\.self).makeAsyncIterator()
    #expect(await values.next(isolation: #isolation)?.number == 0)
    store.send(3)
    #expect(await values.next(isolation: #isolation)?.number == 3)
    Meddling.meddle.withLock { $0 = nil }
    #expect(sent.value > 0)
    await store.shutdown(.draining)
  }
}
