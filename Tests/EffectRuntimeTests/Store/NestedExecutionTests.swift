// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import EffectRuntime
import TestSupport
import Testing

/// An executor whose jobs can be run inside one another, as a nested run loop or a modal panel does on the main thread.
private final class NestingExecutor: SerialExecutor {
  private let jobs = Lock<[UnownedJob]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrived.signal()
  }

  /// Waits for the next job, and runs it here and now.
  func runNext() {
    arrived.wait()
    guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
    unsafe job.runSynchronously(on: asUnownedSerialExecutor())
  }
}

private actor NestingIsolation {
  nonisolated let executor = NestingExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  func send<R: Reducer>(_ action: R.Action, to store: Store<R>) {
    store.send(action)
  }
}

@Suite(.timeLimit(.minutes(5))) struct NestedExecutionTests {
  fileprivate enum Action: Sendable { case outer, inner }

  @Test func `Reductions never overlap, whatever the executor does meanwhile (T1)`() async {
    let isolation = NestingIsolation()
    let log = Recorder<String>()
    let nested = Lock<(@Sendable () -> Void)?>(nil)
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Action> { @Sendable _, action in
        log.record("begin \(action)")
        nested.withLock { $0 }?()
        log.record("end \(action)")
        return .none
      }, isolation: isolation)
    nested.withLock { nested in
      nested = { [weak store] in
        guard let store else { return }
        // From another isolation: it schedules a slice, which the executor is then made to run in the middle of this
        // one.
        DispatchQueue.global().async { store.send(.inner) }
        isolation.executor.runNext()
      }
    }
    let sending = Task.detached {
      await isolation.send(.outer, to: store)
    }
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        isolation.executor.runNext()
        nested.withLock { $0 = nil }
        // The slice that came too early is scheduled again.
        isolation.executor.runNext()
        done.resume()
      }
    }
    await sending.value
    #expect(log.events == ["begin outer", "end outer", "begin inner", "end inner"])
  }
}
