// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@globalActor private actor OtherActor {
  static let shared = OtherActor()
}

/// Every step that waits, called from each kind of isolation. The code after the step continues on that isolation.
@Suite struct `Steps from any isolation` {
  private let path = CasePath(
    embed: CounterAction.note, extract: { if case .note(let text) = $0 { text } else { nil } })

  private func store(_ count: Int) -> TestStore<Reduce<Counter, CounterAction>> {
    counterStore(
      work { send in
        // Leaves the test, so that each step really waits.
        await Task.detached {}.value
        for number in 0..<3 { send(.note("\(count + number)")) }
        send(.set(count))
      })
  }

  @Test(arguments: 1...20) func `in none, many in parallel`(count: Int) async {
    let store = store(count)
    let start = store.send(.start)
    await store.settle(until: "work")
    await store.receive(where: { $0 == .note("\(count)") })
    let text = await store.receive(path)
    #expect(text == "\(count + 1)")
    await store.receive(unordered: [.note("\(count + 2)"), .set(count)]) { $0.count = count }
    await start.finish()
    await store.finish()
  }

  @MainActor @Test func `on the main actor`() async {
    let store = store(7)
    var local = 0
    let start = store.send(.start)
    await store.settle(until: "work")
    MainActor.assertIsolated()
    await store.receive(where: { [local] action in action == .note("\(local + 7)") })
    MainActor.assertIsolated()
    await store.receive(path)
    await store.receive(unordered: [.note("9"), .set(7)]) {
      local += 1
      $0.count = 7
    }
    MainActor.assertIsolated()
    await start.finish()
    MainActor.assertIsolated()
    #expect(local == 1)
    await store.finish()
  }

  @OtherActor @Test func `on an actor of its own`() async {
    let store = store(7)
    let start = store.send(.start)
    await store.settle(until: "work")
    OtherActor.assertIsolated()
    await store.receive(where: { $0 == .note("7") })
    await store.receive(path)
    OtherActor.assertIsolated()
    await store.receive(unordered: [.note("9"), .set(7)]) { $0.count = 7 }
    await start.finish()
    OtherActor.assertIsolated()
    await store.finish()
  }
}
