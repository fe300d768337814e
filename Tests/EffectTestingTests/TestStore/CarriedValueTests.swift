// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// What a store, a test store and an exploration carry from the sender of an action to its runs.
@Suite struct `Carried values` {
  private typealias Feature = CarriedFeature

  private let carried = [CarriedValue(Feature.$context)]

  private func testStore(_ wait: @escaping @Sendable () async throws -> Void = {}) -> TestStore<Feature> {
    let store = TestStore(initialState: [], reducer: Feature(wait: wait), carrying: carried)
    store.exhaustivity = .off
    return store
  }

  // MARK: - Alone

  @Test(arguments: CarriedFeature.alone.indices)
  func `Everything that an action causes has the value of its sender, in a store (L8)`(index: Int) async {
    let (action, seen) = Feature.alone[index]
    let store = Store(initialState: [], reducer: Feature(), carrying: carried)
    await Feature.$context.withValue("a") { store.send(action) }.finish()
    #expect(await store.state.sorted() == seen.sorted())
    let answer = try? await Feature.$context.withValue("a") { try await store.request(action) { $0 } }
    #expect(answer?.sorted() == (seen + seen).sorted())
  }

  @Test(arguments: CarriedFeature.alone.indices)
  func `Everything that an action causes has the value of its sender, in a test store (L8)`(index: Int) async {
    let (action, seen) = Feature.alone[index]
    let store = testStore()
    let sent = Feature.$context.withValue("a") { store.send(action) }
    await sent.finish()
    #expect(store.state.sorted() == seen.sorted())
    await store.finish()
  }

  @Test(arguments: CarriedFeature.alone.indices)
  func `Everything that an action causes has the value of its sender, in an exploration (L8)`(index: Int) async {
    let (action, seen) = Feature.alone[index]
    let result = await explore(initialState: [], reducer: Feature(), options: .init(carrying: carried)) { run in
      Feature.$context.withValue("a") { _ = run.send(action) }
    } finally: { state in
      state.sorted() == seen.sorted()
    }
    #expect(result.failure == nil)
    #expect(result.schedules > 0)
  }

  @Test func `Each sender has its own value, and a store that carries nothing gives none (L8, L6)`() async {
    let store = Store(initialState: [], reducer: Feature(), carrying: carried)
    for value in ["a", "b"] { await Feature.$context.withValue(value) { store.send(.chain) }.finish() }
    await store.send(.plain).finish()
    #expect(await store.state == ["plain: a", "plain: b", "plain: none"])
    let bare = Store(initialState: [], reducer: Feature())
    await Feature.$context.withValue("a") { bare.send(.plain) }.finish()
    #expect(await bare.state == ["plain: none"])
  }

  @Test func `Senders of an exploration have their own values in every order (L8)`() async {
    let result = await explore(initialState: [], reducer: Feature(), options: .init(carrying: carried)) { run in
      Feature.$context.withValue("a") { _ = run.send(.chain) }
      Feature.$context.withValue("b") { _ = run.send(.chain) }
    } finally: { state in
      state.sorted() == ["plain: a", "plain: b"]
    }
    #expect(result.failure == nil)
  }

  @Test func `A fork carries the same values, and so does an exploration (L8)`() async {
    let fork = testStore().fork()
    fork.exhaustivity = .off
    Feature.$context.withValue("a") { _ = fork.send(.chain) }
    await fork.finish()
    #expect(fork.state == ["plain: a"])
    let result = await explore(
      initialState: [], reducer: Feature(), options: .init(carrying: [CarriedValue(Feature.$context)])
    ) { run in
      Feature.$context.withValue("a") { _ = run.send(.chain) }
    } finally: { state in
      state == ["plain: a"]
    }
    #expect(result.failure == nil)
  }

  // MARK: - Work that meets other work

  @Test func `A queued run has the value of its own sender, though another run's end starts it (L8)`() async {
    let mock = Mock<Void, Void>()
    let store = testStore(mock.callAsFunction)
    for value in ["a", "b"] { Feature.$context.withValue(value) { _ = store.send(.queued) } }
    mock.answer()
    await store.receive(.seen("queued: a"))
    mock.answer()
    await store.receive(.seen("queued: b"))
    await store.finish()
    #expect(store.state == ["queued: a", "queued: b"])
  }

  @Test func `A run that others have joined has the value of its first owner (L8)`() async {
    let mock = Mock<Void, Void>()
    let store = testStore(mock.callAsFunction)
    for value in ["a", "b"] { Feature.$context.withValue(value) { _ = store.send(.joined) } }
    mock.answer()
    await store.receive(.seen("joined: a"))
    await store.finish()
    #expect(store.state == ["joined: a"])
  }

  @Test func `A joined run keeps the value that it began with if its first owner cancels (L8, O5)`() async {
    let mock = Mock<Void, Void>()
    let store = testStore(mock.callAsFunction)
    let first = Feature.$context.withValue("a") { store.send(.joined) }
    Feature.$context.withValue("b") { _ = store.send(.joined) }
    first.cancel()
    mock.answer()
    await store.receive(.seen("joined: a"))
    await store.finish()
  }

  @Test func `Work that waits for its time has the value of its sender, whatever lets time pass (L8, C1)`() async {
    let store = testStore()
    Feature.$context.withValue("a") { _ = store.send(.delayed) }
    Feature.$context.withValue("b") { store.advance(by: .seconds(1)) }
    await store.receive(.seen("delayed: a"))
    await store.finish()
  }

  @MainActor @Test func `What is sent through a child store has the value of its sender (L8, M5)`() async {
    struct State: Equatable { var log: [String] = [] }
    enum Action: Sendable { case child(CarriedFeature.Action) }
    let store = ObservableStore(
      initialState: State(),
      reducer: Reduce<State, Action> { state, action in
        guard case .child(let action) = action else { return .none }
        return Feature().reduce(into: &state.log, action: action).map(Action.child)
      }, carrying: carried)
    let child = store.scope(\.log, action: CasePath(Action.child))
    await Feature.$context.withValue("a") { child.send(.chain) }.finish()
    #expect(store.log == ["plain: a"])
  }

  @Test func `What follows work that another sender cancels has the value of its own sender (L8)`() async {
    let store = testStore()
    Feature.$context.withValue("a") { _ = store.send(.slow) }
    Feature.$context.withValue("b") { _ = store.send(.cancelSlow) }
    await store.receive(.seen("plain: a"))
    await store.finish()
    let real = Store(initialState: [], reducer: Feature(), carrying: carried)
    let slow = Feature.$context.withValue("a") { real.send(.slow) }
    Feature.$context.withValue("b") { _ = real.send(.cancelSlow) }
    await slow.finish()
    #expect(await real.state == ["plain: a"])
  }

  @Test func `Several values are carried together (L8)`() async {
    enum Other { @TaskLocal static var number = 0 }
    let store = Store(
      initialState: "",
      reducer: Reduce<String, String> { state, action in
        state += action
        return action.isEmpty ? .run { send in send("\(CarriedFeature.context) \(Other.number)") } : .none
      }, carrying: carried + [CarriedValue(Other.$number)])
    await Feature.$context.withValue("a") { Other.$number.withValue(7) { store.send("") } }.finish()
    #expect(await store.state == "a 7")
  }
}
