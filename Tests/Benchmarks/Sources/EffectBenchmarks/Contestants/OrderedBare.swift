// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// ``Bare``, but the parts of a `concatenate` run one after another as rule E2 requires: each is a task, and the next
/// one starts when the actions of the one before have been reduced.
///
/// The end of a part is in the queue after the actions that the part sent. That is all: nothing is cancelled or waited
/// for.
// SAFETY: `inside` is touched only by the code that set `isDraining`, which is set and cleared under the lock.
@safe final class OrderedBare<R: PlainReducer>: @unchecked Sendable {
  private typealias Run = PlainRun<R.Action>

  private enum Item {
    case action(R.Action)
    /// The part before the given part has ended.
    case next([Run], Int)
  }

  private struct Queue {
    var items: [Item] = []
    var isDraining = false
  }

  private struct Inside {
    var state: R.State
    var spare: [Item] = []
  }

  private let queue = Mutex(Queue())
  private let reducer: R
  // As in `Bare`.
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

  func send(_ action: R.Action) { post(.action(action)) }

  private func post(_ item: Item) {
    let isFirst = queue.withLock { queue in
      queue.items.append(item)
      if queue.isDraining { return false }
      queue.isDraining = true
      return true
    }
    if isFirst { drain() }
  }

  private func start(_ runs: [Run], _ index: Int) {
    guard index < runs.count else { return }
    Task {
      await runs[index](send)
      post(.next(runs, index + 1))
    }
  }

  private func drain() {
    var batch: [Item] = []
    unsafe swap(&batch, &inside.pointee.spare)
    while true {
      let isEmpty = queue.withLock { queue in
        if queue.items.isEmpty {
          unsafe swap(&batch, &inside.pointee.spare)
          queue.isDraining = false
          return true
        }
        swap(&queue.items, &batch)
        return false
      }
      if isEmpty { return }
      for item in batch {
        switch item {
        case .action(let action):
          if case .concatenate(let runs) = unsafe reducer.reduce(into: &inside.pointee.state, action: action) {
            start(runs, 0)
          }
        case .next(let runs, let index):
          start(runs, index)
        }
      }
      batch.removeAll(keepingCapacity: true)
    }
  }
}
