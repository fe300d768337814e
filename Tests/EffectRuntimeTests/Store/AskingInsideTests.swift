// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

/// Calls back when two of them are compared.
private struct NosyID: Hashable, Sendable {
  let number: Int
  let ask: @MainActor @Sendable () -> Void

  static func == (left: Self, right: Self) -> Bool {
    MainActor.assumeIsolated { left.ask() }
    return left.number == right.number
  }
  func hash(into hasher: inout Hasher) { hasher.combine(0) }
}

/// Calls back when it is released.
private final class Closing: Sendable {
  let ask: @MainActor @Sendable () -> Void

  init(_ ask: @escaping @MainActor @Sendable () -> Void) {
    self.ask = ask
  }

  deinit { MainActor.assumeIsolated { ask() } }
}

/// Work whose ids, and a condition on them, query the store that is looking them up.
private struct Nosy: Reducer {
  struct State: Equatable { var count = 0 }
  enum Action: Sendable { case load, stop, fail, pass, dropped(Closing) }

  let ask: @MainActor @Sendable () -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    switch action {
    case .load:
      return .run(id: NosyID(number: 1, ask: ask), overlap: .concurrent) { send in
        try await send.sleep(for: .seconds(60))
      }
    case .fail:
      struct Failed: Error {}
      return .run { _ in throw Failed() }
        .retry(
          attempts: 2,
          backoff: Backoff { [ask] _, _ in
            MainActor.assumeIsolated { ask() }
            return nil
          })
    case .pass: return .send(.dropped(Closing(ask)))
    case .dropped: return .none
    case .stop:
      return .cancel(
        .all(of: NosyID.self) { [ask] _ in
          MainActor.assumeIsolated { ask() }
          return true
        })
    }
  }
}

@MainActor private final class Owner {
  /// The store that the observable one shows, which keeps it.
  private(set) weak var whole: Store<Nosy>?
  var store: ObservableStore<Nosy.State, Nosy.Action>?
  var question: (ObservableStore<Nosy.State, Nosy.Action>) -> Void = { _ in }
  private var isAsking = false

  init(_ question: @escaping (ObservableStore<Nosy.State, Nosy.Action>) -> Void) {
    self.question = question
    let whole = Store(
      initialState: .init(),
      reducer: Nosy {
        guard !self.isAsking, let store = self.store else { return }
        self.isAsking = true
        self.question(store)
        self.isAsking = false
      }, isolation: MainActor.shared)
    self.whole = whole
    store = ObservableStore(whole)
  }
}

/// Queries with a condition that does something else.
@MainActor private func isAnyRunning(in store: Store<Nosy>, _ meanwhile: @MainActor @Sendable () -> Void) -> Bool {
  withoutActuallyEscaping(meanwhile) { meanwhile in
    store.assumeIsolated { store in
      store.isRunning(
        .all(of: NosyID.self) { _ in
          MainActor.assumeIsolated { meanwhile() }
          return true
        })
    }
  }
}

struct `Asking a store that is at work` {
  private func expect(_ text: String, in output: [UInt8]?, sourceLocation: SourceLocation = #_sourceLocation) {
    let output = String(decoding: output ?? [], as: UTF8.self)
    #expect(output.contains(text), "\(output)", sourceLocation: sourceLocation)
  }

  private static let message = "was read while the store compared ids, called a condition or released an action"

  @MainActor @Test func `What the == of an id sends waits its turn (S2, T1)`() {
    let log = Recorder<String>()
    let reference = StoreReference<Reduce<Int, Int>>()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { @Sendable _, action in
        log.record("reduced \(action)")
        guard action == 0 else { return .none }
        return .run(id: NosyID(number: 1) { reference.store?.send(1) }, overlap: .concurrent) { send in
          try await send.sleep(for: .seconds(3_600))
        }
      }, isolation: MainActor.shared)
    reference.store = store
    store.assumeIsolated { store in
      store.send(0)
      _ = store.status(NosyID(number: 1) {})
      log.record("asked")
      _ = store.state
    }
    #expect(log.events.prefix(3) == ["reduced 0", "asked", "reduced 1"])
  }

  @Test func `The == of an id must not query what runs; that is reported and traps (T1, E8)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let owner = Owner { _ = $0.isRunning("load") }
        owner.store?.send(.load)
        owner.store?.send(.load)
      }
    }
    expect("Store: a status \(Self.message)", in: result?.standardErrorContent)
  }

  @Test func `The == of an id must not read the state; that is reported and traps (T1, E8)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let owner = Owner { _ = $0.count }
        owner.store?.send(.load)
        owner.store?.send(.load)
      }
    }
    expect("Store: `state` \(Self.message)", in: result?.standardErrorContent)
  }

  @Test func `The condition of a cancel must not query what runs; that is reported and traps (T1, S3)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let owner = Owner { _ = $0.status("load") }
        owner.store?.send(.load)
        owner.store?.send(.stop)
      }
    }
    expect("Store: a status \(Self.message)", in: result?.standardErrorContent)
  }

  @Test func `The condition of a retry must not query what runs; that is reported and traps (C2, S1)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let owner = await MainActor.run { Owner { _ = $0.status("load") } }
      await owner.store?.send(.fail).finish()
    }
    expect("Store: a status \(Self.message)", in: result?.standardErrorContent)
  }

  @Test func `The deinit of an action must not query the store; that is reported and traps (T1, S1)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let owner = Owner { _ = $0.status("load") }
        owner.store?.send(.pass)
      }
    }
    expect("Store: a status \(Self.message)", in: result?.standardErrorContent)
  }

  @Test @MainActor func `What the deinit of an action sends waits its turn (T1)`() async {
    var sent: StoreTask?
    let owner = Owner { sent = $0.send(.stop) }
    let store = owner.store
    store?.send(.pass)
    #expect(sent != nil)
    await sent?.finish()
    #expect(store?.count == 3)
    owner.store = nil
  }

  @Test func `The same for a condition or an == that is called because of a query (S1, S3)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let owner = Owner { _ = $0.status("load") }
        let store = owner.store
        store?.send(.load)
        _ = owner.whole?.assumeIsolated { store in
          store.isRunning(
            .all(of: NosyID.self) { _ in MainActor.assumeIsolated { owner.store?.isRunning("a") } == true })
        }
      }
    }
    expect("Store: a status \(Self.message)", in: result?.standardErrorContent)
  }

  @Test @MainActor func `What a condition or an == sends waits its turn (T1, L1)`() async {
    var sent: [StoreTask] = []
    let owner = Owner { if sent.count < 2 { sent.append($0.send(.stop)) } }
    let store = owner.store
    store?.send(.load)
    store?.send(.load)
    store?.send(.stop)
    #expect(sent.count == 2)
    for dispatch in sent { await dispatch.finish() }
    #expect(store?.count == 5)
    await store?.shutdown(.cancelling)
    owner.store = nil
  }

  @Test @MainActor func `What the condition of a query sends waits until the query is answered (T1, S3)`() async {
    let owner = Owner { _ in }
    let store = owner.store
    store?.send(.load)
    var sent: StoreTask?
    let runs = owner.whole.map { isAnyRunning(in: $0) { sent = owner.store?.send(.load) } }
    #expect(runs == true)
    #expect(store?.count == 1)
    sent?.cancel()
    await sent?.finish()
    #expect(store?.count == 2)
    await store?.shutdown(.cancelling)
    owner.store = nil
  }
}
