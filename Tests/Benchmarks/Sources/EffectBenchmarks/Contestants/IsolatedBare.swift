// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// ``Bare`` on an actor, in the order that the rules require: actions are reduced on an isolation (T1), and the next
/// part of a `concatenate` begins after the actions that the last part has sent (E2).
///
/// It shows the minimal cost of such a part. One task awaits all parts and enters the actor after each; nothing has a
/// name, is cancelled or waited for.
actor IsolatedBare<R: PlainReducer> {
  private struct Queue {
    var actions: [R.Action] = []
    var isDrainScheduled = false
  }

  private nonisolated let queue = Mutex(Queue())
  private let reducer: R
  private var state: R.State
  private var batch: [R.Action] = []

  init(_ state: sending R.State, _ reducer: sending R) {
    self.state = state
    self.reducer = reducer
  }

  nonisolated func send(_ action: R.Action) {
    let mustSchedule = queue.withLock { queue in
      queue.actions.append(action)
      defer { queue.isDrainScheduled = true }
      return !queue.isDrainScheduled
    }
    // The sender may go on for any time, so another task has to drain.
    if mustSchedule { Task { await drain(isScheduled: true) } }
  }

  private func drain(isScheduled: Bool) {
    while true {
      let isEmpty = queue.withLock { queue in
        if queue.actions.isEmpty {
          if isScheduled { queue.isDrainScheduled = false }
          return true
        }
        swap(&queue.actions, &batch)
        return false
      }
      if isEmpty { return }
      for action in batch {
        if case .concatenate(let runs) = reducer.reduce(into: &state, action: action) { start(runs) }
      }
      batch.removeAll(keepingCapacity: true)
    }
  }

  private func start(_ runs: [PlainRun<R.Action>]) {
    Task.detached {
      for run in runs {
        await run { self.send($0) }
        await self.drain(isScheduled: false)
      }
    }
  }
}
