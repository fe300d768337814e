// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// A `send` with a delay, in a test store (rule C2).
@Suite struct `Sends with a delay` {
  private struct Feature: Reducer {
    var effect: Effect<String>

    func reduce(into state: inout [String], action: String) -> Effect<String> {
      state.append(action)
      return action == "go" ? effect : .none
    }
  }

  private func store(_ effect: Effect<String>) -> TestStore<Feature> {
    TestStore(initialState: [], reducer: Feature(effect: effect))
  }

  @Test func `A delayed send is reduced when its time is reached (C4)`() async {
    let store = store(.send("late").delay(for: .seconds(1)))
    store.send("go") { $0 = ["go"] }
    store.advance(by: .milliseconds(999))
    store.advance(by: .milliseconds(1))
    await store.receive("late") { $0 = ["go", "late"] }
    await store.finish()
  }

  @Test func `Each part of a sequence is delayed from the moment it starts (C4)`() async {
    let store = store(.concatenate(.send("a"), .send("b")).delay(for: .seconds(1)))
    store.send("go") { $0 = ["go"] }
    store.advance(by: .seconds(1))
    await store.receive("a") { $0 = ["go", "a"] }
    store.advance(by: .milliseconds(999))
    store.advance(by: .milliseconds(1))
    await store.receive("b") { $0 = ["go", "a", "b"] }
    await store.finish()
  }

  @Test(arguments: [true, false])
  func `The last of a burst of debounced sends is reduced, at any position of the id (C4)`(isBefore: Bool) async {
    let send = Effect.send("typed")
    let store = store(
      isBefore
        ? send.cancellable(id: "x", overlap: .restart).debounce(for: .seconds(1))
        : send.debounce(for: .seconds(1)).cancellable(id: "x", overlap: .restart))
    store.send("go") { $0 = ["go"] }
    store.advance(by: .milliseconds(600))
    store.send("go") { $0 = ["go", "go"] }
    store.assertEffects { $0["x"] = EffectStatus(queued: 1) }
    store.advance(by: .milliseconds(999))
    store.advance(by: .milliseconds(1))
    await store.receive("typed") { $0 = ["go", "go", "typed"] }
    await store.finish()
  }
}
