// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// Those who want to see the state whenever a slice of work has been done.
final class Observers<State>: Sendable {
  let statuses = StatusObservers()
  private let list = Lock<[any StateObserver<State>]>([])
  /// Spares a store that nobody watches the lock.
  private let count = Atomic<Int>(0)

  /// Adds an observer; it is shown the state at the end of the next slice.
  func add(_ observer: any StateObserver<State>) {
    list.withLock { list in
      list.append(observer)
      count.store(list.count, ordering: .releasing)
    }
  }

  /// Shows the state to everybody, on the store's isolation. Those nobody listens to any more are forgotten.
  func offer(_ state: State) {
    guard count.load(ordering: .acquiring) > 0 else { return }
    let observers = list.withLock { $0 }
    var hasLeft = false
    for observer in observers where !observer.offer(state) { hasLeft = true }
    guard hasLeft else { return }
    // The removed are let go of outside the lock: their release may run user code.
    let kept = list.withLock { list in
      let before = list
      list.removeAll { !$0.isWatched }
      count.store(list.count, ordering: .releasing)
      return before
    }
    withExtendedLifetime(kept) {}
  }

  /// The store is gone.
  func finish() {
    let observers = list.withLock { list in
      defer { list = [] }
      return list
    }
    for observer in observers { observer.finish() }
    statuses.finish()
  }
}

/// One who watches a part of the state.
protocol StateObserver<State>: AnyObject, Sendable {
  associatedtype State
  /// Shows the state; `false` if nobody listens any more.
  func offer(_ state: State) -> Bool
  func finish()
  var isWatched: Bool { get }
}
