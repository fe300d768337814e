// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// The least code that could do a store's work: a lock around an array whose first sender drains it.
///
/// Actions are reduced one at a time and in order, and nothing more: if no other sender drains the array, the sender
/// reduces on its own thread until the array is empty. An effect is a `Task`. There is no isolation, no way to wait, no
/// errors, no trace. Actions that a cancelled run has sent are reduced, and a sender may be delayed for as long as
/// others send.
// SAFETY: `inside` is touched only by the code that set `isDraining`, which is set and cleared under the lock.
@safe final class Bare<R: PlainReducer>: @unchecked Sendable {
  private struct Queue {
    var actions: [R.Action] = []
    var isDraining = false
  }

  private struct Inside {
    var state: R.State
    var spare: [R.Action] = []
    var tasks = PlainTasks()
  }

  private let queue = Mutex(Queue())
  private let reducer: R
  // Behind a pointer, and not as plain properties, which would be checked for overlapping accesses at every step.
  private let inside: UnsafeMutablePointer<Inside>

  init(_ state: sending R.State, _ reducer: sending R) {
    self.reducer = reducer
    unsafe inside = .allocate(capacity: 1)
    unsafe inside.initialize(to: Inside(state: state))
  }

  deinit {
    unsafe inside.deinitialize(count: 1)
    unsafe inside.deallocate()
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

  private func perform(_ effect: PlainEffect<R.Action>) {
    switch effect {
    case .none: break
    case .send(let next): send(next)
    case .run(let run): Task { await run(send) }
    case .merge(let runs):
      for run in runs { Task { await run(send) } }
    case .concatenate(let runs):
      Task { for run in runs { await run(send) } }
    case .restart(let id, let run): unsafe inside.pointee.tasks.restart(id) { Task { await run(send) } }
    case .cancel(let id): unsafe inside.pointee.tasks.cancel(id)
    case .cancelAll: unsafe inside.pointee.tasks.cancelAll()
    }
  }

  private func drain() {
    var batch: [R.Action] = []
    unsafe swap(&batch, &inside.pointee.spare)
    while true {
      let isEmpty = queue.withLock { queue in
        if queue.actions.isEmpty {
          // The next sender that drains may begin as soon as the lock is free, so the array is put back under the lock.
          unsafe swap(&batch, &inside.pointee.spare)
          queue.isDraining = false
          return true
        }
        swap(&queue.actions, &batch)
        return false
      }
      if isEmpty { return }
      for action in batch {
        perform(unsafe reducer.reduce(into: &inside.pointee.state, action: action))
      }
      batch.removeAll(keepingCapacity: true)
    }
  }
}
