// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

private enum Action: Equatable, Sendable { case start, more, stop }
private typealias Feature = Reduce<[Action], Action>

private func makeStore(
  onFailure: (@Sendable (EffectFailure) -> Void)? = nil, _ effect: @escaping @Sendable (Action) -> Effect<Action>
) -> Store<Feature> {
  Store(
    initialState: [],
    reducer: Reduce { state, action in
      state.append(action)
      return effect(action)
    }, onFailure: onFailure)
}

/// Holds a store that it should not hold, until that is undone.
private final class Holder: Sendable {
  private let content = Lock<Store<Feature>?>(nil)
  var store: Store<Feature>? {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}

/// Stores that are held, and runs that wait, where no object should hold and no run should wait.
@Suite struct `Wrong owners and wrong waits` {
  @Test func `A run that holds its store keeps it until it has returned (E7)`() async {
    let (released, started, gate) = (Tally(), Tally(), Gate())
    let holder = Holder()
    weak var kept: Store<Feature>?
    do {
      let store = makeStore { [counted = Counted(released)] _ in
        .run { send in
          let own = holder.store
          started.increment()
          await gate.pass()
          send(.more)
          withExtendedLifetime((own, counted)) {}
        }
      }
      holder.store = store
      kept = store
      store.send(.start)
      await started.reaches(1)
      holder.store = nil
    }
    #expect(kept != nil)
    gate.open()
    await released.reaches(1)
  }

  @Test func `A reducer that holds its store is a cycle, until it releases the store (E7)`() async {
    let released = Tally()
    let holder = Holder()
    weak var kept: Store<Feature>?
    do {
      let store = makeStore { [counted = Counted(released)] _ in
        holder.store?.send(.more)
        return withExtendedLifetime(counted) { .none }
      }
      holder.store = store
      kept = store
    }
    #expect(kept != nil && released.value == 0)
    holder.store = nil
    await released.reaches(1)
  }

  @Test func `A Send used in a run of another store acts for its own run, which has ended (E1)`() async {
    let mail = Lock<Send<Action>?>(nil)
    let failures = Recorder<EffectFailure.Kind>()
    let first = makeStore(onFailure: { failures.record($0.kind) }) { action in
      action == .start ? .run { send in mail.withLock { $0 = send } } : .none
    }
    await first.send(.start).finish()
    let answers = Recorder<Bool>()
    let second = makeStore { _ in
      .run { _ in
        guard let stolen = mail.withLock({ $0 }) else { return }
        answers.record(stolen(.more))
        answers.record(await stolen.delivered(.more))
      }
    }
    await second.send(.start).finish()
    #expect(answers.events == [true, false])
    #expect(await first.state == [.start])
    #expect(failures.events == [.sentAfterReturn])
    #expect(await second.state == [.start])
  }

  @Test func `A run that waits for work that is queued behind it is reported and goes on (O4, L2)`() async {
    let (failures, reference) = (Recorder<String>(), StoreReference<Feature>())
    let store = makeStore(onFailure: { failures.record("\(type(of: $0.error))") }) { action in
      switch action {
      case .start:
        .run(id: "line", overlap: .enqueue) { _ in await reference.store?.send(.more).finish() }
      case .more: .run(id: "line", overlap: .enqueue) { _ in }
      case .stop: .cancel(id: "line")
      }
    }
    reference.store = store
    await store.send(.start).finish()
    await store.shutdown(.draining)
    #expect(await store.state == [.start, .more])
    #expect(failures.events == ["WaitsInCircle"])
  }

  @Test func `Two stores that wait for each other wait until one of them is cancelled (L2, O4)`() async {
    let (left, right) = (StoreReference<Feature>(), StoreReference<Feature>())
    // The first store must not send before the second one has its `.start`.
    let (waits, haveStarted) = (Tally(), Gate())
    func make(_ other: StoreReference<Feature>) -> Store<Feature> {
      makeStore { action in
        .run(id: "line", overlap: .enqueue) { _ in
          guard action == .start, let store = other.store else { return }
          await haveStarted.pass()
          let dispatch = store.send(.more)
          waits.increment()
          await dispatch.finish()
        }
      }
    }
    let (first, second) = (make(right), make(left))
    left.store = first
    right.store = second
    let (one, two) = (first.send(.start), second.send(.start))
    haveStarted.open()
    await waits.reaches(2)
    #expect(await first.status("line") == EffectStatus(running: 1, queued: 1))
    #expect(await second.status("line") == EffectStatus(running: 1, queued: 1))
    one.cancel()
    await two.finish()
    await first.shutdown(.draining)
    await second.shutdown(.draining)
    #expect(await first.state == [.start, .more])
    #expect(await second.state == [.start, .more])
  }

  @Test func `A run's wait for itself is reported with the run, its line and what to do instead (L2, L4)`() async {
    let (failures, reference, gate) = (Recorder<String>(), StoreReference<Feature>(), Gate())
    let own = Lock<StoreTask?>(nil)
    let store = makeStore(onFailure: { failures.record("\($0)") }) { action in
      switch action {
      case .start:
        .run(id: "own", overlap: .concurrent, fileID: "App/Feed.swift", line: 7) { _ in
          await gate.pass()
          await own.withLock { $0 }?.finish()
        }
      case .more:
        .run(id: "quit", overlap: .concurrent, fileID: "App/Feed.swift", line: 9) { _ in
          await reference.store?.shutdown(.draining)
        }
      case .stop: .none
      }
    }
    reference.store = store
    let dispatch = store.send(.start)
    own.withLock { $0 = dispatch }
    gate.open()
    await dispatch.finish()
    await store.send(.more).finish()
    #expect(
      failures.events == [
        """
        App/Feed.swift:7: run("own"): a wait for itself: `finish()` or `request` was called inside a run that belongs to the \
        same sent action. The wait would never end, because the action settles only when this run has ended. Wait outside the \
        run, or send an action from it instead.
        """,
        """
        App/Feed.swift:9: run("quit"): a wait for itself: `shutdown` was called inside a run of the same store. The \
        shutdown has begun, but this run cannot wait for it, because the store ends only when this run has ended. Call it \
        outside the runs.
        """,
      ])
  }
}
