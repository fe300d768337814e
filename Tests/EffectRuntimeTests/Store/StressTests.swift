// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Foundation
import TestSupport
import Testing

@testable import EffectRuntime

/// Everything at once, from many threads; most of all for the thread sanitizer.
@Suite(.timeLimit(.minutes(5))) struct StressTests {
  private static let threads = 4
  private static let inputs = 150

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `Whatever threads do until a store ends, who waits is answered and nothing is left (L2, L3, L4, E1, E2, E7)`(
    seed: UInt64
  ) async {
    let (stress, threads) = (Stress(isWaiting: true), Tally())
    var store: Store<Feature>? = Self.makeStore(stress, seed)
    for thread in 0..<Self.threads {
      Thread { [store] in
        guard let store else { return }
        var worker = Worker(seed: seed &* 31 &+ UInt64(thread), stress)
        for input in 0..<Self.inputs {
          if thread == 0, input == Self.inputs / 2 { worker.beginShutdown(of: store, seed) }
          worker.step(store)
        }
        threads.increment()
      }.start()
    }
    await threads.reaches(Self.threads)
    await store?.shutdown(.cancelling)
    let state = await store?.state
    #expect(state?.stale == 0)
    for task in stress.takeTasks() { await task.value }
    #expect(await store?.state == state)
    #expect(await store?.isEmpty == true)
    #expect(store?.observers.isEmpty == true)
    #expect(store?.observers.statuses.isEmpty == true)
    #expect(stress.runsExecuting == 0)
    store = nil
    await stress.runsReleased.reaches(stress.runsMade)
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func `Whatever threads do until a store is released, every run is cancelled and let go of (E7, E1)`(
    seed: UInt64
  ) async {
    let (stress, threads) = (Stress(isWaiting: false), Tally())
    let store = Lock<Store<Feature>?>(Self.makeStore(stress, seed))
    for thread in 0..<Self.threads {
      guard let store = store.withLock({ $0 }) else { break }
      Thread {
        var worker = Worker(seed: ~seed &* 31 &+ UInt64(thread), stress)
        for _ in 0..<Self.inputs { worker.step(store) }
        threads.increment()
      }.start()
    }
    store.withLock { $0 = nil }
    await threads.reaches(Self.threads)
    for task in stress.takeTasks() { await task.value }
    await stress.runsReleased.reaches(stress.runsMade)
    #expect(stress.runsExecuting == 0)
    #expect(stress.stale.value == 0)
  }

  private static func makeStore(_ stress: Stress, _ seed: UInt64) -> Store<Feature> {
    let isolation: any Actor = seed % 2 == 0 ? OwnIsolation() : QueueIsolation()
    return Store(
      initialState: Model(), reducer: Feature { @Sendable in stress.reduce(&$0, $1) }, isolation: isolation,
      onFailure: { _ in }, followUpLimit: seed % 3 == 0 ? 2 : 1_000_000, drainBudget: seed % 4 < 2 ? 256 : 3)
  }
}

private typealias Feature = Reduce<Model, Action>

private struct Broken: Error {}

private struct Model: Equatable, Sendable {
  /// The runs whose actions may be reduced, as far as the reducer knows.
  var live: [Int: Set<Int>] = [:]
  var stale = 0
  var results = 0
}

private enum Action: Sendable {
  case start(id: Int, kind: Int)
  case result(id: Int, run: Int)
  case again(Int)
  case cancel(id: Int)
}

/// The feature, and what came of it.
private final class Stress: Sendable {
  let runsReleased = Tally()
  let stale = Tally()
  private let made = Lock(0)
  private let executing = Lock(0)
  private let tasks = Lock<[Task<Void, Never>]>([])
  /// Whether there are those who wait, and so keep the store.
  let isWaiting: Bool

  init(isWaiting: Bool) { self.isWaiting = isWaiting }

  var runsMade: Int { made.withLock { $0 } }
  var runsExecuting: Int { executing.withLock { $0 } }

  func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

  func takeTasks() -> [Task<Void, Never>] {
    tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
    }
  }

  static let ids = 6

  private static func overlap(_ id: Int) -> Overlap {
    let all: [Overlap] = [.restart, .concurrent, .enqueue(limit: 2), .join, .restart(exclusive: true), .keepLatest]
    return all[id]
  }

  func reduce(_ state: inout Model, _ action: Action) -> Effect<Action> {
    switch action {
    case .start(let id, let kind):
      let run = made.withLock { made in
        made += 1
        return made
      }
      state.live[id, default: []].insert(run)
      let effect = self.run(id, run, kind: kind)
      switch kind % 3 {
      case 0: return effect
      case 1: return .concatenate(effect, .send(.again(3)))
      default: return .merge(.send(.again(2)), effect)
      }
    case .result(let id, let run):
      state.results += 1
      if state.live[id]?.contains(run) != true {
        state.stale += 1
        stale.increment()
      }
      return .none
    case .again(let count):
      return count > 0 ? .send(.again(count - 1)) : .none
    case .cancel(let id):
      state.live[id] = []
      return .cancel(id: EffectID(id))
    }
  }

  private func run(_ id: Int, _ run: Int, kind: Int) -> Effect<Action> {
    let life = Counted(runsReleased)
    let result = Action.result(id: id, run: run)
    return .run(id: EffectID(id), overlap: Self.overlap(id), input: kind) { [self] _, send in
      executing.withLock { $0 += 1 }
      defer { withExtendedLifetime(life) { executing.withLock { $0 -= 1 } } }
      switch kind {
      case 0: for _ in 0..<3 { send(result) }
      case 1: _ = await send.delivered(result)
      case 2:
        send(result)
        try await send.sleep(for: .seconds(3600))
      case 3: add(Task.detached { for _ in 0..<5 { send(result) } })
      default:
        send(result)
        throw Broken()
      }
    } catch: { _, send in
      send(result)
    }
  }
}

/// What one thread does.
private struct Worker {
  private var numbers: Numbers
  private let stress: Stress
  private var dispatches: [EffectRuntime.Dispatch] = []

  init(seed: UInt64, _ stress: Stress) {
    numbers = Numbers(seed: seed)
    self.stress = stress
  }

  private mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  mutating func beginShutdown(of store: Store<Feature>, _ seed: UInt64) {
    let ids = 0..<Stress.ids
    let shutdown: Shutdown =
      seed % 3 == 0 ? .cancelling : .draining(cancelling: seed % 3 == 1 ? ids : 0..<0, within: .milliseconds(2))
    stress.add(Task { await store.shutdown(shutdown) })
  }

  mutating func step(_ store: Store<Feature>) {
    let (id, action) = (EffectID(next(Stress.ids)), Action.start(id: next(Stress.ids), kind: next(5)))
    switch next(stress.isWaiting ? 13 : 10) {
    case 0, 1, 2, 3:
      dispatches.append(store.send(action))
    case 4:
      store.send(.cancel(id: next(Stress.ids)))
    case 5, 6:
      dispatches.randomElement(using: &numbers)?.cancel()
    case 7:
      stress.add(
        Task {
          let effects = await store.effects
          #expect(effects.byID.values.allSatisfy { !$0.status.isIdle })
          _ = await (store.status(id), store.isRunning(id), store.isRunning(.everything))
        })
    case 8:
      let statuses = store.statuses(of: id)
      let task = Task { for await _ in statuses {} }
      if next(2) == 0 { task.cancel() }
      stress.add(task)
    case 9:
      let values = store.values(\.results)
      let task = Task { for await _ in values {} }
      if next(2) == 0 { task.cancel() }
      stress.add(task)
    case 10:
      guard let dispatch = dispatches.last else { return }
      let task = Task { await dispatch.finish() }
      if next(3) == 0 { task.cancel() }
      stress.add(task)
    default:
      let task = Task {
        do {
          _ = try await store.request(action) { $0.results }
        } catch {
          #expect(error is CancellationError || error is RequestFailure)
        }
      }
      if next(2) == 0 { task.cancel() }
      stress.add(task)
    }
  }
}
