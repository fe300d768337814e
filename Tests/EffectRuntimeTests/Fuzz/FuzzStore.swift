// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport

@testable import EffectRuntime

/// A program in a real store, with its tasks and drains on this thread.
final class FuzzStore {
  private let kit = FuzzKit()
  private let clock = TestClock()
  private let jobs: CapturedJobs
  private let store: Store<FuzzFeature>
  private let program: FuzzProgram
  private let ids: [String]
  private var dispatches: [UInt64: StoreTask] = [:]
  private var waiting: [UInt64: [Task<Void, Never>]] = [:]
  private var sent: UInt64 = 0
  private let choose: (Int) -> Int

  init(_ program: FuzzProgram, ids: [String], _ jobs: CapturedJobs, choose: @escaping (Int) -> Int = { _ in 0 }) {
    (self.program, self.ids, self.jobs, self.choose) = (program, ids, jobs, choose)
    let kit = kit
    store = Store(
      initialState: [], reducer: FuzzFeature(program: program, kit: kit), clock: clock,
      onFailure: {
        if !($0.error is OverlapConflict || $0.error is SelfCancellation) {
          kit.sight.failures.append($0.run.name ?? "?")
        }
      },
      followUpLimit: 1_000_000, drainBudget: program.drainBudget)
    kit.now = { [clock] in clock.now.offset }
    run()
  }

  func take(_ input: FuzzInput) -> FuzzSight {
    switch input {
    case .send(let action): send(action)
    case .sendRefusing(let action):
      let dispatch = store.send(action, isolation: nil)
      dispatch.cancel()
      note(dispatch)
    case .request(let action): request(action)
    case .open(let name): kit.open(name)
    case .advance(let duration): advance(to: clock.now.offset + duration)
    case .cancelDispatch(let number): dispatches[number]?.cancel()
    case .watch(let number): watch(number)
    case .cancelWaiters(let number): for task in waiting[number] ?? [] { task.cancel() }
    case .shutdown(let ids, let limit):
      isShutDown = true
      isDrained = ids != nil
      let shutdown: Shutdown = ids.map { .draining(cancelling: $0, within: limit) } ?? .cancelling
      Task { [store, kit] in
        let cut = await store.shutdown(shutdown)
        kit.sight.ends.append("shutdown: \(cut.compactMap(\.name).sorted())")
      }
    }
    run()
    return look()
  }

  private func note(_ dispatch: StoreTask) {
    guard !dispatch.isRefused else { return }
    sent += 1
    dispatches[sent] = dispatch
  }

  private func send(_ action: String) {
    guard program.isInline else { return note(store.send(action, isolation: nil)) }
    // SAFETY: written by the job that is run here, on this thread.
    nonisolated(unsafe) var dispatch: StoreTask?
    Task { [store, kit] in
      let sent = await store.sendHere(action, kit)
      unsafe dispatch = sent
    }
    run()
    if let dispatch = unsafe dispatch { note(dispatch) }
  }

  private func request(_ action: String) {
    let number = sent + 1
    let task = Task { [store, kit] in
      do {
        let count = try await store.request(action) { $0.count }
        kit.sight.ends.append("request \(number): \(count)")
      } catch is CancellationError {
        kit.sight.ends.append("request \(number): cancelled")
      } catch RequestFailure.refused {
        kit.sight.ends.append("request: refused")
      } catch RequestFailure.cutShort {
        kit.sight.ends.append("request \(number): cut short")
      } catch {
        kit.sight.complaints.append("request \(number): \(error)")
      }
    }
    guard !isShutDown else { return }
    sent = number
    dispatches[number] = StoreTask(target: store.mailbox, number: number)
    waiting[number, default: []].append(task)
  }

  private var isShutDown = false
  private var isDrained = false

  private func watch(_ number: UInt64) {
    guard let dispatch = dispatches[number] else { return }
    let task = Task { [kit] in
      await dispatch.finish()
      kit.sight.ends.append("finish \(number)")
    }
    waiting[number, default: []].append(task)
  }

  private func advance(to target: Duration) {
    while clock.wakeNext(until: target) { run() }
    clock.move(to: target)
  }

  private func run() {
    if !jobs.runAll(limit: 100_000, choose: choose) { kit.sight.complaints.append("the store never rests") }
  }

  private func look() -> FuzzSight {
    // SAFETY: as above.
    nonisolated(unsafe) var answer: (statuses: [EffectStatus], effects: LiveEffects, dropped: Int, state: [String])?
    Task { [store, ids] in
      let answered = await store.answer(ids)
      unsafe answer = answered
    }
    run()
    var sight = kit.look()
    guard let answer = unsafe answer else {
      sight.complaints.append("the store does not answer")
      return sight
    }
    for (id, status) in zip(ids, answer.statuses) { sight.statuses[id] = status }
    (sight.unnamed, sight.unnamedQueued) = (answer.effects.unnamed, answer.effects.unnamedQueued)
    sight.dropped = answer.dropped
    return sight
  }

  /// Ends everything, and returns the rest.
  func leftovers() -> [String] {
    Task { [store] in _ = await store.shutdown(.cancelling) }
    run()
    var left = 1_000
    while let name = kit.openGate, left > 0 {
      left -= 1
      kit.open(name)
      run()
    }
    // SAFETY: as above.
    nonisolated(unsafe) var found: [String] = []
    Task { [store] in
      let rest = await store.leftovers
      unsafe found = rest
    }
    run()
    if !kit.living.isEmpty { unsafe found.append("closures: \(kit.living)") }
    if !clock.sleepers.isEmpty { unsafe found.append("sleepers: \(clock.sleepers)") }
    if isDrained {
      // The window of a throttle stays open until its end, and a store that has ended reads its clock no more.
      unsafe found.removeAll { $0.hasSuffix("names left") || $0.hasSuffix("timed left") }
    }
    return unsafe found + kit.sight.complaints
  }
}

extension Store<FuzzFeature> {
  fileprivate func sendHere(_ action: String, _ kit: FuzzKit) -> StoreTask {
    let dispatch = send(action)
    if !dispatch.isRefused, !present.contains(action) {
      kit.sight.complaints.append("\(action) was not reduced inline")
    }
    return dispatch
  }

  fileprivate func answer(_ ids: [String]) -> ([EffectStatus], LiveEffects, Int, [String]) {
    (ids.map { status(Plan.id($0)) }, effects, scheduler.droppedActions, state)
  }

  fileprivate var leftovers: [String] { core.value.engine.leftovers }
}

extension Engine {
  /// What must be empty when everything has ended (rule E2).
  var leftovers: [String] {
    let counts = [
      ("slots", scheduler.workTree.count), ("names", scheduler.names.count), ("timed", scheduler.timedCount),
      ("waiters", scheduler.waits.count),
      ("actions", hasFollowUps ? 1 : 0),
    ]
    return counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0) left" }
  }
}
