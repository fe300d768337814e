// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

private enum Download: Hashable, Sendable { case file(Int), list }

/// A run that ends when its gate opens.
private func work(_ gate: Gate, id: EffectID? = nil, overlap: Overlap = .concurrent) -> Effect<Int> {
  .run(id: id, overlap: overlap) { _ in await gate.pass() }
}

@Suite struct SelectionTests {
  private let gate = Gate()
  private let started = Tally()

  /// A store whose actions are the effects in order.
  private func makeStore(_ effects: [Effect<Int>]) -> Store<Reduce<Int, Int>> {
    Store(initialState: 0, reducer: Reduce<Int, Int> { _, action in effects[action] })
  }

  /// The same, and counts its start.
  private func counted(id: EffectID) -> Effect<Int> {
    .run(id: id, overlap: .concurrent) { [gate, started] _ in
      started.increment()
      await gate.pass()
    }
  }

  @Test func `What runs can be queried by id, by ids, by scope and by the type of the id (S3)`() async {
    let row = Effect.merge(counted(id: EffectID(Download.file(1))), work(gate)).scoped("row") { $0 }
    let store = makeStore([row, .cancel(scope: "row"), work(gate).scoped("empty") { $0 }])
    #expect(await !store.isRunning(.everything))
    store.send(0)
    let inRow = EffectID(Download.file(1)).scoped(by: "row")
    for selection: Cancellation in [
      .id(inRow), .ids(["x", inRow]), .scope("row"), .everything, .all(of: Download.self),
      .all(of: Download.self) { $0 == .file(1) }, Cancellation.all(of: Download.self).scoped(by: "row"),
    ] {
      #expect(await store.isRunning(selection), "\(selection)")
      #expect(await !store.effects(selection).isEmpty, "\(selection)")
    }
    for selection: Cancellation in [
      .id("row"), .ids(["x"]), .scope("other"), .scope(inRow), .all(of: String.self),
      .all(of: Download.self) { $0 == .list }, Cancellation.all(of: Download.self).scoped(by: "other"),
    ] {
      #expect(await !store.isRunning(selection), "\(selection)")
      #expect(await store.effects(selection).isEmpty, "\(selection)")
    }
    // A run that is cancelled before its closure is called has ended at once.
    await started.reaches(1)
    store.send(1)
    #expect(await !store.isRunning(.everything))
    #expect(await store.effects.byID.keys.map { $0 } == [inRow], "it has not returned")
    store.send(2)
    #expect(await store.isRunning(.scope("empty")), "a run without an id counts in its scope")
    gate.open()
  }

  @Test func `Optionals and values of any hashable type are ids, as in a cancel (S3)`() async {
    let store = makeStore([work(gate, id: EffectID(Download.list)), work(gate, id: EffectID(7))])
    store.send(0)
    store.send(1)
    let seven: Int? = 7
    #expect(await store.isRunning(Download.list))
    #expect(await store.isRunning(seven))
    #expect(await store.status(seven).running == 1)
    #expect(await !store.isRunning(nil as Int?))
    #expect(await store.status(nil as Int?) == EffectStatus())
    #expect(await !store.isRunning(8))
    gate.open()
  }

  @Test func `The whole lists every id with its counts and its line, and compares without the line (S1)`() async {
    let (first, line) = (work(gate, id: "a", overlap: .enqueue), #line)
    let effects = [
      first, .merge(work(gate), counted(id: "b")), .cancel(id: "b"),
      .run(id: "c", overlap: .concurrent) { [gate] _ in await gate.pass() },
    ]
    let (store, same) = (makeStore(effects), makeStore(effects))
    for action in [0, 0, 1] { store.send(action) }
    await started.reaches(1)
    for action in [2, 3] { store.send(action) }
    let whole = await store.effects
    #expect(whole["a"] == EffectStatus(running: 1, queued: 1))
    #expect(whole["b"] == EffectStatus(cancelling: 1))
    #expect(whole["absent"] == EffectStatus())
    #expect(whole.unnamed == 1)
    #expect(Set(whole.byID.keys) == ["a", "b", "c"])
    #expect(whole.entries["c"]?.site.line == line + 3)
    #expect(whole.entries["c"]?.site.description.hasPrefix("EffectRuntimeTests/SelectionTests.swift:") == true)
    #expect(whole != LiveEffects())
    for action in [3, 1] { same.send(action) }
    await started.reaches(2)
    for action in [2, 0, 0] { same.send(action) }
    #expect(await same.effects == whole)
    #expect(whole.description.split(separator: "\n").first?.hasPrefix(#""a": 1 running, 1 queued ("#) == true)
    #expect(whole.description.hasSuffix("\nwithout an id: 1 running"))
    gate.open()
  }
}
