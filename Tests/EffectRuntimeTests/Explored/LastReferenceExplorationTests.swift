// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

@testable import EffectRuntime

/// The last reference to a store is released at every moment between the sends and the slices of its drain.
struct LastReferenceExplorationTests {
  private typealias Feature = Reduce<Counted, Int>

  private enum Event { case send, slice, release }

  @Test(arguments: [1, 2])
  func `Whenever the last reference is released, all runs end and at most one slice more is taken (E7, T6)`(
    budget: Int
  ) async {
    var problem: String?
    let result = await explore(options: .init(upTo: .deliveries)) { schedule in
      if problem != nil { return }
      let (log, ended, released) = (Recorder<Int>(), Tally(), Tally())
      let steps = SteppedIsolation()
      var store: Store<Feature>? = Store(
        initialState: Counted(released),
        reducer: Feature { _, action in
          log.record(action)
          let kept = Counted(ended)
          return .run(id: "run", overlap: .enqueue) { send in
            defer { withExtendedLifetime(kept) {} }
            try await send.sleep(for: .seconds(1_000_000))
          }
        }, isolation: steps, followUpLimit: 1_000, drainBudget: budget)
      weak let reference = store
      // An object that holds one of these does not hold the store.
      var dispatches: [StoreTask] = []
      var history: [Event] = []
      var (sent, reduced) = (0, 0)
      // The next slice has been scheduled; after one that used its budget another is.
      var isAsked = false
      func takeSlice() {
        isAsked = sent - reduced >= budget
        reduced = min(sent, reduced + budget)
        steps.takeStep()
      }
      while store != nil {
        if isAsked { await steps.wait() }
        var possible: [Event] = [.release]
        if sent < 3 { possible.append(.send) }
        if isAsked { possible.append(.slice) }
        let event = possible[schedule.choose(possible.count)]
        history.append(event)
        switch event {
        case .send:
          sent += 1
          isAsked = true
          if let dispatch = store?.send(sent) { dispatches.append(dispatch) }
        case .slice:
          takeSlice()
        case .release:
          store = nil
        }
      }
      if isAsked { takeSlice() }
      await released.reaches(1)
      await ended.reaches(reduced)
      for dispatch in dispatches { await dispatch.finish() }
      if log.events != Array(1..<reduced + 1) || reference != nil {
        problem = "\(history): \(log.events) were reduced, and not \(reduced)"
      }
    }
    #expect(problem == nil)
    Measured.print("budget \(budget): \(result)")
    #expect(result.completeLevel != nil && result.schedules > 10)
  }
}

/// An isolation that takes a step when `takeStep()` is called, on the caller's thread.
private actor SteppedIsolation {
  private nonisolated let executor = SteppedExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Suspends until there is a step to be taken.
  nonisolated func wait() async { await executor.arrived.reaches(executor.taken.value + 1) }

  nonisolated func takeStep() { executor.takeStep() }
}

private final class SteppedExecutor: SerialExecutor {
  let arrived = Tally()
  let taken = Tally()
  private let jobs = Lock<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrived.increment()
  }

  func takeStep() {
    let job = jobs.withLock { $0.removeFirst() }
    taken.increment()
    unsafe job.runSynchronously(on: asUnownedSerialExecutor())
  }
}
