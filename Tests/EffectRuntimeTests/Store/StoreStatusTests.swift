// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import Observation
import TestSupport
import Testing

@testable import EffectRuntime

/// Saves what is typed. A state like `isSaving` is no longer needed in a feature; here the test compares it with the
/// status.
private struct Editor: Reducer {
  struct State: Equatable { var isSaving = false, saved = 0 }
  enum Action: Sendable { case save, saved, cancel, unrelated, saveAll, saveAndCancel }

  let overlap: Overlap
  let upload: @Sendable () async -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .save:
      state.isSaving = true
      return .run(id: "save", overlap: overlap, input: state.saved) { [upload] _, _ in await upload() }
    case .saved:
      state.saved += 1
      return .none
    case .cancel:
      state.isSaving = false
      return .cancel(id: "save")
    case .unrelated: return .run(id: "other", overlap: .concurrent) { _ in }
    case .saveAll: return .merge(.send(.save), .send(.save), .send(.save))
    case .saveAndCancel: return .merge(.send(.save), .send(.cancel))
    }
  }
}

/// Calls a closure while it is compared.
private struct Nosy: Hashable, Sendable {
  let look: @Sendable () -> Void

  static func == (left: Nosy, right: Nosy) -> Bool {
    left.look()
    return true
  }

  func hash(into hasher: inout Hasher) {}
}

/// An observer without a listener.
private final class FormerObserver: StatusObserver {
  let isWatched = false
  func offer(_ id: EffectID, before: EffectStatus, now: EffectStatus) {}
  func finish() {}
}

@Suite struct StoreStatusTests {
  /// The gate at which runs wait until their test is over.
  private let end = Gate()

  // MARK: - Double taps

  @MainActor @Test func `A view that queries before it sends makes one request of a double tap (S1, S2)`() async {
    let (requests, gate) = (Recorder<String>(), Gate())
    let form = ObservableStore(
      initialState: .init(),
      reducer: Editor(overlap: .concurrent) {
        requests.record("request")
        await gate.pass()
      })
    var dispatches: [StoreTask] = []
    for _ in 1...2 where !form.isRunning("save") { dispatches.append(form.send(.save)) }
    #expect(form.isRunning("save"), "from its reduction on, before its closure has begun")
    gate.open()
    for dispatch in dispatches { await dispatch.finish() }
    #expect(requests.events == ["request"])
    #expect(!form.isRunning("save"))
  }

  @Test func `Code on the store's isolation may query as well (S1, S2)`() async {
    let (requests, gate) = (Recorder<String>(), Gate())
    let store = Store(
      initialState: .init(),
      reducer: Editor(overlap: .concurrent) {
        requests.record("request")
        await gate.pass()
      })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { await store.saveUnlessSaving() } }
    }
    gate.open()
    await store.send(.unrelated).finish()
    await requests.wait(for: "request")
    #expect(requests.events == ["request"])
  }

  @Test func `A reducer has no status to query: its overlap makes one request of a double tap (O1)`() async {
    let (requests, gate) = (Recorder<String>(), Gate())
    let store = Store(
      initialState: .init(),
      reducer: Editor(overlap: .drop) {
        requests.record("request")
        await gate.pass()
      })
    let first = store.send(.save)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { await store.send(.save).finish() } }
    }
    gate.open()
    await first.finish()
    #expect(requests.events == ["request"])
    #expect(await store.status("save") == EffectStatus())
  }

  // MARK: - Together with the state

  @Test func `State and status of one moment belong together (S2)`() async {
    defer { end.open() }
    let store = Store(initialState: .init(), reducer: Editor(overlap: .restart) { [end] in await end.pass() })
    await store.check { store in
      for action in [Editor.Action.save, .save, .cancel, .unrelated, .save, .cancel, .cancel] {
        store.send(action)
        #expect(store.state.isSaving == store.isRunning("save"))
        #expect(store.isRunning("save") == (store.status("save").running == 1))
      }
    }
    // From elsewhere: reading drains first, whatever was sent.
    store.send(.save)
    #expect(await store.isRunning("save"))
    store.send(.cancel)
    #expect(await store.status("save").isRunning == false)
  }

  @Test func `What was sent from elsewhere may come between two reads (S2, L1)`() async {
    defer { end.open() }
    let store = Store(
      initialState: .init(), reducer: Editor(overlap: .restart) { [end] in await end.pass() },
      isolation: QueueIsolation())
    await store.check { store in
      let before = store.isRunning("save")
      sendFromElsewhere(.save, to: store)
      let state = store.state
      sendFromElsewhere(.cancel, to: store)
      let after = store.status("save")
      #expect(!before && state.isSaving && after.cancelling == 1)
    }
  }

  @MainActor @Test func `Nothing comes between two reads of a view (S2)`() async {
    defer { end.open() }
    let store = Store(
      initialState: .init(), reducer: Editor(overlap: .restart) { [end] in await end.pass() },
      isolation: MainActor.shared)
    let form = ObservableStore(store)
    sendFromElsewhere(.save, to: store)
    #expect((form.isSaving, form.isRunning("save"), form.status("save").running) == (false, false, 0))
    form.send(.unrelated)
    #expect((form.isSaving, form.isRunning("save"), form.status("save").running) == (true, true, 1))
  }

  @MainActor @Test func `Observers see state and status together, once a turn (S2)`() async {
    defer { end.open() }
    let form = ObservableStore(initialState: .init(), reducer: Editor(overlap: .restart) { [end] in await end.pass() })
    let seen = Recorder<[Bool]>()
    let watch = Watch {
      (form.isSaving, form.isRunning("save"))
    } onChange: {
      seen.record([form.isSaving, form.isRunning("save")])
    }
    for action in [Editor.Action.save, .save, .cancel, .unrelated, .saveAll, .cancel] {
      // A tracking that has not been notified stays active.
      if !watch.isTracking { watch.track() }
      form.send(action)
    }
    #expect(seen.events == [[true, true], [false, false], [true, true], [false, false]])
  }

  @Test func `A query inside a reducer is reported and traps (S2, T1)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await askInsideReduce()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Store: a status was read inside `reduce`"))
  }

  // MARK: - Observing

  @MainActor @Test func `A change of the status alone notifies, and only readers of that id (S2)`() async {
    let gate = Gate()
    let store = Store(
      initialState: .init(), reducer: Editor(overlap: .restart) { await gate.pass() }, isolation: MainActor.shared)
    let form = ObservableStore(store)
    let running = Watch { form.isRunning("save") }
    let status = Watch { form.status("save") }
    let other = Watch { form.isRunning("elsewhere") }
    for watch in [running, other] { watch.track() }
    status.track()
    var statuses = store.statuses(of: "save").makeAsyncIterator()
    #expect(await statuses.next(isolation: #isolation) == EffectStatus())

    form.send(.save)
    #expect((running.count, status.count) == (1, 1))
    #expect(await statuses.next(isolation: #isolation) == EffectStatus(running: 1, input: 0))

    running.track()
    status.track()
    form.send(.save)
    #expect((running.count, status.count) == (1, 2), "it still runs; that another was replaced is its status")
    #expect(await statuses.next(isolation: #isolation) == EffectStatus(running: 1, cancelling: 1, input: 0))

    // The closures return, and nothing else happens.
    status.track()
    gate.open()
    while let next = await statuses.next(isolation: #isolation), !next.isIdle {}
    #expect(running.count == 2)
    #expect(status.count == 3, "tracking is for one change")
    #expect(form.status("save") == EffectStatus())
    #expect(other.count == 0)
  }

  @MainActor @Test func `A turn notifies once, however often a status changes in it (S2)`() async {
    defer { end.open() }
    let form = ObservableStore(initialState: .init(), reducer: Editor(overlap: .restart) { [end] in await end.pass() })
    let seen = Recorder<EffectStatus>()
    let watch = Watch {
      form.status("save")
    } onChange: {
      seen.record(form.status("save"))
    }
    watch.track()
    form.send(.saveAll)
    // Those that the turn replaces have never started (E8).
    #expect(seen.events == [EffectStatus(running: 1, input: 0)])
  }

  @Test func `Statuses end with their task and their store, and are removed (S1, E7)`() async {
    let store = Store(initialState: .init(), reducer: Editor(overlap: .restart) {})
    for number in 0..<200 {
      let statuses = store.statuses(of: "id \(number)")
      let task = Task { for await _ in statuses {} }
      if number % 2 == 0 { _ = await store.effects }
      task.cancel()
      await task.value
    }
    var iterator = store.statuses(of: nil as String?).makeAsyncIterator()
    #expect(await iterator.next(isolation: #isolation) == EffectStatus())
    #expect(store.observers.statuses.count < 100)
  }

  @Test func `Observers that have ended are looked for when there are more than thirty-two (S1, E7)`() {
    let observers = StatusObservers()
    for number in 0..<32 { observers.add(FormerObserver(), of: EffectID(number)) }
    _ = observers.admit()
    #expect(observers.count == 32)
    observers.add(FormerObserver(), of: "one more")
    _ = observers.admit()
    #expect(observers.count == 0)
  }

  @Test func `Ids are compared with no lock held (E8, S2)`() async {
    let compared = Recorder<Bool>()
    let store = Store(initialState: .init(), reducer: Editor(overlap: .restart) {})
    let name = Nosy { [observers = store.observers] in compared.record(observers.statuses.isEmpty) }
    var first = store.statuses(of: name).makeAsyncIterator()
    #expect(await first.next(isolation: #isolation) == EffectStatus())
    // Another id of an equal value, found by comparing the values.
    var second = store.statuses(of: name).makeAsyncIterator()
    #expect(await second.next(isolation: #isolation) == EffectStatus())
    #expect(compared.events.contains(false))
    #expect(!compared.events.contains(true))
  }

  @Test func `Statuses end when their store is released (E7)`() async {
    var store: Store<Editor>? = Store(initialState: .init(), reducer: Editor(overlap: .restart) {})
    var iterator = store?.statuses(of: "save").makeAsyncIterator()
    #expect(await iterator?.next(isolation: #isolation) == EffectStatus())
    store = nil
    #expect(await iterator?.next(isolation: #isolation) == nil)
  }

  @Test func `When the last observer has left, changes are not recorded any more (S1)`() async {
    let store = Store(initialState: .init(), reducer: Editor(overlap: .restart) {})
    do {
      var iterator = store.statuses(of: "save").makeAsyncIterator()
      _ = await iterator.next(isolation: #isolation)
      #expect(await store.scheduler.statuses.isObserved)
    }
    // On a busy machine a run may begin and end in one slice, which shows no change. Here a turn does the same.
    await store.send(.saveAndCancel).finish()
    #expect(await store.scheduler.statuses.isObserved == false)
    #expect(!store.observers.statuses.isActive)
  }
}

extension Store {
  /// Runs a body on the store's isolation.
  fileprivate func check(_ body: @Sendable (isolated Store) -> Void) { body(self) }
}

extension Store<Editor> {
  fileprivate func saveUnlessSaving() {
    if !isRunning("save") { send(.save) }
  }
}

/// Sends from another thread, and returns when that has been accepted.
private func sendFromElsewhere(_ action: Editor.Action, to store: Store<Editor>) {
  let isSent = DispatchSemaphore(value: 0)
  DispatchQueue(label: "elsewhere").async {
    store.send(action, isolation: nil)
    isSent.signal()
  }
  isSent.wait()
}

/// Outside of the tests, because an exit test captures nothing.
private func askInsideReduce() async {
  let reference = StoreReference<Reduce<Int, Int>>()
  let store = Store(
    initialState: 0,
    reducer: Reduce<Int, Int> { _, _ in
      if let store = reference.store { store.assumeIsolated { _ = $0.isRunning("x") } }
      return .none
    })
  reference.store = store
  await store.send(1).finish()
}

/// Counts how often what it reads has notified.
@MainActor private final class Watch<Value> {
  private(set) var count = 0
  private(set) var isTracking = false
  private let read: @MainActor () -> Value
  private let onChange: @MainActor () -> Void

  init(_ read: @escaping @MainActor () -> Value, onChange: @escaping @MainActor () -> Void = {}) {
    self.read = read
    self.onChange = onChange
  }

  func track() {
    isTracking = true
    withObservationTracking {
      _ = read()
    } onChange: { [weak self] in
      MainActor.assumeIsolated {
        self?.isTracking = false
        self?.count += 1
        self?.onChange()
      }
    }
  }
}
