// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private struct Broken: Error {}

private enum Action: Sendable {
  case hold, occupy, start, trigger, mark
}

private typealias Feature = Reduce<Int, Action>

@MainActor @Suite(.timeLimit(.minutes(5))) struct EveryEndingTests {
  /// A continuation that is resumed twice traps, one that is never resumed hangs; the count shows the rest.
  @Test(arguments: WaitCase.all)
  func `Every waiter is answered once and correctly, whatever the end and whenever it came (L2, L3, L4, E2, E7)`(
    one: WaitCase
  ) async {
    await Scenario(one).play()
  }

  @Test func `The enumeration leaves out only the pairs of a wait and an ending that are impossible`() {
    let pairs = Set(WaitCase.all.map { "\($0.wait) \($0.ending)" })
    let all = WaitKind.allCases.flatMap { wait in WorkEnding.allCases.map { "\(wait) \($0)" } }
    #expect(
      Set(all).subtracting(pairs)
        == ["request cancelledByDispatch", "delivered droppedOnArrival", "delivered droppedFromQueue"])
  }
}

/// Work that has a waiter, and everything that can happen to it.
@MainActor private final class Scenario {
  private let one: WaitCase
  private let log = Recorder<String>()
  private let answers = Recorder<String>()
  /// Where the work waits, also if it is cancelled, and where the runs wait that only support the test.
  private let (gate, othersGate, triggerGate) = (Gate(), Gate(), Gate())
  private let isHeld = Gate()
  private let mayReduce = DispatchSemaphore(value: 0)
  private let sendOfWork = Lock<Send<Action>?>(nil)
  /// Closures that execute.
  private let executing = Lock(0)
  private var store: Store<Feature>?
  private var dispatch: StoreTask?
  private var shutdowns: [Task<Void, Never>] = []

  init(_ one: WaitCase) {
    self.one = one
    store = Store(
      initialState: 0, reducer: Feature { @Sendable [unowned self] _, action in effect(of: action) },
      isolation: QueueIsolation(), onFailure: { _ in }, followUpLimit: 1_000_000, drainBudget: 1)
  }

  // MARK: - The feature

  private nonisolated func effect(of action: Action) -> Effect<Action> {
    switch action {
    case .hold:
      isHeld.open()
      mayReduce.wait()
      return .none
    case .occupy:
      let other = one.ending.isDropped ? work("other", at: othersGate, .concurrent) : .none
      return .merge(
        other,
        .run { [self] send in
          enter("trigger")
          log.record("trigger started")
          await triggerGate.pass()
          send(.trigger)
          leave("trigger")
        })
    case .start:
      log.record("reduced")
      let overlap: Overlap =
        switch one.ending {
        case .replaced: .restart
        case .droppedOnArrival: .drop
        case .droppedFromQueue: .keepLatest
        default: .concurrent
        }
      return work("work", at: gate, overlap)
    case .trigger:
      switch one.ending {
      case .cancelledByID: return .cancel(id: "x")
      case .replaced: return work("newer", at: othersGate, .restart)
      case .droppedFromQueue: return work("newer", at: othersGate, .keepLatest)
      default: return .none
      }
    case .mark:
      return .none
    }
  }

  private nonisolated func work(_ name: String, at gate: Gate, _ overlap: Overlap) -> Effect<Action> {
    let isWork = name == "work"
    let body: @concurrent @Sendable (Send<Action>) async throws -> Void = { [self] send in
      enter(name)
      if isWork { sendOfWork.withLock { $0 = send } }
      log.record("\(name) started")
      await gate.pass()
      leave(name)
      if isWork, one.ending == .errorCaught || one.ending == .errorUncaught { throw Broken() }
    }
    guard one.ending == .errorCaught else { return .run(id: "x", overlap: overlap, name: name, body) }
    return .run(id: "x", overlap: overlap, name: name, body, catch: { _, _ in })
  }

  private nonisolated func enter(_ name: String) { executing.withLock { $0 += 1 } }
  private nonisolated func leave(_ name: String) {
    executing.withLock { $0 -= 1 }
    log.record("\(name) returned")
  }

  // MARK: - The course of events

  func play() async {
    await prepare()
    var waiting: Task<Void, Never>?
    switch one.moment {
    case .before:
      waiting = await beginWaiting()
      await end(waiting)
      mayReduce.signal()
    case .running:
      waiting = await beginWaiting()
      if one.wait == .request, one.ending != .waiterCancelledBefore { await workLives() }
      if one.wait == .delivered { await waiting?.value }
      await end(waiting)
    case .after:
      await end(nil)
      await dispatch?.finish()
      waiting = await beginWaiting()
      if one.ending == .waiterCancelled { waiting?.cancel() }
    }
    // Settled does not mean returned: a shutdown waits for closures as well, unless its caller is cancelled. The others must
    // not.
    if one.wait.isShutdown, !one.ending.isOfWaiter { openAll() }
    await waiting?.value
    #expect(answers.events == [one.answer])
    openAll()
    for shutdown in shutdowns { await shutdown.value }
    guard let store else { return }
    await store.shutdown(.draining)
    #expect(await store.isEmpty)
    #expect(executing.withLock { $0 } == 0)
    #expect(answers.events == [one.answer])
  }

  /// Brings the work to the state in which the wait is to begin.
  private func prepare() async {
    store?.send(.occupy)
    await log.wait(for: "trigger started")
    if one.ending.isDropped { await log.wait(for: "other started") }
    if one.wait == .delivered || one.moment != .before, one.wait != .request {
      dispatch = store?.send(.start)
      await workLives()
    }
    guard one.moment == .before else { return }
    store?.send(.hold)
    await isHeld.pass()
    if dispatch == nil, one.wait != .request { dispatch = store?.send(.start) }
  }

  private func workLives() async {
    await log.wait(for: one.ending.isDropped ? "reduced" : "work started")
  }

  /// The wait has begun when this returns: both are on the main actor.
  private func beginWaiting() async -> Task<Void, Never> {
    if one.wait == .delivered { return beginDelivery() }
    let mayAsk = Gate()
    // The others must keep the store by themselves, or not at all.
    let store = one.wait == .finish || one.wait == .delivered ? nil : store
    let task = Task { @MainActor [wait = one.wait, dispatch] in
      await mayAsk.pass()
      log.record("asks")
      let answer = await ask(wait, store, dispatch)
      answers.record(answer)
    }
    if one.ending == .waiterCancelledBefore { task.cancel() }
    mayAsk.open()
    await log.wait(for: "asks")
    return task
  }

  /// The same for a send that waits for its delivery. It leaves the main actor, so it runs here up to its first
  /// suspension.
  private func beginDelivery() -> Task<Void, Never> {
    let executor = FirstStepsHere()
    let send = sendOfWork.withLock { $0 }
    let task = Task(executorPreference: executor) { [answers] in
      answers.record("\(await send?.delivered(.mark) ?? false)")
    }
    if one.ending == .waiterCancelledBefore { task.cancel() }
    executor.goOnElsewhere()
    return task
  }

  private func ask(_ wait: WaitKind, _ store: Store<Feature>?, _ dispatch: StoreTask?) async -> String {
    switch wait {
    case .finish:
      await dispatch?.finish()
      return "finished"
    case .request:
      do {
        return try await store?.request(.start) { _ in "value" } ?? "no store"
      } catch {
        return error is CancellationError ? "cancelled" : "\(error)"
      }
    case .delivered:
      preconditionFailure("asked for in beginDelivery()")
    case .shutdownCancelling:
      await store?.shutdown(.cancelling)
      return executing.withLock { $0 } == 0 ? "ended" : "closures execute"
    case .shutdownDraining:
      let runs = await store?.shutdown(.draining) ?? []
      guard executing.withLock({ $0 }) == 0 else { return "closures execute" }
      if one.ending == .shutdownCancelling { return "ended" }
      return runs.isEmpty ? "ended, nothing cut short" : "ended, cut short: \(runs)"
    }
  }

  private func end(_ waiting: Task<Void, Never>?) async {
    switch one.ending {
    case .success, .errorCaught, .errorUncaught:
      gate.open()
    case .cancelledByID, .replaced, .droppedFromQueue:
      triggerGate.open()
      await log.wait(for: "trigger returned")
    case .cancelledByDispatch:
      dispatch?.cancel()
    case .droppedOnArrival:
      break
    case .shutdownCancelling:
      await shutDown(.cancelling)
    case .shutdownDraining:
      await shutDown(.draining)
      gate.open()
    case .storeReleased:
      store = nil
      gate.open()
    case .waiterCancelled, .waiterCancelledBefore:
      if let waiting { waiting.cancel() } else { gate.open() }
    }
  }

  private func shutDown(_ shutdown: Shutdown) async {
    shutdowns.append(
      Task { @MainActor [log, store] in
        log.record("shuts down")
        await store?.shutdown(shutdown)
      })
    await log.wait(for: "shuts down")
  }

  private func openAll() {
    for gate in [gate, othersGate, triggerGate] { gate.open() }
  }
}

/// Keeps the first jobs of a task, so that its creator runs them directly; the others run on threads of the system.
private final class FirstStepsHere: TaskExecutor, Sendable {
  private let kept = Lock<[UnownedJob]?>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isKept = kept.withLock { kept in
      kept?.append(job)
      return kept != nil
    }
    if !isKept { DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
  }

  func goOnElsewhere() {
    while let job = kept.withLock({ $0?.popLast() }) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    kept.withLock { $0 = nil }
  }
}
