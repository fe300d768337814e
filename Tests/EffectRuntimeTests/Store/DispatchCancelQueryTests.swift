// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// A cancelled dispatch, as the next query on the store's isolation sees it (rule L2).
@Suite struct DispatchCancelQueryTests {
  private typealias Feature = Reduce<Int, Int>
  /// What runs wait for until their test is over.
  private let gate = Gate()

  /// Action 0 starts a run; action 1 waits behind it and then adds one to the state.
  private func makeStore(isolation: any Actor = OwnIsolation()) -> Store<Feature> {
    let gate = gate
    return Store(
      initialState: 0,
      reducer: Feature { state, action in
        switch action {
        case 0: return .run(id: "work", overlap: .enqueue) { _ in await gate.pass() }
        case 1: return .send(2).cancellable(id: "work", overlap: .enqueue)
        default:
          state += 1
          return .none
        }
      }, isolation: isolation)
  }

  private static let queries: [(name: String, seesCancel: @Sendable (isolated Store<Feature>) -> Bool)] = [
    ("state", { $0.state == 1 }),
    ("status", { $0.status("work").running == 0 && $0.status("work").queued == 0 }),
    ("isRunning", { !$0.isRunning("work") }),
    ("isRunning of everything", { !$0.isRunning(.everything) }),
    ("isRunning of a type", { !$0.isRunning(.all(of: String.self)) }),
    ("effects", { $0.effects["work"].running == 0 }),
    ("effects of ids", { $0.effects(.ids(["work"]))["work"].running == 0 }),
  ]

  @Test(arguments: queries.indices)
  func `A query behind the cancel of a dispatch sees it, as it would see a sent action (L2)`(_ number: Int) async {
    defer { gate.open() }
    let query = Self.queries[number]
    await makeStore().check { store in
      let task = store.send(0)
      store.send(1)
      let before = query.seesCancel(store)
      task.cancel()
      let after = query.seesCancel(store)
      #expect((before, after) == (false, true), "\(query.name)")
    }
  }

  /// Without waiting: the store reduces on this isolation.
  @MainActor private func isRunning(_ store: Store<Feature>) -> Bool { store.assumeIsolated { $0.isRunning("work") } }

  @MainActor @Test func `A query behind the cancel of a task that waits in finish sees it too (L2)`() async {
    defer { gate.open() }
    let store = makeStore(isolation: MainActor.shared)
    let task = store.send(0)
    let waiter = Task { @MainActor in await task.finish() }
    // The main actor takes its jobs in order: behind this one, the waiter waits.
    await Task { @MainActor in }.value
    #expect(isRunning(store))
    waiter.cancel()
    #expect(!isRunning(store))
  }

  @MainActor @Test func `What an observable store shows includes a cancel made on its isolation (L2)`() {
    defer { gate.open() }
    let form = ObservableStore(makeStore(isolation: MainActor.shared))
    let task = form.send(0)
    form.send(1)
    #expect(form.isRunning("work") && form[dynamicMember: \.self] == 0)
    task.cancel()
    #expect(!form.isRunning("work") && form[dynamicMember: \.self] == 1)
    #expect(form.status("work").running == 0)
  }
}

extension Store {
  /// Runs a body on the store's isolation.
  fileprivate func check(_ body: @Sendable (isolated Store) -> Void) { body(self) }
}
