// This source file is part of swift-effects. License: Apache-2.0.

import Observation
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<Int, String>

/// A store whose actions are ids: each starts a run of that id, which finishes at once.
private func makeStore(isolation: any Actor = OwnIsolation()) -> Store<Feature> {
  Store(
    initialState: 0,
    reducer: Feature { @Sendable state, action in
      state += 1
      return .run(id: EffectID(action), overlap: .concurrent) { _ in }
    }, isolation: isolation)
}

/// What keeps outcomes, and until when (rule S1).
@Suite struct KeptOutcomesTests {
  @Test func `A getter has no side effect: outcomes are kept for callers that request them, from then on (S1)`() async {
    let store = makeStore()
    for _ in 1...2 {
      #expect(await store.status("save") == EffectStatus())
      await store.send("save").finish()
    }
    #expect(await store.interpreter.keptCount == 0)
    let outcomes = store.keepOutcomes(of: ["save"])
    #expect(await store.status("save") == EffectStatus(lastOutcome: .noneYet))
    await store.send("save").finish()
    await store.send("other").finish()
    #expect(await store.status("save") == EffectStatus(lastOutcome: .ended(.finished)))
    #expect(await store.status("other") == EffectStatus())
    #expect(await store.effects.isEmpty)
    outcomes.cancel()
    outcomes.cancel()
    #expect(await store.status("save") == EffectStatus())
    #expect(await store.interpreter.keptCount == 0)
  }

  @Test func `Keeping ends with its release, and with the last of several (S1)`() async {
    let store = makeStore()
    var first: KeptOutcomes? = store.keepOutcomes(of: ["a", "b"])
    let second = store.keepOutcomes(of: ["b", "b"])
    for id in ["a", "b"] { await store.send(id).finish() }
    withExtendedLifetime(first) {}
    first = nil
    #expect(await store.status("a").lastOutcome == .notKept)
    #expect(await store.status("b").lastOutcome == .ended(.finished))
    second.cancel()
    #expect(await store.status("b").lastOutcome == .notKept)
    #expect(await store.interpreter.keptCount == 0)
  }

  @Test func `Ids of any type, of scopes, and optionals can be kept (S1)`() async {
    let store = makeStore()
    let none: String? = nil
    let outcomes = store.keepOutcomes(of: [EffectID("a"), EffectID(1), EffectID("a").scoped(by: "row")])
    let optionals = store.keepOutcomes(of: ["b", none])
    #expect(await store.status(1).lastOutcome == .noneYet)
    #expect(await store.interpreter.keptCount == 4)
    withExtendedLifetime((outcomes, optionals)) {}
  }

  @Test func `It keeps no store, and may be cancelled when the store was released (S1, E7)`() async {
    let released = Tally()
    var store: Store<Reduce<Counted, String>>? = Store(
      initialState: Counted(released),
      reducer: Reduce<Counted, String> { _, action in .run(id: EffectID(action), overlap: .concurrent) { _ in } })
    weak let weakStore = store
    let outcomes = store?.keepOutcomes(of: ["save"])
    await store?.send("save").finish()
    store = nil
    // The task that drains may hold the store a moment longer.
    await released.reaches(1)
    #expect(weakStore == nil)
    outcomes?.cancel()
  }

  // MARK: - On the main actor

  @MainActor @Test func `On the store's isolation it has taken effect when the call returns (S1)`() async {
    let form = ObservableStore(makeStore(isolation: MainActor.shared))
    let outcomes = form.keepOutcomes(of: ["save"])
    #expect(form.status("save").lastOutcome == .noneYet)
    await form.send("save").finish()
    #expect(form.status("save").lastOutcome == .ended(.finished))
    outcomes.cancel()
    await form.send("other").finish()
    #expect(form.status("save").lastOutcome == .notKept)
  }

  @MainActor @Test func `What is tracked is kept as long as it is tracked; other reads keep nothing (S1)`() async {
    let form = ObservableStore(makeStore(isolation: MainActor.shared))
    var seen: [EffectStatus.LastOutcome] = []
    func read() {
      withObservationTracking {
        seen.append(form.status("save").lastOutcome)
        #expect(form.status("save").lastOutcome == seen.last, "read twice, tracked once")
      } onChange: {
      }
    }
    #expect(form.status("save").lastOutcome == .notKept)
    #expect(await form.store.interpreter.keptCount == 0)
    read()
    #expect(await form.store.interpreter.keptCount == 1)
    // It runs, and has finished: two changes, and the status is read again after each.
    let run = form.send("save")
    read()
    await run.finish()
    read()
    #expect(seen == [.noneYet, .noneYet, .ended(.finished)])
    // The next change is the last that is notified; the one after it finds no reader.
    await form.send("save").finish()
    await form.send("other").finish()
    #expect(await form.store.interpreter.keptCount == 0)
    #expect(form.status("save").lastOutcome == .notKept)
  }

  @MainActor @Test func `Readers of many ids that stop reading leave a bounded number of outcomes (S1)`() async {
    let form = ObservableStore(makeStore(isolation: MainActor.shared))
    for number in 0..<5_000 {
      let id = "\(number)"
      withObservationTracking {
        _ = form.status(id)
      } onChange: {
      }
      form.send(id)
    }
    await form.send("last").finish()
    #expect(await form.store.interpreter.keptCount <= 2_050)
  }

  @MainActor @Test func `An observable store that is released keeps nothing (S1)`() async {
    let store = makeStore(isolation: MainActor.shared)
    var form: ObservableStore? = ObservableStore(store)
    withObservationTracking {
      _ = form?.status("save")
    } onChange: {
    }
    #expect(await store.interpreter.keptCount == 1)
    await store.send("save").finish()
    form = nil
    await store.send("other").finish()
    #expect(await store.interpreter.keptCount == 0)
  }
}
