// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch

@testable import EffectRuntime

extension Store {
  /// Whether the scheduler is empty: no slot, no name, no waiter (rule E2).
  var isEmpty: Bool {
    scheduler.workTree.count == 0 && scheduler.names.count == 0 && scheduler.waits.isEmpty
  }
}

extension DispatchSemaphore {
  /// Blocks the thread of an asynchronous function on purpose: the test needs the other side to be synchronous.
  func waitBlocking() { wait() }
}

extension Store {
  /// The work under an id: running, queued and cancelling.
  func counts(of id: EffectID) -> String {
    guard let place = scheduler.names.find(id) else { return "\(id) 0/0/0" }
    let counts = scheduler.names.counts(at: place)
    return "\(id) \(counts.running)/\(counts.queued)/\(counts.cancelling)"
  }
}

/// Calls a closure when it is released, as a user's object might.
final class Farewell: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  deinit { body() }
}

/// Runs every job at once, inside the call that makes it ready: resuming a waiter runs the waiter's code.
final class InlineExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
