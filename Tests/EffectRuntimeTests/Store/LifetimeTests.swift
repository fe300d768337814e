// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import EffectRuntime
import Synchronization
import TestSupport
import Testing

private enum Action: Equatable, Sendable { case start, more, late }

@Suite struct LifetimeTests {
  @Test func `Releasing the last reference cancels 10,000 runs, and none of them is kept (E7)`() async {
    let runs = 10_000
    let (started, ended, released, reduced) = (Tally(), Tally(), Tally(), Tally())
    var store: Store<Reduce<Int, Action>>? = Store(
      initialState: 0,
      reducer: Reduce<Int, Action> { _, action in
        reduced.increment()
        guard action == .start else { return .none }
        return .merge(
          (0..<runs).map { number in
            let kept = Counted(released)
            return .run(id: EffectID(number % 100), overlap: .concurrent) { send in
              started.increment()
              do {
                try await send.sleep(for: .seconds(1_000_000))
              } catch {
                #expect(error is CancellationError)
              }
              #expect(!send(.late))
              withExtendedLifetime(kept) {}
              ended.increment()
            }
          })
      })
    weak let weakStore = store
    store?.send(.start)
    await started.reaches(runs)
    #expect(released.value == 0)
    store = nil
    await ended.reaches(runs)
    await released.reaches(runs)
    #expect(weakStore == nil)
    #expect(reduced.value == 1)
  }

  @Test func `A store released in the middle of a drain uses up its budget and no more (E7, T6)`() async {
    let reduced = Tally()
    let released = Tally()
    let isReducing = Gate()
    let isReleased = DispatchSemaphore(value: 0)
    var store: Store<Reduce<Counted, Action>>? = Store(
      initialState: Counted(released),
      reducer: Reduce<Counted, Action> { _, action in
        reduced.increment()
        if action == .start {
          isReducing.open()
          isReleased.wait()
        }
        return .none
      }, isolation: QueueIsolation(), followUpLimit: 1_000_000, drainBudget: 16)
    store?.send(.start)
    await isReducing.pass()
    for _ in 1...1_000 { store?.send(.more) }
    store = nil
    isReleased.signal()
    await released.reaches(1)
    #expect(reduced.value == 16)
  }

  @Test func `Idle dispatches, sequences and iterators do not keep a store; they end with it (E7)`() async {
    let released = Tally()
    var store: Store<Reduce<Counted, Action>>? = Store(
      initialState: Counted(released), reducer: Reduce<Counted, Action> { _, _ in .none })
    let dispatch = store?.send(.start)
    let values = store?.values(\.number)
    var iterator = values?.makeAsyncIterator()
    #expect(await iterator?.next(isolation: #isolation) == 0)
    await dispatch?.finish()
    store = nil
    await released.reaches(1)
    #expect(await iterator?.next(isolation: #isolation) == nil)
    for await _ in values! { Issue.record("a sequence of a released store yields nothing") }
    await dispatch?.finish()
    dispatch?.cancel()
  }

  @MainActor
  @Test func `A waiting finish keeps the store until its dispatch has settled (E7)`() async {
    let released = Tally()
    let gate = Gate()
    let waiting = Recorder<String>()
    var store: Store<Reduce<Counted, Action>>? = Store(
      initialState: Counted(released),
      reducer: Reduce<Counted, Action> { @Sendable _, action in
        action == .start
          ? .run { send in
            await gate.pass()
            #expect(await send.delivered(.more))
          } : .none
      })
    weak let weakStore = store
    let dispatch = store!.send(.start)
    let task = Task { @MainActor in
      waiting.record("waits")
      await dispatch.finish()
      waiting.record("finished")
    }
    // Both are on the main actor: when this goes on, the other one waits already.
    await waiting.wait(for: "waits")
    store = nil
    #expect(weakStore != nil)
    gate.open()
    await task.value
    await released.reaches(1)
    #expect(weakStore == nil)
    #expect(waiting.events == ["waits", "finished"])
  }

  @Test func `A run that waits for delivery when its store is released is resumed with false (E7)`() async {
    let (hasStarted, isReducing, isAsking) = (Gate(), Gate(), Gate())
    let isReleased = DispatchSemaphore(value: 0)
    let answers = Recorder<Bool>()
    var store: Store<Reduce<Int, Action>>? = Store(
      initialState: 0,
      reducer: Reduce<Int, Action> { _, action in
        switch action {
        case .start:
          return .run { send in
            hasStarted.open()
            await isReducing.pass()
            isAsking.open()
            answers.record(await send.delivered(.late))
          }
        case .more:
          isReducing.open()
          isReleased.wait()
          return .none
        case .late:
          return .none
        }
      }, isolation: QueueIsolation(), followUpLimit: 1_000_000, drainBudget: 1)
    store?.send(.start)
    await hasStarted.pass()
    store?.send(.more)
    await isAsking.pass()
    store = nil
    isReleased.signal()
    await answers.wait(for: false)
    #expect(answers.events == [false])
  }

  @Test func `A run whose action was reduced is answered true if its store is released in the turn (E7)`() async {
    let isReducing = Gate()
    let isReleased = DispatchSemaphore(value: 0)
    let answers = Recorder<Bool>()
    let reduced = Recorder<Action>()
    var store: Store<Reduce<Int, Action>>? = Store(
      initialState: 0,
      reducer: Reduce<Int, Action> { _, action in
        reduced.record(action)
        switch action {
        case .start:
          // The wait is in a separate task, which is not cancelled: only the store can resume it.
          return .run { send in answers.record(await Task.detached { await send.delivered(.late) }.value) }
        case .late:
          isReducing.open()
          isReleased.wait()
          return .send(.more)
        case .more:
          return .none
        }
      }, isolation: QueueIsolation(), followUpLimit: 1_000_000, drainBudget: 1)
    store?.send(.start)
    await isReducing.pass()
    store = nil
    isReleased.signal()
    await answers.wait(for: true)
    #expect(reduced.events == [.start, .late])
  }
}

extension Counted {
  fileprivate var number: Int { 0 }
}
