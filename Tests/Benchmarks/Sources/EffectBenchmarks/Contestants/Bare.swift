// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// The least code that could do a store's work: a lock around an array whose first sender drains it.
///
/// Actions are reduced one at a time and in order, and that is all: the sender that finds nobody draining reduces, on
/// its own thread, until nothing is left. No ids, no cancellation, no isolation, no way to wait, no trace; a sender may
/// be held up for as long as others send.
// SAFETY: `state` and `batch` are touched only by who set `isDraining`, which is set and cleared under the lock.
final class Bare<R: PlainReducer>: @unchecked Sendable {
  private struct Queue {
    var actions: [R.Action] = []
    var isDraining = false
  }

  private let queue = Mutex(Queue())
  private let reducer: R
  private var state: R.State
  private var batch: [R.Action] = []

  init(_ state: sending R.State, _ reducer: sending R) {
    self.state = state
    self.reducer = reducer
  }

  func send(_ action: R.Action) {
    let isFirst = queue.withLock { queue in
      queue.actions.append(action)
      if queue.isDraining { return false }
      queue.isDraining = true
      return true
    }
    if isFirst { drain() }
  }

  private func drain() {
    while take() {
      for action in batch {
        switch reducer.reduce(into: &state, action: action) {
        case .none: break
        case .send(let next): send(next)
        }
      }
      batch.removeAll(keepingCapacity: true)
    }
  }

  private func take() -> Bool {
    queue.withLock { queue in
      if queue.actions.isEmpty {
        queue.isDraining = false
        return false
      }
      swap(&queue.actions, &batch)
      return true
    }
  }
}
